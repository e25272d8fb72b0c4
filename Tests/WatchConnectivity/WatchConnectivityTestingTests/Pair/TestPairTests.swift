import Foundation
import Platform
import Testing
import WatchConnectivity
import WatchConnectivityTesting

@Suite struct TestPairTests {
    @Test func `one line gives two live sessions that are not activated`() throws {
        let pair = try TestPair()
        #expect(pair.phone !== pair.watch)
        #expect(pair.phone.activationState == .notActivated)
        #expect(pair.watch.activationState == .notActivated)
        #expect(pair.link.isOpen)
    }

    @Test func `another line gives sessions that are activated`() throws {
        let (phone, watch) = (RecordingDelegate(), RecordingDelegate())
        let pair = try TestPair.activated(phone: phone, watch: watch)
        #expect(pair.phone.isReachable && pair.watch.isReachable)
        #expect(phone.activationStates == [.activated] && watch.activationStates == [.activated])
    }

    @Test func `nothing happens until the pair is turned`() throws {
        let duo = try Duo()
        duo.pair.phone.transferUserInfo(["n": 1])
        #expect(duo.watch.userInfos.isEmpty)
        duo.pair.settle()
        #expect(numbers(duo.watch.userInfos) == [1])
    }

    @Test func `settling runs until everything has arrived, however much it is`() throws {
        let duo = try Duo()
        for number in 1...5000 { duo.pair.phone.transferUserInfo(["n": number]) }
        let start = duo.pair.elapsed
        #expect(duo.pair.settle())
        let isComplete = numbers(duo.watch.userInfos) == Array(1...5000)
        #expect(isComplete)
        #expect(duo.pair.phone.outstandingUserInfoTransfers.isEmpty && duo.phone.finishedUserInfos.count == 5000)
        // It took longer than attempts that fail again and again may take.
        #expect(duo.pair.elapsed - start > .milliseconds(1500))

        for number in 1...300 { duo.pair.watch.transferUserInfo(["n": number]) }
        for number in 1...40 { duo.pair.phone.transferFile(try duo.file("\(number)", "x"), metadata: nil) }
        #expect(duo.pair.settle())
        #expect(numbers(duo.phone.userInfos) == Array(1...300))
        #expect(duo.watch.files.count == 40 && duo.pair.phone.outstandingFileTransfers.isEmpty)
    }

    @Test func `settling ends while a disk that fails is tried again and again`() throws {
        let duo = try Duo()
        duo.pair.watchDevice.disk = .fails
        duo.pair.phone.transferUserInfo(["n": 1])
        let before = duo.pair.elapsed
        #expect(duo.pair.settle())
        #expect(duo.watch.userInfos.isEmpty)
        #expect(duo.pair.elapsed - before < .seconds(1))
    }

    @Test func `the first use of storage by both sides is told, once`() throws {
        let duo = try Duo()
        let pair = duo.pair
        let name = Notification.Name("TestPairTests")
        for _ in 1...2 {
            pair.asDefault(.phone) {
                UserDefaults.standard.removeObject(forKey: "TestPairTests")
                NotificationCenter.default.post(name: name, object: nil)
            }
        }
        UserDefaults.standard.removeObject(forKey: "TestPairTests")
        #expect(pair.warnings.isEmpty)
        duo.watch.onCall = { _, call in
            if call == "didReceiveUserInfo" { _ = UserDefaults.standard.integer(forKey: "TestPairTests") }
        }
        for _ in 1...2 { pair.phone.transferUserInfo() }
        pair.settle()
        #expect(pair.warnings.map { $0.contains("UserDefaults.standard") } == [true])
        pair.asDefault(.watch) { NotificationCenter.default.post(name: name, object: nil) }
        #expect(pair.warnings.count == 2 && pair.warnings[1].contains("NotificationCenter.default"))
    }

    @Test func `settling is not done within a callback, and says so`() throws {
        let duo = try Duo()
        let isSettled = Lock<Bool?>(nil)
        let pair = duo.pair
        duo.watch.onCall = { [weak pair] _, name in
            if name == "didReceiveUserInfo" { isSettled.withLock { $0 = pair?.settle() } }
        }
        duo.pair.phone.transferUserInfo(["n": 1])
        #expect(duo.pair.settle())
        #expect(isSettled.withLock { $0 } == false)
        #expect(duo.pair.warnings.contains { $0.contains("a callback cannot turn the pair") })
    }

    @Test func `a link that takes time needs time to pass`() throws {
        let duo = try Duo()
        duo.pair.link.faults.delays = .seconds(1) ... .seconds(1)
        duo.pair.phone.transferUserInfo(["n": 1])
        duo.pair.settle()
        #expect(duo.watch.userInfos.isEmpty)
        duo.pair.advance(by: .seconds(1))
        #expect(numbers(duo.watch.userInfos) == [1])
    }

    @Test func `a link that heals forgets what was planned for its next frames`() throws {
        let duo = try Duo()
        duo.pair.link.disturb(next: .toWatch, .holdUp(.seconds(1)))
        duo.pair.link.heal()
        duo.pair.phone.transferUserInfo(["n": 1])
        duo.pair.settle()
        #expect(numbers(duo.watch.userInfos) == [1])
    }

    @Test(arguments: [TestLink.Way.toPhone, .toWatch])
    func `a silence one way leaves the other way alone`(way: TestLink.Way) throws {
        let duo = try Duo()
        duo.pair.link.silence([way])
        duo.pair.phone.transferUserInfo(["n": 1])
        duo.pair.watch.transferUserInfo(["n": 2])
        duo.pair.settle()
        #expect(numbers(duo.watch.userInfos) == (way == .toWatch ? [] : [1]))
        #expect(numbers(duo.phone.userInfos) == (way == .toPhone ? [] : [2]))
    }

    @Test func `the same seed gives the same timeline, and another one may not`() throws {
        func timeline(_ seed: UInt64) throws -> String {
            let duo = try Duo(seed: seed)
            duo.pair.link.faults.dropChance = 0.3
            duo.pair.link.faults.delays = .zero ... .milliseconds(300)
            for number in 0..<20 { duo.pair.phone.transferUserInfo(["n": number]) }
            duo.pair.advance(by: .seconds(30))
            return duo.pair.timeline
        }
        #expect(try timeline(3) == timeline(3))
        #expect(try timeline(3) != timeline(4))
    }

    @Test func `a callback may use its session and the devices`() throws {
        let duo = try Duo()
        duo.watch.onCall = { session, name in
            guard name == "didReceiveUserInfo" else { return }
            session.transferUserInfo(["n": 2])
        }
        duo.pair.phone.transferUserInfo(["n": 1])
        duo.pair.settle()
        #expect(numbers(duo.phone.userInfos) == [2])
    }

    @Test func `a callback that turns the pair changes nothing and does not hang`() throws {
        let duo = try Duo()
        let pair = duo.pair
        duo.watch.onCall = { [weak pair] _, _ in pair?.settle() }
        pair.phone.transferUserInfo(["n": 1])
        pair.settle()
        #expect(numbers(duo.watch.userInfos) == [1])
        #expect(pair.warnings.contains { $0.contains("cannot turn the pair") })
    }

    @Test func `what a callback does later on another queue is taken in when it comes`() async throws {
        let duo = try Duo()
        duo.watch.onCall = { session, name in
            guard name == "didReceiveUserInfo" else { return }
            // A session may be used on any thread, though it is not Sendable.
            nonisolated(unsafe) let shared = session
            DispatchQueue.global().async { unsafe shared.transferUserInfo(["n": 2]) }
        }
        duo.pair.phone.transferUserInfo(["n": 1])
        let phone = duo.phone
        #expect(await duo.pair.settle { numbers(phone.userInfos) == [2] })
    }

    @MainActor @Test func `a callback may wait for the main queue while the test awaits`() async throws {
        let duo = try Duo(isActivated: false)
        let wasThere = Lock(false)
        duo.pair.watch.activate()
        duo.watch.onCall = { _, _ in DispatchQueue.main.sync { wasThere.withLock { $0 = true } } }
        await duo.pair.settle()
        #expect(wasThere.withLock { $0 })
    }

    @Test func `apps that never stop answering are given up`() throws {
        let duo = try Duo()
        for delegate in [duo.phone, duo.watch] {
            delegate.onCall = { session, name in
                if name == "didReceiveUserInfo" { session.transferUserInfo() }
            }
        }
        duo.pair.phone.transferUserInfo()
        #expect(!duo.pair.settle(turns: 20_000))
    }

    @Test func `code under test finds its session as the default one`() throws {
        let duo = try Duo()
        duo.pair.asDefault(.phone) {
            #expect(WCSession.default === duo.pair.phone)
            _ = WCSession.default.transferUserInfo(["n": 1])
        }
        duo.pair.settle()
        #expect(numbers(duo.watch.userInfos) == [1])
        // Within what a session calls its own side is the default, too.
        let isOwn = Lock(false)
        duo.watch.onCall = { session, _ in isOwn.withLock { $0 = WCSession.default === session } }
        duo.pair.phone.transferUserInfo(["n": 2])
        duo.pair.settle()
        #expect(isOwn.withLock { $0 })
    }

    @Test func `a pair that nobody holds is gone, with its folder`() throws {
        weak var former: TestPair?
        var folder: URL?
        do {
            let duo = try Duo()
            duo.pair.phone.transferFile(try duo.file("a", "1"), metadata: nil)
            duo.pair.settle()
            (former, folder) = (duo.pair, duo.pair.folder)
        }
        #expect(former == nil)
        #expect(!FileManager.default.fileExists(atPath: try #require(folder).path))
    }

    @Test func `three watches have sessions of their own`() throws {
        let pair = try TestPair(watches: 3)
        let delegates = (0..<3).map { _ in RecordingDelegate() }
        let phone = RecordingDelegate()
        pair.phone.delegate = phone
        pair.phone.activate()
        for (session, delegate) in zip(pair.watches, delegates) {
            session.delegate = delegate
            session.activate()
        }
        pair.settle()
        pair.phone.transferUserInfo(["n": 1])
        pair.settle()
        #expect(delegates.map(\.userInfos.count) == [1, 0, 0])
    }
}

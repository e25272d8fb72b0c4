import Foundation
import Platform
import Testing
import WatchConnectivity
import WatchConnectivityTesting

/// Rules R118–R136 with two sessions.
@Suite struct FileTests {
    @Test func `files arrive in order with their names and metadata`() throws {
        // R118, R121, R126, R128
        let duo = try Duo()
        duo.pair.phone.transferFile(try duo.file("a.txt", "first"), metadata: nil)
        duo.pair.phone.transferFile(try duo.file("b.txt", "second"), metadata: ["n": 2])
        #expect(duo.pair.phone.outstandingFileTransfers.count == 2)
        duo.pair.advance(by: .seconds(1))
        #expect(duo.watch.files.map(\.name) == ["a.txt", "b.txt"])
        #expect(duo.watch.files.map { $0.content.map { String(decoding: $0, as: UTF8.self) } } == ["first", "second"])
        #expect(duo.watch.files.first?.metadata == nil)
        #expect(duo.watch.files.last?.metadata?["n"] as? Int == 2)
        #expect(duo.phone.finishedFiles.count == 2)
        #expect(duo.pair.phone.outstandingFileTransfers.isEmpty)
    }

    @Test func `a file that was not moved is gone when the call has returned`() throws {
        // R119, R120
        let duo = try Duo()
        let taker = Taker()
        duo.pair.watch.delegate = taker
        duo.pair.phone.transferFile(try duo.file("a.txt", "hello"), metadata: nil)
        duo.pair.advance(by: .seconds(1))
        let url = try #require(taker.url.withLock { $0 })
        #expect(taker.wasThere.withLock { $0 })
        #expect(!FileManager.default.fileExists(atPath: url.path))
    }

    private final class Taker: NSObject, WCSessionDelegate {
        let url = Lock<URL?>(nil)
        let wasThere = Lock(false)

        func session(
            _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState,
            error: (any Error)?
        ) {}

        func session(_ session: WCSession, didReceive file: WCSessionFile) {
            url.withLock { $0 = file.fileURL }
            wasThere.withLock { $0 = FileManager.default.fileExists(atPath: file.fileURL.path) }
        }
    }

    @Test func `cancelling the progress cancels the transfer, also by a progress that contains it`() throws {
        // R131
        let duo = try Duo()
        duo.pair.link.cut()
        duo.pair.settle()
        let names = ["a.txt", "b.txt", "c.txt"]
        let transfers = try names.map { duo.pair.phone.transferFile(try duo.file($0, $0), metadata: nil) }
        let all = Progress(totalUnitCount: 1)
        all.addChild(transfers[1].progress, withPendingUnitCount: 1)
        transfers[0].progress.cancel()
        all.cancel()
        #expect(transfers.map(\.isTransferring) == [false, false, true])
        #expect(transfers.map(\.progress.isCancelled) == [true, true, false])
        #expect(duo.pair.phone.outstandingFileTransfers == [transfers[2]])
        duo.pair.link.heal()
        duo.pair.advance(by: .seconds(1))
        #expect(duo.watch.files.map(\.name) == ["c.txt"])
        // As after `cancel()`, nothing is reported, and after the end nothing happens any more.
        transfers[2].progress.cancel()
        duo.pair.settle()
        #expect(duo.phone.finishedFiles.map(\.name) == ["c.txt"])
    }

    @Test func `what cannot be sent fails with its code`() throws {
        // R122, R123, R127
        var behaviour = SessionBehaviour()
        behaviour.fileByteCountMax = 100
        let duo = try Duo(behaviour: behaviour)
        duo.pair.phone.transferFile(duo.pair.folder.appendingPathComponent("none"), metadata: nil)
        duo.pair.phone.transferFile(duo.pair.folder, metadata: nil)
        duo.pair.phone.transferFile(try duo.file("a", "1"), metadata: ["bad": NSNull()])
        duo.pair.phone.transferFile(try duo.file("b", String(repeating: "x", count: 101)), metadata: nil)
        duo.pair.advance(by: .seconds(1))
        let failures = codes(duo.phone.finishedFiles.map(\.error))
        #expect(
            Set(failures) == [.fileAccessDenied, .payloadUnsupportedTypes, .payloadTooLarge] && failures.count == 4)
        #expect(duo.watch.files.isEmpty)
    }

    @Test func `the source may go when the call has returned`() throws {
        // R124
        let duo = try Duo()
        duo.pair.link.cut()
        let url = try duo.file("a.txt", "hello")
        duo.pair.phone.transferFile(url, metadata: nil)
        try FileManager.default.removeItem(at: url)
        duo.pair.link.heal()
        duo.pair.advance(by: .seconds(1))
        #expect(duo.watch.files.first?.content == Data("hello".utf8))
    }

    @Test func `the progress goes from nothing to all`() throws {
        // R125
        let duo = try Duo()
        let transfer = duo.pair.phone.transferFile(
            try duo.file("a", String(repeating: "x", count: 100_000)), metadata: nil)
        #expect(transfer.progress.fractionCompleted == 0 && transfer.isTransferring)
        duo.pair.advance(by: .seconds(1))
        #expect(transfer.progress.fractionCompleted == 1 && !transfer.isTransferring)
    }

    @Test func `a file goes on where a link ended, and survives both devices`() throws {
        // R118
        let duo = try Duo()
        duo.relaunchAlike()
        let text = String(repeating: "0123456789", count: 30_000)
        duo.pair.link.faults.delays = .milliseconds(100) ... .milliseconds(100)
        duo.pair.phone.transferFile(try duo.file("a", text), metadata: nil)
        duo.pair.advance(by: .milliseconds(450))
        duo.pair.link.reset()
        duo.pair.advance(by: .milliseconds(450))
        duo.pair.watchDevice.powerOff()
        duo.pair.phoneDevice.powerOff()
        duo.pair.phoneDevice.powerOn()
        duo.pair.watchDevice.powerOn()
        duo.pair.phoneDevice.app = .foreground
        duo.pair.watchDevice.app = .foreground
        duo.pair.advance(by: .seconds(30))
        #expect(duo.watch.files.map { $0.content?.count } == [300_000])
        #expect(duo.phone.finishedFiles.count == 1)
    }

    @Test func `a cancelled file does not arrive`() throws {
        // R131
        let duo = try Duo()
        duo.pair.link.cut()
        duo.pair.settle()
        let transfer = duo.pair.phone.transferFile(try duo.file("a", "1"), metadata: nil)
        #expect(!transfer.progress.isCancelled)
        transfer.cancel()
        #expect(transfer.progress.isCancelled)
        duo.pair.link.heal()
        duo.pair.advance(by: .seconds(5))
        #expect(duo.watch.files.isEmpty && duo.phone.finishedFiles.isEmpty)
        #expect(duo.pair.phone.outstandingFileTransfers.isEmpty)
        // After the end nothing is cancelled any more.
        let arrived = duo.pair.phone.transferFile(try duo.file("b", "2"), metadata: nil)
        duo.pair.settle()
        arrived.cancel()
        #expect(duo.watch.files.count == 1 && !arrived.progress.isCancelled)
    }

    // MARK: - Pending content

    @Test func `content is pending from its arrival to the end of its delivery`() throws {
        // R132, R133
        let duo = try Duo()
        duo.relaunchAlike()
        duo.pair.watchDevice.isAppStartable = false
        duo.pair.watchDevice.app = .suspended
        duo.pair.phone.transferUserInfo(["n": 1])
        try duo.pair.phone.updateApplicationContext(["n": 2])
        duo.pair.settle()
        #expect(duo.pair.watch.hasContentPending)
        duo.pair.watchDevice.app = .background
        duo.pair.settle()
        #expect(!duo.pair.watch.hasContentPending)
        #expect(duo.watch.userInfos.count == 1 && duo.watch.contexts.count == 1)
    }

    @Test func `an unpairing drops what was queued`() throws {
        // R157
        let duo = try Duo()
        duo.relaunchAlike()
        duo.pair.link.cut()
        duo.pair.phone.transferUserInfo(["n": 1])
        duo.pair.settle()
        duo.pair.watchDevice.unpair()
        duo.pair.link.heal()
        duo.pair.watchDevice.pair()
        duo.pair.watchDevice.app = .foreground
        duo.pair.advance(by: .seconds(5))
        #expect(duo.pair.phone.isWatchAppInstalled)
        #expect(duo.watch.userInfos.isEmpty && duo.pair.phone.outstandingUserInfoTransfers.isEmpty)
        duo.pair.phone.transferUserInfo(["n": 2])
        duo.pair.settle()
        #expect(numbers(duo.watch.userInfos) == [2])
    }

    @Test func `an app that dies within a call gets the same again`() throws {
        // R158
        let duo = try Duo()
        duo.relaunchAlike()
        let device = duo.pair.watchDevice
        let hasDied = Lock(false)
        duo.watch.onCall = { _, name in
            let isFirst = hasDied.withLock { died in
                defer { died = died || name == "didReceiveUserInfo" }
                return !died && name == "didReceiveUserInfo"
            }
            if isFirst { device.app = .notRunning }
        }
        duo.pair.phone.transferUserInfo(["n": 1])
        duo.pair.settle()
        device.app = .foreground
        duo.pair.settle()
        #expect(numbers(duo.watch.userInfos) == [1, 1])
        duo.pair.watchDevice.relaunch()
        duo.pair.settle()
        #expect(numbers(duo.watch.userInfos) == [1, 1])
    }
}

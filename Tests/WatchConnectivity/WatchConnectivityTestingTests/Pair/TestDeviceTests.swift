import Foundation
import Platform
import Testing
import WatchConnectivity
import WatchConnectivityTesting

@Suite struct TestDeviceTests {
    @Test func `what outlives an app outlives it here`() throws {
        let duo = try Duo()
        duo.relaunchAlike()
        duo.pair.watchDevice.app = .suspended
        for number in 1...3 { duo.pair.phone.transferUserInfo(["n": number]) }
        duo.pair.watchDevice.isAppStartable = false
        duo.pair.settle()
        #expect(duo.watch.userInfos.isEmpty)
        // The device has them: the sender was told (R94).
        #expect(duo.phone.finishedUserInfos.count == 3)
        duo.pair.watchDevice.relaunch()
        duo.pair.settle()
        #expect(numbers(duo.watch.userInfos) == [1, 2, 3])
    }

    @Test func `a device that is off gets what was sent when it is on again`() throws {
        let duo = try Duo()
        duo.relaunchAlike()
        duo.pair.watchDevice.powerOff()
        duo.pair.phone.transferUserInfo(["n": 1])
        duo.pair.advance(by: .seconds(10))
        #expect(duo.phone.finishedUserInfos.isEmpty)
        duo.pair.watchDevice.powerOn()
        duo.pair.settle()
        #expect(duo.phone.finishedUserInfos.count == 1)
        duo.pair.watchDevice.app = .foreground
        duo.pair.settle()
        #expect(numbers(duo.watch.userInfos) == [1])
    }

    @Test func `a device is locked, or not, as it was switched on`() throws {
        let duo = try Duo()
        for isLocked in [true, false] {
            duo.pair.phoneDevice.powerOff()
            duo.pair.phoneDevice.powerOn(isLocked: isLocked)
            #expect(duo.pair.phoneDevice.isLocked == isLocked)
        }
    }

    @Test func `a link that is taken for open is so after the power was off, too`() throws {
        let duo = try Duo()
        duo.relaunchAlike()
        duo.pair.watchDevice.linkSense = .stuckOpen
        duo.pair.watchDevice.powerOff()
        duo.pair.watchDevice.powerOn()
        duo.pair.watchDevice.app = .foreground
        duo.pair.settle()
        #expect(duo.pair.watchDevice.linkSense == .stuckOpen)
        #expect(duo.pair.watch.isReachable)
    }

    @Test(arguments: 1...40)
    func `a loss of power after any step loses nothing`(steps: Int) throws {
        let duo = try Duo()
        duo.relaunchAlike()
        duo.pair.watchDevice.losePower(afterSteps: steps)
        for number in 1...3 { duo.pair.phone.transferUserInfo(["n": number]) }
        let url = try duo.file("a.txt", "hello")
        duo.pair.phone.transferFile(url, metadata: nil)
        duo.pair.advance(by: .seconds(5))
        if !duo.pair.watchDevice.hasPower { duo.pair.watchDevice.powerOn() }
        duo.pair.watchDevice.app = .foreground
        duo.pair.advance(by: .seconds(10))
        // Around a crash a delivery may come again (R158), but none is lost and none overtakes.
        #expect(Set(numbers(duo.watch.userInfos)) == [1, 2, 3])
        #expect(Set(duo.watch.files.map(\.name)) == ["a.txt"])
        #expect(duo.phone.finishedUserInfos.count == 3 && duo.phone.finishedFiles.count == 1)
    }

    @Test func `a full disk refuses files and nothing else`() throws {
        let duo = try Duo()
        duo.pair.watchDevice.disk = .full
        duo.pair.phone.transferFile(try duo.file("a.txt", "hello"), metadata: nil)
        duo.pair.phone.transferUserInfo(["n": 1])
        duo.pair.advance(by: .seconds(60))
        #expect(numbers(duo.watch.userInfos) == [1])
        #expect(codes(duo.phone.finishedFiles.map(\.error)) == [.insufficientSpace])
    }

    @Test func `a session's own device and the test's device are one`() throws {
        let duo = try Duo()
        duo.pair.watch.device.setAppState(.background)
        #expect(duo.pair.watchDevice.app == .background)
        duo.pair.settle()
        #expect(!duo.pair.phone.isReachable)
    }

    @Test func `an app is started for what waits for it, with the reason`() throws {
        let duo = try Duo()
        let reasons = Lock<[TestDevice.LaunchReason]>([])
        let watch = duo.watch
        duo.pair.watchDevice.onLaunch = { session, reason in
            reasons.withLock { $0.append(reason) }
            session.delegate = watch
            session.activate()
        }
        duo.pair.watchDevice.app = .notRunning
        duo.pair.phone.transferUserInfo(["n": 1])
        duo.pair.settle()
        #expect(reasons.withLock { $0 } == [.userInfo])
        #expect(numbers(duo.watch.userInfos) == [1])
        #expect(duo.pair.watchDevice.app == .background)
    }
}

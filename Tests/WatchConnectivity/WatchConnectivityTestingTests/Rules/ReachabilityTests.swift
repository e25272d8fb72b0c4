import Testing
import WatchConnectivity
import WatchConnectivityTesting

/// Rules R29–R32 and R35–R46 with two sessions.
@Suite struct ReachabilityTests {
    @Test func `the watch is reachable while its app is in front, and the phone whatever its app does`() throws {
        // R35, R36, R38, R42, R43
        let duo = try Duo()
        duo.pair.watchDevice.app = .background
        duo.pair.settle()
        #expect(!duo.pair.phone.isReachable)
        #expect(duo.phone.calls == ["sessionReachabilityDidChange"])
        duo.pair.watchDevice.app = .foreground
        duo.pair.phoneDevice.app = .suspended
        duo.pair.settle()
        #expect(duo.pair.watch.isReachable)
        duo.pair.phoneDevice.app = .notRunning
        duo.pair.settle()
        #expect(duo.pair.watch.isReachable)
    }

    @Test func `a watch app with high priority in the background counts as in front`() throws {
        // R37
        let duo = try Duo()
        duo.watch.answer = { _ in ["ok": true] }
        duo.pair.watchDevice.hasHighPriority = true
        duo.pair.watchDevice.app = .background
        duo.pair.settle()
        #expect(duo.pair.phone.isReachable && duo.pair.watch.isReachable)
        let first = duo.pair.phone.ask(["n": 1])
        duo.pair.settle()
        #expect(first.replies.count == 1)

        // The workout is over.
        duo.pair.watchDevice.session.device.setHighPriority(false)
        duo.pair.settle()
        #expect(!duo.pair.phone.isReachable && !duo.pair.watch.isReachable)
        #expect(duo.pair.phone.ask(["n": 2]).codes.isEmpty)
        duo.pair.settle()
        #expect(!duo.pair.watchDevice.hasHighPriority)
        #expect(numbers(duo.watch.messages) == [1])
    }

    @Test func `high priority ends with the process`() throws {
        // R37
        let duo = try Duo()
        duo.relaunchAlike()
        duo.pair.watchDevice.hasHighPriority = true
        duo.pair.watchDevice.app = .notRunning
        duo.pair.watchDevice.app = .background
        duo.pair.settle()
        #expect(!duo.pair.watchDevice.hasHighPriority)
        #expect(!duo.pair.phone.isReachable && !duo.pair.watch.isReachable)
    }

    @Test func `the phone reaches a watch whose session is activated, and no other one`() throws {
        // R35, R36, R40, R57
        let duo = try Duo(isActivated: false)
        let pair = duo.pair
        pair.phone.activate()
        pair.settle()
        #expect(!pair.phone.isReachable)
        duo.phone.clear()
        let early = pair.phone.ask(["n": 1])
        pair.phone.transferUserInfo(["n": 2])
        pair.settle()
        #expect(early.codes == [.notReachable])
        // The watch's device has it; nothing comes before the activation.
        #expect(duo.phone.finishedUserInfos.count == 1 && duo.watch.calls.isEmpty)

        pair.watch.activate()
        pair.settle()
        #expect(pair.phone.isReachable && pair.watch.isReachable)
        #expect(duo.phone.calls.last == "sessionReachabilityDidChange")
        #expect(numbers(duo.watch.userInfos) == [2])
        duo.watch.answer = { $0 }
        let second = pair.phone.ask(["n": 3])
        pair.settle()
        #expect(second.replies.count == 1)

        // The next process has to activate its session, too, also if its app is in front.
        duo.phone.clear()
        pair.watchDevice.relaunch()
        pair.settle()
        #expect(!pair.phone.isReachable)
        #expect(duo.phone.calls == ["sessionReachabilityDidChange"])
        let late = pair.phone.ask(["n": 4])
        pair.settle()
        #expect(late.codes == [.notReachable])
        pair.watch.activate()
        pair.settle()
        #expect(pair.phone.isReachable)
        // The watch reaches the phone whatever its app has activated.
        pair.phoneDevice.relaunch()
        pair.settle()
        #expect(pair.watch.isReachable)
    }

    @Test func `both sides are told that the link is gone`() throws {
        // R35, R36, R43
        let duo = try Duo()
        duo.pair.link.cut()
        duo.pair.settle()
        #expect(!duo.pair.phone.isReachable && !duo.pair.watch.isReachable)
        #expect(duo.phone.calls == ["sessionReachabilityDidChange"])
        #expect(duo.watch.calls == ["sessionReachabilityDidChange"])
    }

    @Test func `a silent link is knownFacts after three seconds`() throws {
        let duo = try Duo()
        duo.pair.link.silence()
        duo.pair.advance(by: .seconds(1))
        #expect(duo.pair.phone.isReachable)
        duo.pair.advance(by: .seconds(4))
        #expect(!duo.pair.phone.isReachable && !duo.pair.watch.isReachable)
    }

    @Test func `a message from the watch starts the phone's app and reaches it`() throws {
        // R39, R46
        let duo = try Duo()
        duo.relaunchAlike()
        duo.phone.answer = { _ in ["ok": true] }
        duo.pair.phoneDevice.app = .notRunning
        duo.pair.settle()
        let outcome = duo.pair.watch.ask(["n": 1])
        duo.pair.settle()
        #expect(numbers(duo.phone.messages) == [1])
        #expect(outcome.replies.count == 1)
        #expect(duo.pair.phoneDevice.app == .background)
    }

    @Test func `an app that does not activate at its launch loses the message`() throws {
        // R46
        let duo = try Duo()
        duo.pair.phoneDevice.app = .notRunning
        duo.pair.settle()
        let outcome = duo.pair.watch.ask(["n": 1])
        duo.pair.advance(by: .seconds(60))
        #expect(outcome.count == 1 && outcome.replies.isEmpty)
    }

    @Test func `a message from the phone never starts the watch's app`() throws {
        // R40, R57
        let duo = try Duo()
        duo.relaunchAlike()
        for state in [SessionDevice.AppState.notRunning, .suspended, .background] {
            duo.pair.watchDevice.app = state
            duo.pair.settle()
            let outcome = duo.pair.phone.ask(["n": 1])
            duo.pair.settle()
            #expect(outcome.codes == [.notReachable], "\(state)")
            #expect(duo.pair.watchDevice.app == state)
        }
        #expect(duo.watch.messages.isEmpty)
    }

    @Test func `a phone that was not unlocked since its start is not reachable, and the watch knows why`() throws {
        // R41
        let duo = try Duo()
        duo.pair.phoneDevice.isLocked = true
        duo.pair.settle()
        #expect(!duo.pair.watch.isReachable)
        #expect(duo.pair.watch.iOSDeviceNeedsUnlockAfterRebootForReachability)
        duo.pair.phoneDevice.isLocked = false
        duo.pair.settle()
        #expect(duo.pair.watch.isReachable)
        #expect(!duo.pair.watch.iOSDeviceNeedsUnlockAfterRebootForReachability)
    }

    @Test func `the phone is told what changes about its watch`() throws {
        // R29, R30, R31, R32
        let duo = try Duo()
        let directory = try #require(duo.pair.phone.watchDirectoryURL)
        duo.pair.watchDevice.isAppInstalled = false
        duo.pair.settle()
        #expect(!duo.pair.phone.isWatchAppInstalled && duo.pair.phone.watchDirectoryURL == nil)
        #expect(duo.phone.calls.contains("sessionWatchStateDidChange"))
        duo.pair.watchDevice.isAppInstalled = true
        duo.pair.settle()
        #expect(duo.pair.phone.isWatchAppInstalled && duo.pair.phone.watchDirectoryURL == directory)
        duo.phone.clear()
        duo.pair.watchDevice.isComplicationEnabled = true
        duo.pair.settle()
        #expect(duo.pair.phone.isComplicationEnabled)
        #expect(duo.phone.calls == ["sessionWatchStateDidChange"])
        duo.watch.clear()
        duo.pair.watchDevice.app = .foreground
        duo.pair.watch.delegate = duo.watch
        duo.pair.watch.activate()
        duo.pair.phoneDevice.isAppInstalled = false
        duo.pair.settle()
        #expect(!duo.pair.watch.isCompanionAppInstalled)
        #expect(duo.watch.calls.contains("sessionCompanionAppInstalledDidChange"))
    }

    @Test func `a watch that is paired anew has no app until it is installed`() throws {
        // R31
        let duo = try Duo()
        duo.pair.watchDevice.unpair()
        duo.pair.settle()
        #expect(!duo.pair.phone.isPaired)
        duo.pair.watchDevice.pair(installsApp: false)
        duo.pair.settle()
        #expect(duo.pair.phone.isPaired && !duo.pair.phone.isWatchAppInstalled)
        #expect(duo.pair.phone.watchDirectoryURL == nil)
        duo.pair.watchDevice.isAppInstalled = true
        duo.pair.settle()
        #expect(duo.pair.phone.isWatchAppInstalled && duo.pair.phone.watchDirectoryURL != nil)
    }
}

import SyncCore
import Testing

@testable import WatchConnectivity

/// What the devices know of each other: pairing, installing, reachability.
@Suite struct PeerStatusTests {
    @Test func `activation needs no counterpart and comes in its callback`() {
        // Rules R8, R9, R12, R15.
        let link = TestLink()
        link.phone.feed(.appState(.foreground))
        #expect(link.phone.view.activationState == .notActivated)
        var seen: [WCSessionActivationState] = []
        link.phone.takes = { _ in
            seen.append(link.phone.view.activationState)
            return .handled
        }
        link.phone.feed(.activate(hasDelegate: true))
        link.phone.feed(.activate(hasDelegate: true))
        #expect(link.phone.claim() == Array(repeating: .activationDidComplete(.activated, nil), count: 2))
        #expect(seen == [.activated, .activated])
    }

    @Test func `activation without a delegate does nothing but a note`() {
        // Rule R13.
        let link = TestLink()
        link.phone.feed(.appState(.foreground))
        link.phone.feed(.activate(hasDelegate: false))
        #expect(link.phone.claim().isEmpty)
        #expect(link.phone.warnings.count == 1)
    }

    @Test func `pairing and installing change what the phone sees, and its directory`() {
        // Rules R29, R31, R32.
        let link = TestLink()
        for device in link.devices {
            device.feed(.appState(.foreground))
            device.feed(.activate(hasDelegate: true))
        }
        _ = link.phone.claim()
        link.phone.feed(.paired(true))
        link.watch.feed(.paired(true))
        #expect(link.phone.view.isPaired)
        #expect(!link.phone.view.isWatchAppInstalled)
        #expect(!link.phone.view.hasWatchDirectory)
        #expect(link.phone.claim() == [.watchStateDidChange])
        link.open()
        #expect(link.phone.view.isWatchAppInstalled)
        #expect(link.phone.view.hasWatchDirectory)
        #expect(link.phone.directories == [true])
        #expect(link.phone.claim() == [.watchStateDidChange, .reachabilityDidChange])
        #expect(link.watch.claim().contains(.companionAppInstalledDidChange))
        link.watch.feed(.installed(false))
        link.settle()
        #expect(!link.phone.view.hasWatchDirectory)
        #expect(link.phone.directories == [true, false])
        link.watch.feed(.installed(true))
        link.settle()
        #expect(link.phone.directories == [true, false, true])
        link.watch.feed(.complication(isEnabled: true))
        link.settle()
        #expect(link.phone.view.isComplicationEnabled)
        #expect(link.phone.claim().last == .watchStateDidChange)
    }

    @Test func `what the counterpart told is known while apart and after a restart`() {
        // Rules R17, R31.
        let link = TestLink.active()
        link.watch.feed(.complication(isEnabled: true))
        link.settle()
        link.restart(link.phone)
        #expect(!link.phone.view.isPaired)
        link.phone.feed(.appState(.foreground))
        link.phone.feed(.activate(hasDelegate: true))
        #expect(link.phone.view.isPaired)
        #expect(link.phone.view.isWatchAppInstalled)
        #expect(link.phone.view.isComplicationEnabled)
        #expect(!link.phone.view.isReachable)
        #expect(link.phone.directories == [true])
    }

    @Test func `reachability is asymmetric`() {
        // Rules R35, R36, R38, R43.
        let link = TestLink.active()
        #expect(link.phone.view.isReachable)
        #expect(link.watch.view.isReachable)
        link.phone.feed(.appState(.notRunning))
        link.settle()
        #expect(link.watch.view.isReachable)
        #expect(link.watch.claim().isEmpty)
        link.phone.feed(.appState(.background))
        link.phone.feed(.activate(hasDelegate: true))
        _ = link.phone.claim()
        link.watch.feed(.appState(.background))
        link.settle()
        #expect(!link.phone.view.isReachable)
        #expect(!link.watch.view.isReachable)
        #expect(link.phone.claim() == [.reachabilityDidChange])
        #expect(link.watch.claim() == [.reachabilityDidChange])
        link.watch.feed(.appState(.foreground))
        link.settle()
        #expect(link.phone.view.isReachable)
        link.close()
        #expect(!link.phone.view.isReachable)
        #expect(!link.watch.view.isReachable)
    }

    @Test func `a status of an earlier version counts as that of an activated session`() throws {
        // Rule R35.
        var status = DeviceStatus()
        (status.appState, status.isActivated) = (.foreground, false)
        let bytes = Envelope.status(status).encoded
        #expect(Envelope(bytes) == .status(status))
        status.isActivated = true
        #expect(Envelope(bytes.dropLast() + [1]) == .status(status))
        #expect(Envelope.status(status).encoded == bytes.dropLast() + [1])
    }

    @Test func `that a session was activated is not remembered of an earlier link`() {
        // Rule R35.
        let link = TestLink.active()
        link.close()
        link.watch.feed(.appState(.notRunning))
        link.watch.feed(.appState(.foreground))
        link.open()
        #expect(!link.phone.view.isReachable)
        link.watch.feed(.activate(hasDelegate: true))
        link.settle()
        #expect(link.phone.view.isReachable)
    }

    @Test func `a phone that was not unlocked is not reachable, and the watch knows why`() {
        // Rule R41.
        let link = TestLink.active()
        link.phone.feed(.locked(true))
        link.settle()
        #expect(!link.watch.view.isReachable)
        #expect(link.watch.view.iOSDeviceNeedsUnlockAfterRebootForReachability)
        link.phone.feed(.locked(false))
        link.settle()
        #expect(link.watch.view.isReachable)
        #expect(!link.watch.view.iOSDeviceNeedsUnlockAfterRebootForReachability)
    }

    @Test func `quick changes are told once if the app is busy`() {
        // Rule R44.
        let link = TestLink.active()
        link.phone.takes = { _ in nil }
        for state in [PeerState.AppState.background, .foreground, .background] {
            link.watch.feed(.appState(state))
            link.settle()
        }
        link.phone.takes = { _ in .handled }
        link.phone.finishCall()
        #expect(link.phone.claim() == [.reachabilityDidChange, .reachabilityDidChange])
    }

    @Test func `phantom reachability claims what is not there`() {
        // Rule R45.
        var behaviour = SessionBehaviour()
        behaviour.claimsReachability = true
        let link = TestLink.active(behaviour)
        link.watch.feed(.appState(.suspended))
        link.settle()
        #expect(link.phone.view.isReachable)
    }

    @Test func `the status is repeated until it is confirmed`() {
        let link = TestLink.active()
        link.phone.isDiskFull = true
        link.watch.feed(.complication(isEnabled: true))
        link.settle()
        link.advance(.seconds(3))
        link.phone.isDiskFull = false
        link.restart(link.phone)
        link.phone.feed(.appState(.foreground))
        link.phone.feed(.activate(hasDelegate: true))
        #expect(!link.phone.view.isComplicationEnabled)
        link.open()
        #expect(link.phone.view.isComplicationEnabled)
    }

    @Test func `a status that could not be stored comes again by itself`() {
        let link = TestLink.active()
        link.phone.isDiskFull = true
        link.watch.feed(.complication(isEnabled: true))
        link.settle()
        link.phone.isDiskFull = false
        link.advance(.seconds(20))
        link.restart(link.phone)
        link.phone.feed(.appState(.foreground))
        link.phone.feed(.activate(hasDelegate: true))
        #expect(link.phone.view.isComplicationEnabled)
    }

    @Test func `before activation the app sees next to nothing`() {
        // Rules R7, R17.
        let link = TestLink.active()
        link.phone.set([1])
        link.phone.feed(.appState(.notRunning))
        link.phone.feed(.appState(.foreground))
        var nothing = SessionView()
        nothing.endedProcessCount = 1
        #expect(link.phone.view == nothing)
        link.phone.feed(.activate(hasDelegate: true))
        #expect(link.phone.view.applicationContext == [1])
    }
}

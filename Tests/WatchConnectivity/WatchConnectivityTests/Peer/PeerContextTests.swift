import SyncCore
import Testing

@testable import WatchConnectivity

/// Application contexts.
@Suite struct PeerContextTests {
    @Test func `each update reaches an app that runs, in order, with the property first`() {
        // Rules R73, R75, R76, R77.
        let link = TestLink.active()
        var seen: [[UInt8]?] = []
        link.watch.takes = { _ in
            seen.append(link.watch.view.receivedApplicationContext)
            return .handled
        }
        for number in 1...11 { link.phone.set([UInt8(number)]) }
        link.settle()
        #expect(link.watch.claim() == (1...11).map { .context([UInt8($0)]) })
        #expect(seen == (1...11).map { [UInt8($0)] })
        #expect(link.phone.view.applicationContext == [11])
        #expect(link.phone.view.receivedApplicationContext == nil)
        #expect(link.phone.answers == Array(repeating: nil, count: 11))
    }

    @Test func `while the app is busy the newest sixteen wait, and the last one is the newest of all`() {
        // Rules R72, R73, R77, R141.
        let link = TestLink.active()
        link.watch.takes = { _ in nil }
        for number in 1...40 {
            link.phone.set([UInt8(number)])
            link.settle()
        }
        // All are confirmed, and the one that the app is being called with stays what it sees.
        #expect(link.watch.claim() == [.context([1])])
        #expect(link.watch.view.receivedApplicationContext == [1])
        #expect(link.watch.peerState.contexts.waitingCount == 17)
        #expect(link.watch.warnings.count == 23)
        link.watch.takes = { _ in .handled }
        link.watch.finishCall()
        #expect(link.watch.claim() == (25...40).map { .context([UInt8($0)]) })
        #expect(link.watch.view.receivedApplicationContext == [40])
        #expect(!link.watch.view.hasContentPending)
        // The next process gets none of them again.
        link.restart(link.watch)
        link.watch.feed(.appState(.foreground))
        link.watch.feed(.activate(hasDelegate: true))
        #expect(link.watch.claimContent() == [.activationDidComplete(.activated, nil)])
        #expect(link.watch.view.receivedApplicationContext == [40])
    }

    @Test func `after a break only the newest arrives`() {
        // Rules R72, R74.
        let link = TestLink.active()
        link.close()
        _ = link.watch.claim()
        for number in 1...5 { link.phone.set([UInt8(number)]) }
        link.open()
        #expect(link.watch.claimContent() == [.context([5])])
    }

    @Test func `an equal context is dropped with a note`() {
        // Rules R81, R84; P8.
        let link = TestLink.active()
        link.phone.set([1])
        link.phone.set([1])
        link.settle()
        #expect(link.watch.claim() == [.context([1])])
        #expect(link.phone.answers == [nil, nil])
        #expect(link.phone.warnings.count == 1)
    }

    @Test func `an empty context is legal`() {
        // Rules R82, R145.
        let link = TestLink.active()
        link.phone.set([])
        link.settle()
        #expect(link.watch.claim() == [.context([])])
    }

    @Test func `an update that is refused changes nothing`() {
        // Rules R83, R84, R147, R149.
        let link = TestLink.active()
        link.phone.set([1])
        link.phone.feed(.updateContext(.unsupported(keyPath: "a", type: "URL"), hasDelegate: true))
        link.phone.set(Array(repeating: 0, count: 262_145))
        link.phone.feed(.updateContext(.bytes([2]), hasDelegate: false))
        #expect(
            link.phone.answers == [nil, .payloadUnsupportedTypes, .payloadTooLarge, .sessionMissingDelegate])
        #expect(link.phone.view.applicationContext == [1])
        link.phone.isDiskFull = true
        link.phone.set([3])
        #expect(link.phone.answers.last == .genericError)
        #expect(link.phone.view.applicationContext == [1])
        link.phone.isDiskFull = false
        link.phone.set([3])
        link.settle()
        #expect(link.watch.claim() == [.context([1]), .context([3])])
    }

    @Test func `a context of the full size arrives`() {
        // Rule R147.
        let link = TestLink.active()
        let full = [UInt8](repeating: 7, count: 262_144)
        link.phone.set(full)
        link.settle()
        let isWhole = link.watch.claim() == [.context(full)]
        #expect(isWhole)
    }

    @Test func `the phone's context wakes the watch app, the watch's waits for the phone app`() {
        // Rules R78, R87, R88, R134.
        let link = TestLink.active()
        for device in link.devices { device.feed(.appState(.notRunning)) }
        link.settle()
        link.phone.feed(.appState(.foreground))
        link.phone.feed(.activate(hasDelegate: true))
        link.phone.set([1])
        link.phone.set([2])
        link.settle()
        #expect(link.watch.launches == [.context, .context])
        link.watch.feed(.appState(.background))
        #expect(link.watch.claim() == [.backgroundTask])
        link.watch.feed(.activate(hasDelegate: true))
        #expect(link.watch.claim() == [.activationDidComplete(.activated, nil), .context([2])])
        link.phone.feed(.appState(.notRunning))
        link.watch.set([3])
        link.settle()
        #expect(link.phone.launches.isEmpty)
    }

    @Test func `contexts outlive both devices' processes`() {
        // Rules R18, R72, R80.
        let link = TestLink.active()
        link.phone.set([1])
        link.settle()
        link.close()
        link.phone.set([2])
        for device in link.devices {
            link.restart(device)
            device.feed(.appState(.foreground))
            device.feed(.activate(hasDelegate: true))
        }
        #expect(link.phone.view.applicationContext == [2])
        #expect(link.watch.view.receivedApplicationContext == [1])
        _ = link.watch.claim()
        link.open()
        #expect(link.watch.claimContent() == [.context([2])])
    }

    @Test func `a context is delivered once, whatever is repeated on the way`() {
        let link = TestLink.active()
        link.phone.set([1])
        link.settle()
        // The confirmation is lost with the phone's memory of it.
        link.phone.stored["context.acknowledged"] = nil
        link.restart(link.phone)
        link.open()
        #expect(link.watch.claimContent() == [.context([1])])
    }

    @Test func `a context that was confirmed is not sent again by the next process`() {
        // Rule R80.
        let link = TestLink.active()
        link.phone.set([1])
        link.settle()
        link.restart(link.phone)
        link.watch.trace = []
        link.open()
        #expect(!link.watch.trace.contains { if case .link(let text) = $0 { text.contains("context") } else { false } })
    }

    @Test func `a context is confirmed only when it is durable`() {
        // Rule R94.
        let link = TestLink.active()
        link.watch.isDiskFull = true
        link.phone.set([1])
        link.settle()
        #expect(link.watch.claim().isEmpty)
        link.watch.isDiskFull = false
        link.advance(.seconds(2))
        #expect(link.watch.claim() == [.context([1])])
    }

    @Test func `a device that lost its store is not taken for the old one`() {
        let link = TestLink.active()
        for number in 1...3 { link.phone.set([UInt8(number)]) }
        link.settle()
        _ = link.watch.claim()
        link.phone.stored = link.phone.stored.filter { !$0.key.hasPrefix("context.") }
        link.restart(link.phone)
        link.phone.feed(.appState(.foreground))
        link.phone.feed(.activate(hasDelegate: true))
        link.open()
        link.phone.set([9])
        link.settle()
        #expect(link.watch.claimContent() == [.context([9])])
    }

    @Test func `a delegate without the method loses the context but not the property`() {
        let link = TestLink.active()
        link.watch.takes = { _ in .lacksMethod("session(_:didReceiveApplicationContext:)") }
        link.phone.set([1])
        link.settle()
        #expect(link.watch.view.receivedApplicationContext == [1])
        #expect(!link.watch.view.hasContentPending)
        #expect(link.watch.warnings.contains { $0.contains("session(_:didReceiveApplicationContext:)") })
    }

    @Test func `a context is delivered again on waking where that is asked for`() {
        // Rule R86.
        var behaviour = SessionBehaviour()
        behaviour.replaysContexts = true
        let link = TestLink.active(behaviour)
        link.phone.set([1])
        link.settle()
        link.watch.feed(.appState(.suspended))
        link.watch.feed(.appState(.foreground))
        link.settle()
        #expect(link.watch.claimContent() == [.context([1]), .context([1])])
    }

    @Test func `the context that waited for the launch comes twice where that is asked for`() {
        // Rule R79.
        var behaviour = SessionBehaviour()
        behaviour.deliversLaunchContextTwice = true
        let link = TestLink.active(behaviour)
        link.watch.feed(.appState(.notRunning))
        link.phone.set([1])
        link.settle()
        link.watch.feed(.appState(.foreground))
        link.watch.feed(.activate(hasDelegate: true))
        #expect(
            link.watch.claim() == [.activationDidComplete(.activated, nil), .context([1]), .context([1])])
        #expect(!link.watch.view.hasContentPending)
    }
}

import SyncCore
import Testing

@testable import WatchConnectivity

/// The order of calls, watch switching, and what ends a pairing.
@Suite struct PeerLifeTests {
    /// A phone whose app does not run, and for which one thing of each kind waits.
    private func loaded(_ behaviour: SessionBehaviour = SessionBehaviour()) -> TestLink {
        let link = TestLink.active(behaviour)
        link.phone.takes = { _ in nil }
        link.phone.transfer(RandomID(high: 0, low: 1), [8])
        link.settle()
        link.phone.feed(.appState(.notRunning))
        link.phone.takes = { _ in .handled }
        link.watch.paths["/f"] = [1]
        link.watch.transferFile(link.id(), "/f")
        link.watch.transfer(link.id(), [2])
        link.watch.transfer(link.id(), [3])
        link.watch.set([4])
        link.settle()
        _ = link.phone.claim()
        return link
    }

    private func kinds(_ calls: [PeerState.Call]) -> [String] {
        calls.map { call in
            switch call {
            case .activationDidComplete: "activation"
            case .context: "context"
            case .userInfo: "user info"
            case .file: "file"
            case .didFinishUserInfo: "result"
            default: call.words
            }
        }
    }

    @Test func `what waited comes after the activation, by kinds`() {
        // Rules R14, R18, R140.
        let link = loaded()
        link.phone.feed(.appState(.foreground))
        #expect(link.phone.claim().isEmpty)
        link.phone.feed(.activate(hasDelegate: true))
        #expect(
            kinds(link.phone.claim()) == ["activation", "context", "user info", "user info", "file", "result"])
    }

    @Test func `the order of the kinds is shuffled where that is asked for, and the same for the same seed`() {
        // Rule R140.
        func order(_ seed: UInt64) -> [String] {
            var behaviour = SessionBehaviour()
            behaviour.drainOrderSeed = seed
            let link = loaded(behaviour)
            link.phone.feed(.appState(.foreground))
            link.phone.feed(.activate(hasDelegate: true))
            return kinds(link.phone.claim())
        }
        let orders = (1...8).map { order(UInt64($0)) }
        #expect(Set(orders).count > 2)
        #expect(orders.allSatisfy { $0.first == "activation" && $0.count == 6 })
        #expect(order(3) == orders[2])
    }

    @Test func `calls come one at a time, and nothing comes to a suspended app`() {
        // Rules R137, R141.
        let link = TestLink.active()
        link.phone.takes = { _ in nil }
        link.watch.transfer(link.id(), [1])
        link.watch.transfer(link.id(), [2])
        link.settle()
        #expect(link.phone.claim() == [.userInfo([1])])
        link.phone.feed(.appState(.suspended))
        link.phone.finishCall()
        #expect(link.phone.claim().isEmpty)
        link.phone.feed(.appState(.background))
        #expect(link.phone.claim() == [.userInfo([2])])
    }

    @Test func `messages pass what waits in the background`() {
        // Rule R139.
        let link = TestLink.active()
        link.phone.takes = { _ in nil }
        for number in 1...3 { link.watch.transfer(link.id(), [UInt8(number)]) }
        link.watch.send(1, [9])
        link.settle()
        link.phone.takes = { _ in .handled }
        link.phone.finishCall()
        #expect(
            link.phone.claim() == [.userInfo([1]), .message([9], isData: false), .userInfo([2]), .userInfo([3])])
    }

    @Test func `a watch switch goes its way in order`() {
        // Rules R22, R23, R24, R25, R26.
        let link = TestLink.active()
        link.phone.takes = { _ in nil }
        link.watch.transfer(link.id(), [1])
        link.watch.transfer(link.id(), [2])
        link.phone.send(1, [1], wantsReply: true)
        link.settle()
        link.phone.feed(.leave)
        #expect(link.phone.view.activationState == .inactive)
        #expect(link.phone.view.hasWatchDirectory)
        link.phone.set([1])
        #expect(link.phone.answers == [.sessionInactive])
        link.watch.transfer(link.id(), [3])
        link.settle()
        var states: [WCSessionActivationState] = []
        link.phone.takes = { _ in
            states.append(link.phone.view.activationState)
            return .handled
        }
        link.phone.finishCall()
        #expect(
            link.phone.claim() == [
                .userInfo([1]), .errorHandler(token(1), .sessionInactive, comesAgain: false), .didBecomeInactive,
                .userInfo([2]), .didDeactivate,
            ])
        #expect(states == [.inactive, .inactive, .inactive, .notActivated])
        // Rule R21: the watch's own session stays active.
        #expect(link.watch.view.activationState == .activated)
        link.phone.feed(.activate(hasDelegate: true))
        #expect(link.phone.claim() == [.activationDidComplete(.activated, nil), .userInfo([3])])
    }

    @Test func `an activation during a switch says inactive`() {
        // Rule R11.
        let link = TestLink.active()
        link.phone.takes = { _ in nil }
        link.phone.feed(.leave)
        link.phone.feed(.activate(hasDelegate: true))
        link.phone.takes = { _ in .handled }
        link.phone.finishCall()
        #expect(
            link.phone.claim() == [.didBecomeInactive, .activationDidComplete(.inactive, nil), .didDeactivate])
    }

    @Test func `unpairing ends what was queued and forgets the contexts`() {
        // Rules R27, R32, R157.
        let link = TestLink.active()
        link.phone.set([1])
        link.settle()
        link.close()
        _ = link.phone.claim()
        let id = link.id()
        link.phone.transfer(id, [1])
        link.phone.paths["/f"] = [1]
        link.phone.transferFile(link.id(), "/f")
        link.phone.feed(.paired(false))
        let codes = link.phone.claim().compactMap { call -> WCError.Code? in
            switch call {
            case .didFinishUserInfo(_, let code), .didFinishFile(_, let code): code
            default: nil
            }
        }
        #expect(codes == [.deviceNotPaired, .deviceNotPaired])
        #expect(link.phone.view.applicationContext == nil)
        #expect(!link.phone.view.isPaired)
        #expect(link.phone.directories == [true, false])
        #expect(link.phone.folder.copies.isEmpty)
        #expect(Set(link.phone.stored.keys).subtracting(["device.own"]).allSatisfy { $0.hasPrefix("filetaken.") })
        link.phone.set([2])
        #expect(link.phone.answers.last == .deviceNotPaired)
    }

    @Test func `an app that is removed takes all with it, and the other side's queue fails`() {
        // Rules R100, R157.
        let link = TestLink.active()
        link.phone.set([1])
        link.settle()
        link.watch.feed(.appState(.notRunning))
        _ = link.watch.claim()
        link.phone.transfer(link.id(), [1])
        link.settle()
        link.close()
        let id = link.id()
        link.phone.transfer(id, [2])
        link.watch.feed(.installed(false))
        _ = link.phone.claim()
        link.open()
        // It may have arrived before the phone knew; it has one end in either case.
        let ends = link.phone.claim().filter { call in
            if case .didFinishUserInfo(let info, _) = call { info.id == id } else { false }
        }
        #expect(ends.count == 1)
        link.phone.transfer(link.id(), [3])
        #expect(
            link.phone.claim().contains { call in
                if case .didFinishUserInfo(_, .watchAppNotInstalled) = call { true } else { false }
            })
        link.watch.feed(.installed(true))
        link.settle()
        link.watch.feed(.appState(.foreground))
        link.watch.feed(.activate(hasDelegate: true))
        // The new app has nothing of the old one's content, and nothing that was set or queued for it.
        #expect(link.watch.claim() == [.activationDidComplete(.activated, nil)])
        #expect(link.phone.view.applicationContext == nil)
    }

    @Test func `garbage on the link is declined and changes nothing`() {
        for bytes: [UInt8] in [[], [0], [1], [2, 1, 2], [3, 0], [5, 1], [9, 9, 9], [1, 9, 0]] {
            #expect(Envelope(bytes) == nil)
        }
        for envelope: Envelope in [
            .status(DeviceStatus()), .context(.init(incarnation: .init(high: 1, low: 2), number: 3), [4]),
            .live(isData: true, timeoutMilliseconds: 5, []), .drop(.init(high: 6, low: 7)),
        ] {
            #expect(Envelope(envelope.encoded) == envelope)
        }
        let link = TestLink.active()
        link.watch.sendPastCompanion([77])
        link.settle()
        #expect(link.phone.claim().isEmpty)
        #expect(link.phone.warnings.count == 1)
    }

    @Test func `a store of garbage is an empty one`() {
        let keys = [
            "device.own", "device.counterpart", "context.own", "context.received", "context.incarnation",
            "context.given", "context.acknowledged", "info.0000000000000001", "infomark.0000000000000001",
            "info.current", "file.0000000000000002", "filemark.0000000000000002", "filetaken.0000000000000000",
            "drop.0000000000000000", "complication.budget", "other",
        ]
        for bytes: [UInt8] in [[], [1], Array(repeating: 255, count: 40)] {
            let stored = Dictionary(uniqueKeysWithValues: keys.map { ($0, bytes) })
            var peerState = PeerState(
                configuration: .init(role: .phone), stored: stored, storedTransfers: .init(), seed: 1)
            while peerState.nextOutput() != nil {}
            #expect(peerState.view.activationState == .notActivated)
        }
    }
}

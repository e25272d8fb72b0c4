import SyncCore
import Testing

@testable import WatchConnectivity

/// User info, and complication user info.
@Suite struct PeerUserInfoTests {
    private func given(_ bytes: [UInt8]) -> PeerState.Call { .userInfo(bytes) }

    private func finished(_ id: RandomID, _ bytes: [UInt8], _ code: WCError.Code? = nil) -> PeerState.Call {
        .didFinishUserInfo(.init(id: id, payload: bytes, isCurrentComplicationInfo: false), code)
    }

    /// What the app of a device is called with when it is started again.
    private func relaunch(_ device: TestDevice) -> [PeerState.Call] {
        device.feed(.appState(.foreground))
        device.feed(.activate(hasDelegate: true))
        return device.claimContent()
    }

    @Test func `user info arrives in order, each one once, and its sender learns it`() {
        // Rules R89, R91, R92, R93, R96.
        let link = TestLink.active()
        let ids = (0..<600).map { _ in link.id() }
        for (number, id) in ids.enumerated() { link.watch.transfer(id, [UInt8(number % 251)]) }
        #expect(link.watch.peerState.outstandingUserInfo.map(\.id) == ids)
        link.settle()
        link.advance(.seconds(5))
        #expect(link.phone.claim() == (0..<600).map { given([UInt8($0 % 251)]) })
        #expect(link.watch.claim() == (0..<600).map { finished(ids[$0], [UInt8($0 % 251)]) })
        #expect(link.watch.peerState.outstandingUserInfo.isEmpty)
        #expect(link.watch.stored.keys.filter { $0.hasPrefix("info") }.isEmpty)
    }

    @Test func `what the app has had is not given again by a driver that did not hear so in time`() {
        // Rule R158: the app was called while its link was exchanged for another one.
        let link = TestLink.active()
        let item = ReceivedItem(id: link.id(), payload: [7], isUrgent: false)
        for calls in [[given([7])], []] {
            link.phone.feed(.engineEvent(.exchange(.itemReceived(item))))
            link.settle()
            #expect(link.phone.claim() == calls)
        }
    }

    @Test func `what a start finds in the engine is not sent again after the next crash`() {
        // Rules R89, R93: the first crash came before the store had noted that the engine took it.
        let link = TestLink.active()
        link.phone.transfer(link.id(), [7])
        link.close()
        for key in link.phone.stored.keys where key.hasPrefix("infomark") { link.phone.stored[key] = nil }
        link.restart(link.phone)
        link.open()
        link.rest()
        #expect(link.watch.claimContent() == [given([7])])
        // Its app was not told yet.
        for device in link.devices { link.restart(device) }
        link.open()
        link.rest()
        #expect(link.phone.exchangeState.outboxes[.ordinary].last == 1)
        #expect(relaunch(link.watch) == [.activationDidComplete(.activated, nil)])
        #expect(relaunch(link.phone).count { if case .didFinishUserInfo(_, nil) = $0 { true } else { false } } == 1)
    }

    @Test func `more user info than the engine takes waits without a sign`() {
        // Rules R89, R99.
        let link = TestLink.active()
        link.close()
        let ids = (0..<1500).map { _ in link.id() }
        for (number, id) in ids.enumerated() {
            link.watch.transfer(id, [UInt8](repeating: UInt8(number % 251), count: 5000))
        }
        #expect(link.watch.peerState.outstandingUserInfo.count == 1500)
        link.restart(link.watch)
        link.open()
        link.advance(.seconds(30))
        let arrived = link.phone.claim().compactMap { call -> UInt8? in
            if case .userInfo(let bytes) = call { bytes.first } else { nil }
        }
        #expect(arrived == (0..<1500).map { UInt8($0 % 251) })
        #expect(relaunch(link.watch).count == 1501)
    }

    @Test func `success means that the other device has it, its app may see it much later`() {
        // Rules R90, R94, R106, R132, R133.
        let link = TestLink.active()
        let id = link.id()
        link.phone.feed(.appState(.notRunning))
        link.watch.transfer(id, [1])
        link.rest()
        #expect(link.watch.claim() == [finished(id, [1])])
        #expect(link.phone.launches.isEmpty)
        link.restart(link.phone)
        var pending: [Bool] = []
        link.phone.takes = { _ in
            pending.append(link.phone.view.hasContentPending)
            return .handled
        }
        #expect(relaunch(link.phone) == [.activationDidComplete(.activated, nil), given([1])])
        #expect(pending == [true, true])
        #expect(!link.phone.view.hasContentPending)
    }

    @Test func `user info outlives the sender's app, device and link`() {
        // Rules R90, R93, R95.
        let link = TestLink.active()
        link.close()
        let ids = [link.id(), link.id()]
        link.phone.transfer(ids[0], [1])
        link.phone.transfer(ids[1], [2])
        link.phone.feed(.appState(.notRunning))
        link.restart(link.phone)
        _ = relaunch(link.phone)
        #expect(link.phone.peerState.outstandingUserInfo.map(\.id) == ids)
        link.phone.feed(.appState(.notRunning))
        link.open()
        link.rest()
        link.restart(link.phone)
        #expect(
            relaunch(link.phone) == [
                .activationDidComplete(.activated, nil), finished(ids[0], [1]), finished(ids[1], [2]),
            ])
        link.restart(link.phone)
        #expect(relaunch(link.phone) == [.activationDidComplete(.activated, nil)])
    }

    @Test func `what was delivered while the sender's process was gone is a success at its next start`() {
        // Rule R93: the crash comes after the engine has accepted, and the engine ends the transfer alone.
        let link = TestLink.active()
        let id = link.id()
        link.watch.transfer(id, [1])
        // The receiver has it, the acknowledgement is on its way.
        let stored = link.watch.stored
        link.rest()
        link.watch.stored = stored
        link.restart(link.watch)
        _ = link.watch.claim()
        #expect(relaunch(link.watch) == [.activationDidComplete(.activated, nil), finished(id, [1])])
    }

    @Test func `a crash before the engine was asked repeats nothing and loses nothing`() {
        // Rules R89, R90.
        let link = TestLink.active()
        link.close()
        let id = link.id()
        let empty = link.watch.stored
        link.watch.transfer(id, [1])
        // The engine has it, and its acceptance was not stored.
        for key in link.watch.stored.keys where key.hasPrefix("infomark") { link.watch.stored[key] = nil }
        link.restart(link.watch)
        link.open()
        link.rest()
        #expect(link.phone.claimContent() == [given([1])])
        #expect(relaunch(link.watch) == [.activationDidComplete(.activated, nil), finished(id, [1])])
        #expect(Set(link.watch.stored.keys).isSubset(of: Set(empty.keys).union(["device.counterpart"])))
    }

    @Test func `an app that ends while it takes user info gets it again`() {
        // Rule R158; P18.
        let link = TestLink.active()
        link.phone.takes = { _ in nil }
        link.watch.transfer(link.id(), [1])
        link.settle()
        #expect(link.phone.claim() == [given([1])])
        link.phone.feed(.appState(.notRunning))
        link.phone.takes = { _ in .handled }
        #expect(relaunch(link.phone) == [.activationDidComplete(.activated, nil), given([1])])
        link.rest()
        link.restart(link.phone)
        #expect(relaunch(link.phone) == [.activationDidComplete(.activated, nil)])
    }

    @Test func `what is not durable fails`() {
        let link = TestLink.active()
        let id = link.id()
        link.watch.isDiskFull = true
        link.watch.transfer(id, [1])
        link.settle()
        #expect(link.watch.claim() == [finished(id, [1], .genericError)])
        #expect(link.phone.claim().isEmpty)
    }

    @Test func `errors come by didFinish`() {
        // Rules R100, R101, R102, R149, R150.
        let link = TestLink.active()
        let ids = (0..<4).map { _ in link.id() }
        link.watch.feed(
            .transferUserInfo(
                ids[0], .unsupported(keyPath: "a", type: "UUID"), isComplication: false, hasDelegate: true))
        link.watch.transfer(ids[1], Array(repeating: 0, count: 65_537))
        link.phone.feed(.installed(false))
        link.settle()
        link.watch.transfer(ids[2], [1])
        link.watch.feed(.appState(.notRunning))
        link.watch.feed(.appState(.foreground))
        link.watch.transfer(ids[3], [1])
        let codes = link.watch.claim().compactMap { call -> WCError.Code? in
            if case .didFinishUserInfo(_, let code) = call { code } else { nil }
        }
        #expect(
            codes == [
                .payloadUnsupportedTypes, .payloadTooLarge, .companionAppNotInstalled, .sessionNotActivated,
            ])
        #expect(link.watch.peerState.outstandingUserInfo.isEmpty)
    }

    @Test func `cancelled user info that was never sent does not arrive`() {
        // Rules R97, R98.
        let link = TestLink.active()
        link.close()
        let ids = [link.id(), link.id()]
        for id in ids { link.watch.transfer(id, [UInt8(truncatingIfNeeded: id.low)]) }
        link.watch.feed(.cancel(ids[0]))
        #expect(link.watch.peerState.outstandingUserInfo.map(\.id) == [ids[1]])
        link.open()
        link.rest()
        #expect(link.phone.claimContent() == [given([UInt8(truncatingIfNeeded: ids[1].low)])])
        #expect(link.watch.stored.keys.filter { $0.hasPrefix("info") }.isEmpty)
    }

    @Test func `cancelled user info that the other device has does not reach its app`() {
        // Rules R97, R98.
        let link = TestLink.active()
        link.phone.feed(.appState(.suspended))
        let id = link.id()
        link.watch.transfer(id, [1])
        // It is on its way: the engine cannot take it back.
        link.watch.feed(.cancel(id))
        link.settle()
        link.advance(.seconds(2))
        link.phone.feed(.appState(.foreground))
        #expect(link.phone.claim().isEmpty)
        #expect(link.watch.claim().isEmpty)
        #expect(link.watch.stored.keys.filter { $0.hasPrefix("info") }.isEmpty)
        link.restart(link.phone)
        #expect(relaunch(link.phone) == [.activationDidComplete(.activated, nil)])
    }

    @Test func `a cancel that overtakes its user info still holds, over a restart of both`() {
        // Rule R97.
        let link = TestLink.active()
        let id = link.id()
        link.watch.transfer(id, [1])
        link.close()
        link.watch.feed(.cancel(id))
        link.restart(link.watch)
        link.restart(link.phone)
        link.open()
        link.advance(.seconds(3))
        #expect(relaunch(link.phone) == [.activationDidComplete(.activated, nil)])
        #expect(relaunch(link.watch) == [.activationDidComplete(.activated, nil)])
    }

    @Test func `a cancel is reported where that is asked for`() {
        // Rule R98.
        var behaviour = SessionBehaviour()
        behaviour.reportsCancelledTransfers = true
        let link = TestLink.active(behaviour)
        link.close()
        _ = link.watch.claim()
        let id = link.id()
        link.watch.transfer(id, [1])
        link.watch.feed(.cancel(id))
        #expect(link.watch.claim() == [finished(id, [1], .deliveryFailed)])
    }

    @Test func `the phone's user info wakes the watch app with a task`() {
        // Rules R105, R134, R19.
        let link = TestLink.active()
        link.watch.feed(.appState(.suspended))
        link.phone.transfer(link.id(), [1])
        link.settle()
        #expect(link.watch.launches == [.userInfo])
        link.watch.feed(.appState(.background))
        #expect(link.watch.claimContent() == [.backgroundTask, given([1])])
    }

    @Test func `a delegate without the method loses user info and is named`() {
        // Rule R104; P6.
        let link = TestLink.active()
        link.phone.takes = { _ in .lacksMethod("session(_:didReceiveUserInfo:)") }
        link.watch.transfer(link.id(), [1])
        link.settle()
        #expect(!link.phone.view.hasContentPending)
        #expect(link.phone.warnings.contains { $0.contains("session(_:didReceiveUserInfo:)") })
    }

    @Test func `without a delegate user info waits for the next one`() {
        // Rules R4, R5.
        let link = TestLink.active()
        link.phone.takes = { _ in .noDelegate }
        link.watch.transfer(link.id(), [1])
        link.settle()
        #expect(link.phone.view.hasContentPending)
        link.phone.takes = { _ in .handled }
        _ = link.phone.claim()
        link.phone.feed(.delegateSet)
        #expect(link.phone.claim() == [given([1])])
    }
}

import SyncCore
import Testing

@testable import WatchConnectivity

/// Complication user info and its budget.
@Suite struct PeerComplicationTests {
    private func onFace(_ behaviour: SessionBehaviour = SessionBehaviour()) -> TestLink {
        let link = TestLink.active(behaviour)
        link.watch.feed(.complication(isEnabled: true))
        link.settle()
        for device in link.devices { device.calls = [] }
        return link
    }

    @Test func `complication user info passes the ordinary ones and wakes the watch app`() {
        // Rules R109, R110.
        let link = onFace()
        link.watch.feed(.appState(.suspended))
        link.close()
        let ids = (0..<4).map { _ in link.id() }
        for id in ids.prefix(3) { link.phone.transfer(id, [UInt8(ids.firstIndex(of: id) ?? 9)]) }
        link.phone.transfer(ids[3], [3], isComplication: true)
        link.open()
        #expect(link.watch.launches.contains(.complication))
        link.watch.feed(.appState(.background))
        #expect(
            link.watch.claimContent() == [
                .backgroundTask, .userInfo([3]), .userInfo([0]), .userInfo([1]), .userInfo([2]),
            ])
    }

    @Test func `complication user info passes what waits at the other device`() {
        // Rules R109, R110.
        let link = onFace()
        link.watch.feed(.appState(.suspended))
        for number in 0..<2 { link.phone.transfer(link.id(), [UInt8(number)]) }
        link.settle()
        for number in 2..<4 { link.phone.transfer(link.id(), [UInt8(number)], isComplication: true) }
        link.settle()
        link.watch.feed(.appState(.background))
        #expect(
            link.watch.claimContent() == [
                .backgroundTask, .userInfo([2]), .userInfo([3]), .userInfo([0]), .userInfo([1]),
            ])
    }

    /// What the watch's app got as user info, in order.
    private func userInfos(_ link: TestLink) -> [UInt8] {
        link.watch.claimContent().compactMap { if case .userInfo(let bytes) = $0 { bytes.first } else { nil } }
    }

    /// How many transfers the phone's app was told the end of.
    private func endCount(_ link: TestLink) -> Int {
        link.rest()
        return link.phone.claim().count { if case .didFinishUserInfo = $0 { true } else { false } }
    }

    /// Queues user info; the even numbers are complication user info.
    private func transfer(_ numbers: ClosedRange<UInt8>, on link: TestLink) {
        for number in numbers { link.phone.transfer(link.id(), [number], isComplication: number % 2 == 0) }
    }

    private func activateAgain(_ device: TestDevice) {
        device.feed(.appState(.foreground))
        device.feed(.activate(hasDelegate: true))
    }

    @Test func `of several that wait only the newest goes first, the others in the order of the calls`() {
        // Rules R110, R111.
        let link = onFace()
        link.close()
        transfer(2...6, on: link)
        #expect(link.phone.exchangeState.outboxes[.urgent].items.isEmpty)
        link.open()
        #expect(userInfos(link) == [6, 2, 3, 4, 5])
        #expect(endCount(link) == 5)
    }

    @Test func `that is so, too, if the device starts again meanwhile`() {
        // Rules R90, R110, R111.
        let link = onFace()
        link.close()
        transfer(2...4, on: link)
        link.restart(link.phone)
        activateAgain(link.phone)
        transfer(5...6, on: link)
        link.restart(link.phone)
        activateAgain(link.phone)
        #expect(link.phone.peerState.outstandingUserInfo.map(\.isCurrentComplicationInfo).last == true)
        #expect(link.phone.peerState.outstandingUserInfo.count { $0.isCurrentComplicationInfo } == 1)
        link.open()
        #expect(userInfos(link) == [6, 2, 3, 4, 5])
    }

    @Test func `what the engine has, and may have sent, stays first`() {
        // Rules R110, R111.
        let link = onFace()
        transfer(2...2, on: link)
        // The frame is lost with the link.
        link.close()
        transfer(3...4, on: link)
        #expect(link.phone.exchangeState.outboxes[.urgent].items.count == 1)
        link.open()
        #expect(userInfos(link) == [2, 4, 3])
    }

    @Test func `what the engine has, and has not sent, goes behind`() {
        // Rules R110, R111.
        let link = onFace()
        link.close()
        // The companion believes that the link is open; the engine has no session to send in.
        link.phone.feed(.link(isOpen: true))
        transfer(2...3, on: link)
        link.phone.feed(.link(isOpen: false))
        #expect(link.phone.exchangeState.outboxes[.urgent].items.count == 1)
        #expect(link.phone.exchangeState.outboxes[.ordinary].items.count == 1)
        transfer(4...5, on: link)
        link.restart(link.phone)
        activateAgain(link.phone)
        #expect(link.phone.exchangeState.outboxes[.urgent].items.isEmpty)
        link.open()
        #expect(userInfos(link) == [4, 2, 3, 5])
        #expect(endCount(link) == 4)
        #expect(link.phone.peerState.outstandingUserInfo.isEmpty)
    }

    @Test func `what is taken back from the engine may be cancelled, or fail, and does not arrive`() {
        // Rules R97, R111.
        let link = onFace()
        link.close()
        link.phone.feed(.link(isOpen: true))
        let ids = [link.id(), link.id()]
        link.phone.transfer(ids[0], [2], isComplication: true)
        link.phone.feed(.link(isOpen: false))
        link.phone.transfer(ids[1], [4], isComplication: true)
        link.phone.feed(.cancel(ids[0]))
        link.open()
        #expect(userInfos(link) == [4])
        #expect(endCount(link) == 1)
        #expect(link.phone.stored.keys.filter { $0.hasPrefix("info") } == ["info.current"])
    }

    @Test func `a disk that does not take it leaves user info in the engine`() {
        // Rule R111.
        let link = onFace()
        link.close()
        link.phone.feed(.link(isOpen: true))
        link.phone.transfer(link.id(), [2], isComplication: true)
        link.phone.feed(.link(isOpen: false))
        link.phone.isDiskFull = true
        link.phone.transfer(link.id(), [4], isComplication: true)
        #expect(link.phone.exchangeState.outboxes[.urgent].items.count == 1)
        link.phone.isDiskFull = false
        link.restart(link.phone)
        activateAgain(link.phone)
        link.open()
        #expect(userInfos(link) == [2])
    }

    @Test func `only the newest is current`() {
        // Rules R111, R114.
        let link = onFace()
        link.close()
        let ids = [link.id(), link.id()]
        link.phone.transfer(ids[0], [1], isComplication: true)
        #expect(link.phone.peerState.outstandingUserInfo.map(\.isCurrentComplicationInfo) == [true])
        link.phone.transfer(ids[1], [2], isComplication: true)
        #expect(link.phone.peerState.outstandingUserInfo.map(\.isCurrentComplicationInfo) == [false, true])
        link.restart(link.phone)
        link.phone.feed(.appState(.foreground))
        link.phone.feed(.activate(hasDelegate: true))
        #expect(link.phone.peerState.outstandingUserInfo.map(\.isCurrentComplicationInfo) == [false, true])
    }

    @Test func `fifty a day go with priority, then they are ordinary, until local midnight`() throws {
        // Rules R112, R113, R115; P19.
        var behaviour = SessionBehaviour()
        behaviour.complicationTransfersPerDay = 2
        behaviour.secondsFromUTC = 3600
        let link = TestLink(behaviour)
        // 22:00 UTC is 23:00 local.
        for device in link.devices { device.moment.wallMilliseconds = 20_000 * 86_400_000 + 22 * 3_600_000 }
        for device in link.devices {
            device.feed(.paired(true))
            device.feed(.appState(.foreground))
            device.feed(.activate(hasDelegate: true))
        }
        #expect(link.phone.view.remainingComplicationUserInfoTransfers == 0)
        link.watch.feed(.complication(isEnabled: true))
        link.open()
        #expect(link.phone.view.remainingComplicationUserInfoTransfers == 2)
        var isCurrent: [Bool] = []
        for number in 0..<3 {
            let id = link.id()
            link.phone.transfer(id, [UInt8(number)], isComplication: true)
            isCurrent.append(try #require(link.phone.peerState.userInfo(id)).isCurrentComplicationInfo)
        }
        #expect(isCurrent == [true, true, false])
        #expect(link.phone.view.remainingComplicationUserInfoTransfers == 0)
        link.settle()
        link.advance(.seconds(3599))
        #expect(link.phone.view.remainingComplicationUserInfoTransfers == 0)
        link.advance(.seconds(1))
        #expect(link.phone.view.remainingComplicationUserInfoTransfers == 2)
    }

    @Test func `the budget outlives the device's process, and a clock that goes back does not refill it`() {
        // Rule R112.
        let link = onFace()
        link.phone.transfer(link.id(), [1], isComplication: true)
        link.restart(link.phone)
        link.phone.moment.wallMilliseconds -= 86_400_000
        link.phone.feed(.appState(.foreground))
        link.phone.feed(.activate(hasDelegate: true))
        #expect(link.phone.view.remainingComplicationUserInfoTransfers == 49)
        link.phone.moment.wallMilliseconds += 2 * 86_400_000
        link.phone.feed(.timeReached)
        #expect(link.phone.view.remainingComplicationUserInfoTransfers == 50)
    }

    @Test func `a clock that goes back and forth does not refill the budget, and is believed after a day`() {
        // Rule R112.
        var behaviour = SessionBehaviour()
        behaviour.complicationTransfersPerDay = 2
        let link = onFace(behaviour)
        for days: Int64 in [0, -10, 10, -20, 5] {
            link.phone.moment.wallMilliseconds += days * 86_400_000
            link.phone.transfer(link.id(), [1], isComplication: true)
            let left = days == 0 ? 1 : 0
            #expect(link.phone.view.remainingComplicationUserInfoTransfers == left, "after \(days) days")
        }
        link.phone.moment.monotonic = link.phone.moment.monotonic.advanced(by: .seconds(86_400))
        link.phone.feed(.timeReached)
        #expect(link.phone.view.remainingComplicationUserInfoTransfers == 2)
    }

    @Test func `without a face it goes as ordinary user info, or fails where that is asked for`() {
        // Rule R113.
        var behaviour = SessionBehaviour()
        let id = RandomID(high: 1, low: 2)
        let link = TestLink.active(behaviour)
        link.phone.transfer(id, [1], isComplication: true)
        #expect(link.phone.peerState.userInfo(id)?.isCurrentComplicationInfo == false)
        link.settle()
        #expect(link.watch.claim() == [.userInfo([1])])
        behaviour.refusesComplicationWithoutFace = true
        let other = TestLink.active(behaviour)
        other.phone.transfer(id, [1], isComplication: true)
        #expect(
            other.phone.claim() == [
                .didFinishUserInfo(
                    .init(id: id, payload: [1], isCurrentComplicationInfo: false), .deliveryFailed)
            ])
    }
}

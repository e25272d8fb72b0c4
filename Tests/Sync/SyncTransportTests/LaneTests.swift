import SyncCore
import SyncTransport
import TestSupport
import Testing
import ZeroMQ

/// The traffic from watches to the hub, over real sockets.
@Suite struct LaneTests {
    private let hub: TestHub
    private let watch: TestWatch

    init() throws {
        hub = try TestHub()
        watch = try TestWatch()
    }

    private var watchKey: PeerKey { watch.keys.publicKey.peerKey }

    private func stopBoth() async throws {
        try await watch.stop()
        try await hub.stop()
    }

    @Test func `an edit made while the hub was away is shown at once and taken in later`() async throws {
        let endpoint = try await hub.start(with: watch)
        _ = try await hub.transport.transact([CellChange(key: noteKey(1), value: "hub")])
        await watch.waitForNote(1, "hub")
        try await hub.stop()
        await watch.waitForLink(false)

        let answer = try await watch.transport.edit([CellChange(key: noteKey(1), value: "watch")])
        let view = try await watch.transport.view()
        guard case .accepted(let edit) = answer else { return #expect(Bool(false), "\(answer)") }
        #expect(view.cells[noteKey(1)] == VisibleCell(value: "watch", dot: edit.id, isPending: true))

        _ = try await hub.start(at: endpoint.text)
        await watch.events.wait { events in
            events.contains { event in
                guard case .engine(.editsConfirmed(let confirmed)) = event else { return false }
                return confirmed == [ConfirmedEdit(edit: edit, rule: nil)]
            }
        }
        #expect(try await hub.transport.status().cells[noteKey(1)]?.value == "watch")
        #expect(try await watch.transport.view().pendingEdits == [])
        try await stopBoth()
    }

    @Test func `what loses can be put back from the hub`() async throws {
        let endpoint = try await hub.start(with: watch)
        _ = try await hub.transport.transact([CellChange(key: noteKey(1), value: "first")])
        await watch.waitForNote(1, "first")
        try await hub.stop()
        await watch.waitForLink(false)
        _ = try await watch.transport.edit([CellChange(key: noteKey(1), value: "from the watch")])

        // The hub changes the same cell while it listens at an endpoint that the watch does not know.
        _ = try await hub.start()
        _ = try await hub.transport.transact([CellChange(key: noteKey(1), value: "from the hub")])
        try await hub.stop()
        _ = try await hub.start(at: endpoint.text)
        await watch.events.wait { $0.contains(where: \.isConfirmation) }
        let conflict = try present(try await hub.transport.status().conflicts.first)
        #expect(Set([conflict.loser.value, conflict.winner?.value]) == ["from the watch", "from the hub"])

        _ = try await hub.transport.settle(conflict.id, restoring: true)
        await watch.waitForNote(1, conflict.loser.value)
        #expect(try await hub.transport.status().conflicts == [])
        try await stopBoth()
    }

    @Test func `a watch shows why its edits wait, until somebody makes room`() async throws {
        let endpoint = try await hub.start(with: watch)
        try await hub.stop()
        await watch.waitForLink(false)
        let notes = (1...UInt64(Conflict.countMax / 2 + 1)).map { noteKey($0) }
        for note in notes { _ = try await watch.transport.edit([CellChange(key: note, value: "mine")]) }
        #expect(try await watch.transport.view().uploadObstacle == nil)
        // The hub changes the same cells while it listens at an endpoint that the watch does not know.
        _ = try await hub.start()
        _ = try await hub.transport.transact(notes.map { CellChange(key: $0, value: "the hub's") })
        try await hub.stop()

        _ = try await hub.start(at: endpoint.text)
        await hub.events.wait { $0.contains(.conflictsFull(watchKey)) }
        // It is reported with the next context, and by nothing else.
        try await poll("an obstacle") { try await watch.transport.view().uploadObstacle != nil }
        let view = try await watch.transport.view()
        #expect(view.uploadObstacle == .shareFull)
        #expect(view.pendingEdits.map(\.changes.first?.key) == [notes.last])

        let settled = try present(try await hub.transport.status().conflicts.first)
        _ = try await hub.transport.settle(settled.id, restoring: false)
        try await poll("no edit waits") { try await watch.transport.view().pendingEdits.isEmpty }
        #expect(try await watch.transport.view().uploadObstacle == nil)
        try await stopBoth()
    }

    @Test func `user info waits for the other side, and arrives once in each direction`() async throws {
        let endpoint = try await hub.start(with: watch)
        try await watch.stop()
        let toWatch = try await hub.transport.transfer(
            { .exchange(.transfer($0, .init(payload: [1]))) }, with: watchKey)
        guard case .exchange(.accepted) = toWatch else { return #expect(Bool(false), "\(toWatch)") }
        watch.start(endpoint, hubKey: hub.keys.publicKey)
        await watch.transfers.wait { $0.compactMap(\.item).contains { $0.payload == [1] } }

        _ = try await watch.transport.transfer { .exchange(.transfer($0, .init(payload: [2]))) }
        await hub.transfers.wait { $0.compactMap(\.item).contains { $0.payload == [2] } }
        let item = try present(hub.transfers.items.compactMap(\.item).first)
        try hub.transport.tell(.exchange(.consumed(item.id)), to: watchKey)
        await watch.transfers.wait { $0.contains(.exchange(.itemDelivered(item.id))) }
        #expect(hub.transfers.items.compactMap(\.item).count == 1)
        #expect(watch.transfers.items.compactMap(\.item).count == 1)
        try await stopBoth()
    }

    @Test func `a message gets its reply, and a typed error while nobody is there`() async throws {
        _ = try await hub.start(with: watch)
        async let answer = watch.transport.transfer {
            .exchange(.message($0, Message(payload: [7], wantsReply: true, timeout: .seconds(3600))))
        }
        await hub.transfers.wait { $0.contains { $0.message != nil } }
        let message = try present(hub.transfers.items.compactMap(\.message).first)
        _ = try await hub.transport.transfer({ .exchange(.reply($0, message.id, [8])) }, with: watchKey)
        #expect(try await answer == .exchange(.replied([8])))

        try await hub.stop()
        await watch.waitForLink(false)
        let late = try await watch.transport.transfer {
            .exchange(.message($0, Message(payload: [7], wantsReply: true, timeout: .seconds(3600))))
        }
        #expect(late == .exchange(.failed(.notReachable)))
        try await watch.stop()
    }

    @Test func `nothing is exchanged with a watch that is not paired`() async throws {
        _ = try await hub.start()
        await #expect(throws: LinkError.refused(.unknownWatch(watchKey))) {
            _ = try await hub.transport.transfer({ .exchange(.transfer($0, .init(payload: [1]))) }, with: watchKey)
        }
        try await hub.stop()
    }

    @Test func `a hub that was put back begins a new epoch when it is told`() async throws {
        _ = try await hub.start(with: watch)
        let before = hub.storage.state.version
        let after = try await hub.transport.beginEpoch()
        #expect(after.epoch != before.epoch)
        #expect(try await hub.transport.beginEpoch() == after)
        try await stopBoth()
    }
}

extension TransferEvent {
    fileprivate var item: ReceivedItem? {
        if case .exchange(.itemReceived(let item)) = self { item } else { nil }
    }

    fileprivate var message: SyncCore.ReceivedMessage? {
        if case .exchange(.messageReceived(let message)) = self { message } else { nil }
    }
}

extension WatchTransport.Event {
    fileprivate var isConfirmation: Bool {
        guard case .engine(.editsConfirmed) = self else { return false }
        return true
    }
}

import Logging
import SyncCore
import SyncTransport
import TestSupport
import Testing
import ZeroMQ

@Suite struct LinkTests {
    @Test func `a paired watch gets the snapshot, its changes and registers`() async throws {
        let hub = try TestHub()
        let endpoint = try await hub.start()
        _ = try await hub.transport.transact([CellChange(key: noteKey(1), value: "one")])
        let watch = try TestWatch()
        #expect(try await watch.pair(with: hub) == "wrist")

        watch.start(endpoint, hubKey: hub.keys.publicKey)
        await watch.waitForNote(1, "one")
        _ = try await hub.transport.transact([CellChange(key: noteKey(1), value: "two")])
        await watch.waitForNote(1, "two")
        try hub.transport.publish(Register(key: "a", order: 7, value: [1, 2]))
        await watch.waitForRegister("a", order: 7)

        try await watch.stop()
        try await hub.stop()
        #expect(watch.storage.state.registers["a"]?.register.value == [1, 2])
        #expect(watch.storage.state.replica.snapshot?.version == hub.storage.state.version)
    }

    @Test func `a burst as wide as the window finds room, and arrives in order`() async throws {
        // A frame that found no room was lost and arrived two seconds later.
        let window: UInt32 = 1024
        let hub = try TestHub()
        let endpoint = try await hub.start(heartbeat: .seconds(60))
        let watch = try TestWatch()
        _ = try await watch.pair(with: hub)
        let keys = (0..<window).map { "register \(10_000 + $0)" }
        for key in keys {
            try hub.transport.publish(Register(key: key, order: 1, value: [UInt8](repeating: 7, count: 512)))
        }

        watch.start(endpoint, hubKey: hub.keys.publicKey, window: window)
        await watch.events.wait { $0.count(where: \.isRegister) >= keys.count }

        let arrived = watch.events.items.compactMap { event -> String? in
            guard case .engine(.registerChanged(let register)) = event else { return nil }
            return register.key
        }
        #expect(arrived == keys)
        try await watch.stop()
        try await hub.stop()
    }

    @Test func `a watch shows the truth after the hub was started again`() async throws {
        let hub = try TestHub()
        let endpoint = try await hub.start()
        let watch = try TestWatch()
        _ = try await watch.pair(with: hub)
        watch.start(endpoint, hubKey: hub.keys.publicKey)
        await watch.waitForLink(true)

        try await hub.stop()
        await watch.waitForLink(false)
        _ = try await hub.start(at: endpoint.text)
        _ = try await hub.transport.transact([CellChange(key: noteKey(2), value: "after")])
        try hub.transport.publish(Register(key: "a", order: 1, value: []))
        await watch.waitForNote(2, "after")
        await watch.waitForRegister("a", order: 1)

        try await watch.stop()
        try await hub.stop()
    }

    @Test func `a watch started before the hub waits for it`() async throws {
        let hub = try TestHub()
        let endpoint = try await hub.start()
        let watch = try TestWatch()
        _ = try await watch.pair(with: hub)
        try await hub.stop()

        watch.start(endpoint, hubKey: hub.keys.publicKey)
        await watch.waitForTransport(.unreachable)
        _ = try await hub.start(at: endpoint.text)
        await watch.waitForLink(true)

        try await watch.stop()
        try await hub.stop()
    }

    @Test func `ipc serves as well as tcp`() async throws {
        let hub = try TestHub()
        let endpoint = try await hub.start(at: "ipc:///tmp/sync-link-\(UInt64.random(in: 0...(.max)))")
        let watch = try TestWatch()
        _ = try await watch.pair(with: hub)
        watch.start(endpoint, hubKey: hub.keys.publicKey)
        await watch.waitForLink(true)
        try await watch.stop()
        try await hub.stop()
    }

    @Test func `a watch that is not paired is told so and hears nothing`() async throws {
        let hub = try TestHub()
        let endpoint = try await hub.start()
        _ = try await hub.transport.transact([CellChange(key: noteKey(1), value: "secret")])
        let stranger = try TestWatch()

        stranger.start(endpoint, hubKey: hub.keys.publicKey)
        await stranger.waitForTransport(.notAdmitted)

        try await stranger.stop()
        #expect(!stranger.events.items.contains { $0.isSnapshot || $0.isLink })
        #expect(hub.events.items.allSatisfy { $0 == .committed(hub.storage.state.version) })
        try await hub.stop()
    }

    @Test func `a watch does not talk to a hub with another key`() async throws {
        let hub = try TestHub()
        let endpoint = try await hub.start()
        let watch = try TestWatch()
        _ = try await watch.pair(with: hub)

        watch.start(endpoint, hubKey: try CurveKeyPair().publicKey)
        await watch.waitForTransport(.notThisHub)

        try await watch.stop()
        #expect(watch.events.items.filter(\.isLink).isEmpty)
        try await hub.stop()
    }

    @Test func `an unpaired watch loses its session and is refused afterwards`() async throws {
        let hub = try TestHub()
        let endpoint = try await hub.start()
        let watch = try TestWatch()
        _ = try await watch.pair(with: hub)
        watch.start(endpoint, hubKey: hub.keys.publicKey)
        await watch.waitForLink(true)

        try await hub.transport.unpair(watch.keys.publicKey.peerKey)
        await watch.waitForLink(false)

        let isTold = watch.events.items.contains { event in
            guard case .engine(.linkChanged(.refused(let refusal))) = event else { return false }
            return refusal.code == .notPaired
        }
        #expect(isTold)
        try await watch.stop()
        try await hub.stop()
    }

    @Test func `an invitation pairs one watch only`() async throws {
        let hub = try TestHub()
        _ = try await hub.start()
        let code = try await hub.transport.invite(name: "kitchen", validForSeconds: 60)
        let first = try CurveKeyPair().publicKey
        #expect(
            try await PairingTransport.pair(code, as: first, name: "x", app: testApp, patience: .seconds(3600))
                == "kitchen")
        // The answer may have been lost, so the same watch may ask again.
        #expect(
            try await PairingTransport.pair(code, as: first, name: "x", app: testApp, patience: .seconds(3600))
                == "kitchen")

        let other = try CurveKeyPair().publicKey
        await #expect(throws: LinkError.self) {
            try await PairingTransport.pair(code, as: other, name: "y", app: testApp, patience: .seconds(3600))
        }
        #expect(try await hub.transport.status().watches.map(\.watch.name) == ["kitchen"])
        try await hub.stop()
    }

    @Test func `a transport that has ended answers every request`() async throws {
        let hub = try TestHub()
        _ = try await hub.start()
        let transport = try hub.transport
        try await hub.stop()
        await #expect(throws: LinkError.ended) { try await transport.status() }
        await #expect(throws: LinkError.ended) { try await transport.transact([]) }
    }

    @Test func `an endpoint in use is named`() async throws {
        let hub = try TestHub()
        let endpoint = try await hub.start()
        let second = try TestHub()
        let transport = HubTransport(
            configuration: .init(
                endpoint: endpoint, keys: second.keys, engine: .init(app: testApp, schema: testSchema)),
            state: second.storage.state, storage: second.storage, logger: .init(label: "second"), onEvent: { _ in })
        let error = await #expect(throws: LinkError.self) { try await transport.run() }
        #expect("\(error.map { "\($0)" } ?? "")".contains(endpoint.text))
        try await hub.stop()
    }
}

import BrokerFixture
import Foundation
import PoolControl
import PoolHub
import PoolModel
import TestSupport
import Testing

/// Certificates that are wrong at first and are corrected while the hub runs.
@Suite(.timeLimit(.minutes(20))) struct CertificateTests {
    private let hub: TestHub
    private let certificates: Certificates
    private let broker: Broker
    /// The file that the hub is configured to trust.
    private let trusted: String

    init() async throws {
        hub = TestHub(try TestHubFolder())
        certificates = try await Certificates.make()
        var configuration = Broker.Configuration()
        configuration.certificates = certificates
        broker = try await Broker.start(configuration)
        trusted = hub.folder.path + ".pem"
        try FileManager.default.copyItem(atPath: certificates.strangeAuthority, toPath: trusted)
    }

    /// Starts the hub with a server and a wrong authority.
    ///
    /// Returns why the hub waits.
    private func startWithWrongAuthority(host: String = "localhost") async throws -> (words: String, isForPerson: Bool)
    {
        try await hub.start()
        var server = ServerPatch()
        (server.name, server.host, server.port) = ("Garden", host, broker.port)
        server.usesTLS = true
        server.caFile = trusted
        _ = try await hub.perform(.edit(.addServer(server)))
        var device = DevicePatch()
        (device.name, device.topic) = ("Lagoon", "pool/1")
        _ = try await hub.perform(.edit(.addDevice(device)))
        return await reason()
    }

    /// Waits until the hub reports why it waits.
    ///
    /// Returns an empty text if it connects.
    private func reason() async -> (words: String, isForPerson: Bool) {
        await hub.events.wait { $0.contains { $0.waiting != nil || $0.isConnection } }
        return hub.events.items.compactMap(\.waiting).first ?? ("", false)
    }

    /// Whether the hub connects after a change; false if it fails repeatedly.
    private func connects(after change: () async throws -> Void) async throws -> Bool {
        let count = hub.events.items.count
        try await change()
        // One attempt may have been in progress.
        await hub.events.wait { events in
            let later = events.dropFirst(count)
            return later.contains(where: \.isConnection) || later.count { $0.waiting != nil } >= 3
        }
        return hub.events.items.dropFirst(count).contains(where: \.isConnection)
    }

    private func stop() async throws {
        try await hub.stop()
        await broker.stop()
    }

    @Test func `a wrong authority is said with what to do, and a server edit connects`() async throws {
        // P8, P18
        let reason = try await startWithWrongAuthority()
        #expect(reason.isForPerson)
        #expect(reason.words.contains("no authority that is trusted here vouches for the broker's certificate"))
        #expect(reason.words.contains("--ca-file instead of \(trusted)"))
        #expect(reason.words.contains(#"poolsensors server edit "Garden""#))
        #expect(!broker.log.contains { $0.contains("SUBSCRIBE") })

        var edit = ServerPatch()
        edit.caFile = certificates.authority
        #expect(
            try await connects { _ = try await hub.perform(.edit(.editServer(hub.report().serverID("Garden"), edit))) })
        try await stop()
    }

    @Test func `a file that is put right in its place is read again at the next attempt`() async throws {
        // P8, P18
        #expect(try await startWithWrongAuthority().isForPerson)
        let right = try Data(contentsOf: URL(filePath: certificates.authority))
        try right.write(to: URL(filePath: trusted))
        // It would retry by itself, but slowly.
        #expect(try await connects { _ = try await hub.perform(.reconnect) })
        try await stop()
    }

    @Test func `a certificate for another host is said so, and the right name connects`() async throws {
        // P8
        let right = try Data(contentsOf: URL(filePath: certificates.authority))
        try right.write(to: URL(filePath: trusted))
        let reason = try await startWithWrongAuthority(host: "127.0.0.1")
        #expect(reason.isForPerson)
        #expect(reason.words.contains("the broker's certificate is in the name of another host"))
        #expect(reason.words.contains("127.0.0.1"))

        var edit = ServerPatch()
        edit.host = "localhost"
        #expect(
            try await connects { _ = try await hub.perform(.edit(.editServer(hub.report().serverID("Garden"), edit))) })
        try await stop()
    }
}

extension HubEvent {
    /// Whether a server is connected.
    fileprivate var isConnection: Bool {
        guard case .server(_, let state) = self else { return false }
        return state.isConnected
    }

    /// Why a server's connection waits, and whether the user must act.
    fileprivate var waiting: (words: String, isForPerson: Bool)? {
        guard case .server(_, let state) = self, case .waiting(let words, let isForPerson) = state.phase else {
            return nil
        }
        return (words, isForPerson)
    }
}

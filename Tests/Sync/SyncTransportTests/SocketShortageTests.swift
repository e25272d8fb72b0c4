import Logging
import SyncCore
import TestSupport
import Testing
import ZeroMQ

@testable import SyncTransport

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The events of a watch that the system gives no socket: it waits, and continues to look for its hub.
@Suite struct SocketShortageTests {
    private enum Note: Equatable {
        case transport(WatchTransport.Transport)
        case ended
    }

    private let notes = Recorder<Note>()

    /// Begins to connect to a hub with sockets of a context.
    private func follow(
        _ endpoint: Endpoint, hubKey: CurvePublicKey, in context: Context
    ) throws -> (transport: WatchTransport, task: Task<Void, any Error>) {
        let (keys, storage) = (try CurveKeyPair(), MemoryWatchStorage())
        var configuration = WatchTransport.Configuration(
            endpoint: endpoint, hubKey: hubKey, keys: keys,
            engine: .init(name: "wrist", app: testApp, schemaVersions: 1...1, node: keys.publicKey.peerKey.node))
        configuration.openContext = { context }
        let transport = WatchTransport(
            configuration: configuration, state: storage.state, storage: storage, logger: Logger(label: "watch"),
            onEvent: { [notes] event in
                if case .transport(let transport) = event { notes.record(.transport(transport)) }
            })
        let task = Task { [notes] in
            defer { notes.record(.ended) }
            try await transport.run()
        }
        return (transport, task)
    }

    @Test func `a watch waits for a socket, answers meanwhile, and goes on when there is one`() async throws {
        let hub = try TestHub()
        let endpoint = try await hub.start()
        // As many as a watch needs, of which one is in use.
        let context = try Context(maxSockets: 3)
        let obstacle = try Socket(context, .pair)
        let watch = try follow(endpoint, hubKey: hub.keys.publicKey, in: context)
        await notes.wait { !$0.isEmpty }
        #expect(notes.items == [.transport(.unreachable)])
        #expect(try await watch.transport.view().link == .waiting)

        obstacle.close()
        await notes.wait { $0.count > 1 }
        // Only a connection can show that the hub does not know it.
        #expect(notes.items.dropFirst().first == .transport(.notAdmitted))
        watch.task.cancel()
        try await watch.task.value
        try await hub.stop()
    }

    @Test func `a watch that waits for a socket ends when it is told to`() async throws {
        let context = try Context(maxSockets: 1)
        let obstacle = try Socket(context, .pair)
        let watch = try follow(
            try Endpoint("tcp://127.0.0.1:1"), hubKey: try CurveKeyPair().publicKey, in: context)
        await notes.wait { !$0.isEmpty }
        watch.task.cancel()
        try await watch.task.value
        #expect(notes.items == [.transport(.unreachable), .ended])
        obstacle.close()
    }

    @Test func `a shortage is no other failure`() {
        func call(_ number: Int32) -> FailedCall { FailedCall(function: "zmq_socket", subject: "s", number: number) }
        let shortages = [
            ZeroMQError.tooManySockets(call(EMFILE)), .tooManySockets(call(ENFILE)), .other(call(ENOMEM)),
            .other(call(ENOBUFS)),
        ]
        for error in shortages { #expect(error.isShortage) }
        for error in [ZeroMQError.contextTerminated, .other(call(EIO)), .invalidArgument(call(EINVAL))] {
            #expect(!error.isShortage)
        }
    }
}

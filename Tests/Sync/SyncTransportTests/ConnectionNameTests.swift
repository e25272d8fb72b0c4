import SyncTransport
import TestSupport
import Testing
import ZeroMQ

@testable import SyncCore

/// A watch can choose the name of its connection, so a hub must identify watches only by their keys.
@Suite struct ConnectionNameTests {
    /// The DEALER of a watch that the test controls.
    private struct Line: ~Copyable {
        private let socket: Socket

        init(_ context: Context, of watch: TestWatch, named name: RoutingID, to hub: TestHub, at endpoint: Endpoint)
            throws
        {
            var options = SocketOptions()
            options.routingID = name
            options.linger = .zero
            options.security = .curveClient(keyPair: watch.keys, serverKey: hub.keys.publicKey)
            let opened = try Socket(context, .dealer, options: options)
            try opened.connect(to: endpoint)
            socket = opened
        }

        func send(_ frame: Frame) throws {
            _ = try socket.send(FrameCodec.parts(of: frame))
        }

        /// The next received frame; nil if there is none.
        func next() throws -> Frame? {
            guard let message = try socket.receive() else { return nil }
            return try FrameCodec.frame(of: message.frames)
        }

        /// Waits for a frame of a kind.
        ///
        /// Returns all frames received until then.
        func frames(until kind: FrameKind) async throws -> [Frame] {
            var frames: [Frame] = []
            try await poll("a frame of the kind \(kind)") {
                while let frame = try next() {
                    frames.append(frame)
                    if frame.kind == kind { return true }
                }
                return false
            }
            return frames
        }
    }

    private let hello = Hello(
        nonce: 7, wire: 1...1, schema: 1...1, name: "wrist", epoch: nil, known: nil, window: 64)

    /// Opens a session under a connection name, as soon as ROUTER accepts the name.
    private func line(
        _ context: Context, of watch: TestWatch, named name: RoutingID, to hub: TestHub, at endpoint: Endpoint
    ) async throws -> Line {
        while true {
            let line = try Line(context, of: watch, named: name, to: hub, at: endpoint)
            try line.send(hello.frame)
            let end = ContinuousClock.now.advanced(by: .milliseconds(300))
            var welcome: Frame?
            // ROUTER does not answer a connection whose name is still in use.
            try await poll("WELCOME, or the end of the wait for it") {
                while welcome == nil, let frame = try line.next() {
                    if frame.kind == .welcome { welcome = frame }
                }
                return welcome != nil || ContinuousClock.now >= end
            }
            guard let welcome else { continue }
            try line.send(Ping(number: 1).frame(session: welcome.session))
            return line
        }
    }

    @Test func `what is meant for a watch does not go to another one that took its connection's name`() async throws {
        let hub = try TestHub()
        let endpoint = try await hub.start(heartbeat: .seconds(60))
        let (first, second) = (try TestWatch(), try TestWatch())
        _ = try await first.pair(with: hub, name: "first")
        _ = try await second.pair(with: hub, name: "second")
        let context = try Context()
        let name = try present(RoutingID(Array("wrist".utf8)))
        do {
            let line = try await line(context, of: first, named: name, to: hub, at: endpoint)
            _ = try await line.frames(until: .pong)
        }
        let line = try await line(context, of: second, named: name, to: hub, at: endpoint)
        _ = try await line.frames(until: .pong)

        let answer = try await hub.transport.transfer(
            { .exchange(.transfer($0, .init(payload: [1]))) }, with: first.keys.publicKey.peerKey)
        guard case .exchange(.accepted) = answer else {
            Issue.record("the hub did not take the item: \(answer)")
            return
        }
        try hub.transport.publish(Register(key: "a", order: 1, value: [2]))
        let kinds = try await line.frames(until: .register).map(\.kind)
        #expect(!kinds.contains(.item))
        let linked = try await hub.transport.status().watches.filter(\.isLinked)
        #expect(linked.map(\.watch.key) == [second.keys.publicKey.peerKey])
        try await hub.stop()
    }
}

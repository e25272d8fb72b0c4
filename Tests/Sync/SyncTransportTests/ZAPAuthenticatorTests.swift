import SyncCore
import Testing
import ZeroMQ

@testable import SyncTransport

/// The authenticator on one thread, with a ROUTER and clients.
@Suite struct ZAPAuthenticatorTests {
    private struct NothingHappened: Error {}

    /// A ROUTER with an authenticator.
    private final class House {
        let context: Context
        var gate: ZAPAuthenticator
        let router: Socket
        let endpoint: Endpoint
        let keys: CurveKeyPair
        var allowed: Set<PeerKey> = []
        private var poller = Poller()
        private var door: Poller.Item
        /// The user ids of the received messages, in their order.
        var senders: [String?] = []
        /// Sockets that only keep others from being created.
        var obstacles: [Client] = []

        init(maxSockets: Int = 1023) throws {
            let (context, keys) = (try Context(maxSockets: maxSockets), try CurveKeyPair())
            let gate = try ZAPAuthenticator(context)
            var options = SocketOptions()
            options.security = .curveServer(secretKey: keys.secretKey, zapDomain: "sync")
            let router = try Socket(context, .router, options: options)
            endpoint = try router.bind(try Endpoint("tcp://127.0.0.1:*"))
            (self.context, self.keys) = (context, keys)
            door = gate.add(to: &poller)
            _ = poller.add(router, for: .input)
            self.gate = gate
            self.router = router
        }

        /// A client that sends a message as soon as it is admitted.
        func client(_ pair: CurveKeyPair) throws -> Client {
            let client = try waitingClient(pair)
            client.monitor = try client.socket.monitor(.handshake)
            try knock(client)
            return client
        }

        /// A client that does not connect yet.
        func waitingClient(_ pair: CurveKeyPair) throws -> Client {
            var options = SocketOptions()
            options.security = .curveClient(keyPair: pair, serverKey: keys.publicKey)
            return Client(try Socket(context, .dealer, options: options))
        }

        /// Lets a client connect.
        func knock(_ client: Client) throws {
            try client.socket.connect(to: endpoint)
            _ = try client.socket.send([[1]])
        }

        /// Uses up all remaining sockets.
        func takeSockets() {
            while true {
                do {
                    obstacles.append(Client(try Socket(context, .pair)))
                } catch {
                    return
                }
            }
        }

        /// Authenticates and receives until this many messages have arrived.
        func serve(untilMessageCount count: Int, at now: Instant) throws {
            try serve(at: now) { $0 >= count }
        }

        /// Authenticates and receives until a client was rejected; false if it was admitted.
        func turnsAway(_ client: Client, at now: Instant) throws -> Bool {
            var outcome: Bool?
            try serve(at: now) { _ in
                while let event = try client.monitor?.nextEvent() {
                    if case .handshakeFailedAuthentication = event.kind { outcome = true }
                    if event.kind == .handshakeSucceeded { outcome = false }
                }
                return outcome != nil
            }
            return outcome == true
        }

        /// Waits for a request to the authenticator.
        func awaitQuestion() throws {
            for _ in 0..<6000 {
                _ = try poller.wait(timeout: .milliseconds(20))
                if poller[door].contains(.input) { return }
            }
            throw NothingHappened()
        }

        /// Lets the authenticator do its due work, at its deadlines, until nothing is due.
        func tendUntilNothingIsDue() throws {
            for _ in 0..<6000 {
                guard let due = gate.due else { return }
                try tend(at: due)
            }
            throw NothingHappened()
        }

        private func serve(at now: Instant, until isDone: (Int) throws -> Bool) throws {
            for _ in 0..<6000 {
                try tend(at: now)
                while let message = try router.receive() { senders.append(message.userID) }
                if try isDone(senders.count) { return }
            }
            throw NothingHappened()
        }

        /// Waits a little, then lets the authenticator do its work.
        func tend(at now: Instant) throws {
            _ = try poller.wait(timeout: .milliseconds(20))
            try gate.tend(&door, in: &poller, allowing: allowed, at: now)
        }
    }

    private final class Client {
        let socket: Socket
        var monitor: Monitor?

        init(_ socket: consuming Socket) { self.socket = socket }
    }

    @Test func `a watch that comes back while the hub tries a stranger is let in`() throws {
        let house = try House()
        let pair = try CurveKeyPair()
        house.allowed = [pair.publicKey.peerKey]
        let client = try house.client(pair)
        try house.awaitQuestion()
        try AuthenticationSelfTest.run(
            against: house.endpoint, hubKey: house.keys.publicKey, allowing: house.allowed, context: house.context,
            gate: &house.gate)
        #expect(try !house.turnsAway(client, at: Instant(nanoseconds: 1_000_000_000)))
    }

    @Test func `after a crowd another gate stands, and nobody notices`() throws {
        let house = try House()
        let pairs = try (0...ZAPAuthenticator.renewalAnswerCount).map { _ in try CurveKeyPair() }
        house.allowed = Set(pairs.map(\.publicKey.peerKey))
        let start = Instant(nanoseconds: 1_000_000_000)
        var clients: [Client] = []

        for pair in pairs.dropLast(2) { clients.append(try house.client(pair)) }
        try house.serve(untilMessageCount: ZAPAuthenticator.renewalAnswerCount - 1, at: start)
        #expect(house.gate.due == nil)
        clients.append(try house.client(pairs[ZAPAuthenticator.renewalAnswerCount - 1]))
        try house.serve(untilMessageCount: ZAPAuthenticator.renewalAnswerCount, at: start)
        let renewal = start.advanced(by: ZAPAuthenticator.quietTime)
        #expect(house.gate.due == renewal)

        try house.tend(at: renewal)

        // The resources of the old one are released a little later.
        let trimming = renewal.advanced(by: ZAPAuthenticator.quietTime)
        #expect(house.gate.due == trimming)
        try house.tend(at: trimming)
        #expect(house.gate.due == nil)
        // Admitted clients stay, a permitted client is admitted, a stranger is rejected.
        for client in clients { _ = try client.socket.send([[2]]) }
        try house.serve(untilMessageCount: 2 * ZAPAuthenticator.renewalAnswerCount, at: trimming)
        let friend = try house.client(pairs[ZAPAuthenticator.renewalAnswerCount])
        try house.serve(untilMessageCount: 2 * ZAPAuthenticator.renewalAnswerCount + 1, at: trimming)
        #expect(house.senders.last == pairs[ZAPAuthenticator.renewalAnswerCount].publicKey.peerKey.hexadecimal)
        #expect(try house.turnsAway(try house.client(CurveKeyPair()), at: trimming))
        #expect(house.senders.count == 2 * ZAPAuthenticator.renewalAnswerCount + 1)
        withExtendedLifetime(friend) {}
    }

    @Test func `while there is no other gate to be had the one that stands lets friends in`() throws {
        let house = try House(maxSockets: 64)
        let pairs = try (0...ZAPAuthenticator.renewalAnswerCount).map { _ in try CurveKeyPair() }
        house.allowed = Set(pairs.map(\.publicKey.peerKey))
        let start = Instant(nanoseconds: 1_000_000_000)
        let crowd = try pairs.dropLast().map { try house.client($0) }
        try house.serve(untilMessageCount: crowd.count, at: start)
        let friend = try house.waitingClient(pairs[ZAPAuthenticator.renewalAnswerCount])
        house.takeSockets()

        let renewal = start.advanced(by: ZAPAuthenticator.quietTime)
        try house.tend(at: renewal)

        #expect(house.gate.due == renewal.advanced(by: ZAPAuthenticator.quietTime))
        try house.knock(friend)
        try house.serve(untilMessageCount: crowd.count + 1, at: renewal)
        #expect(house.senders.last == pairs[ZAPAuthenticator.renewalAnswerCount].publicKey.peerKey.hexadecimal)
        // It is tried again once there are sockets.
        house.obstacles = []
        try house.tendUntilNothingIsDue()
        withExtendedLifetime((crowd, friend)) {}
    }

    @Test func `each question puts the new gate off`() throws {
        let house = try House()
        let start = Instant(nanoseconds: 1_000_000_000)
        for number in 0...ZAPAuthenticator.renewalAnswerCount {
            let now = start.advanced(by: .milliseconds(number))
            // No client is permitted: a rejection is also a response.
            #expect(try house.turnsAway(try house.client(CurveKeyPair()), at: now))
        }
        let last = start.advanced(by: .milliseconds(ZAPAuthenticator.renewalAnswerCount))
        #expect(house.gate.due == last.advanced(by: ZAPAuthenticator.quietTime))
    }
}

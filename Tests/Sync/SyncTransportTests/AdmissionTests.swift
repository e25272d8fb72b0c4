import TestSupport
import Testing
import ZeroMQ

@testable import SyncCore
@testable import SyncTransport

/// Which clients a hub's socket admits, and what an unknown client receives: over real sockets, next to an honest
/// watch.
@Suite(.timeLimit(.minutes(20))) struct AdmissionTests {
    /// Waits until the authenticator has decided about a connection.
    private func decide(_ line: Line) async throws {
        try await poll("somebody is let in or turned away") {
            try line.look()
            return line.isAdmitted || line.isTurnedAway || line.isGone
        }
    }

    /// Waits for a frame of one of these kinds, after those that were already received.
    private func wait(for kinds: FrameKind..., behind count: Int = 0, on line: Line) async throws {
        try await poll("a frame of the kinds \(kinds)") {
            try line.look()
            return line.frames.dropFirst(count).contains { kinds.contains($0.kind) }
        }
    }

    /// A client with these keys is rejected in the handshake.
    private func expectTurnedAway(_ keys: CurveKeyPair, at place: AttackTests.Place) async throws {
        let line = try Line(try Context(), as: keys, to: place.hub, at: place.endpoint)
        try line.greet(1)
        try await decide(line)
        #expect(line.isTurnedAway && !line.isAdmitted)
        #expect(line.frames.isEmpty)
    }

    private func isFault(_ event: HubEngine.Event) -> Bool {
        switch event {
        case .refused, .dropped: true
        default: false
        }
    }

    // MARK: - Strangers

    @Test(arguments: [true, false])
    func `a stranger is turned away in the handshake, and its words reach nobody`(isEncrypted: Bool) async throws {
        let place = try await AttackTests.Place()
        _ = try await place.hub.transport.transact([CellChange(key: noteKey(1), value: "secret")])
        let keys = isEncrypted ? try CurveKeyPair() : nil
        let line = try Line(try Context(), as: keys, to: place.hub, at: place.endpoint)
        try line.greet(1)
        try await decide(line)

        #expect(!line.isAdmitted)
        #expect(line.isTurnedAway == isEncrypted)
        try await place.expectPeace(1...20)
        try line.look()
        #expect(line.frames.isEmpty)
        #expect(!place.hub.events.items.contains(where: isFault))
        try await place.end()
    }

    // MARK: - Unpaired watches

    @Test func `a watch unpaired while it is connected is told so once, hears nothing more and does not come in again`()
        async throws
    {
        let place = try await AttackTests.Place()
        let line = try Line(try Context(), as: place.hostile.keys, to: place.hub, at: place.endpoint)
        try line.greet(1)
        try await wait(for: .welcome, on: line)
        let session = try #require(line.frames.first { $0.kind == .welcome }).session
        try line.send(FrameCodec.parts(of: Ping(number: 1).frame(session: session)))
        try await wait(for: .pong, on: line)

        try await place.hub.transport.unpair(place.hostile.keys.publicKey.peerKey)
        try await wait(for: .refuse, on: line)

        // It receives nothing of later events at the hub, and it can use neither its session nor another one.
        let count = line.frames.count
        _ = try await place.hub.transport.transact([CellChange(key: noteKey(1), value: "secret")])
        try await place.expectPeace(1...20)
        try line.send(FrameCodec.parts(of: Ping(number: 2).frame(session: session)))
        try line.greet(2)
        try await wait(for: .refuse, .welcome, behind: count, on: line)
        #expect(line.frames.dropFirst(count).map(\.kind) == [.refuse])
        let refusals = try line.frames.filter { $0.kind == .refuse }.map { try Refusal($0).code }
        #expect(refusals == [.notPaired, .notPaired])
        try await expectTurnedAway(place.hostile.keys, at: place)
        try await place.end()
    }

    @Test func `a watch unpaired while it was away is turned away, also by the hub's next life`() async throws {
        let place = try await AttackTests.Place()
        let before = try Line(try Context(), as: place.hostile.keys, to: place.hub, at: place.endpoint)
        try await decide(before)
        #expect(before.isAdmitted)

        try await place.hub.transport.unpair(place.hostile.keys.publicKey.peerKey)
        try await expectTurnedAway(place.hostile.keys, at: place)
        try await place.expectPeace(1...20)
        try await place.hub.stop()
        _ = try await place.hub.start(at: place.endpoint.text)

        try await expectTurnedAway(place.hostile.keys, at: place)
        try await place.end()
    }

    // MARK: - Used invitations

    @Test func `a used invitation pairs nobody else and opens no session, also in the hub's next life`() async throws {
        let place = try await AttackTests.Place()
        let code = try await place.hub.transport.invite(name: "kitchen", validForSeconds: 3600)
        let first = try CurveKeyPair().publicKey
        #expect(try await pair(code, as: first) == "kitchen")
        for _ in 1...2 {
            let refusal = await #expect(throws: LinkError.self) { try await pair(code, as: CurveKeyPair().publicKey) }
            guard case .pairingRefused(let refusal)? = refusal else {
                Issue.record("\(refusal.map { "\($0)" } ?? "paired")")
                return
            }
            #expect(refusal.code == .invitationVoid)
            // The answer may have been lost, so the watch that used the invitation may use it again.
            #expect(try await pair(code, as: first) == "kitchen")

            let keys = try CurveKeyPair(secretKey: code.secret)
            let line = try Line(try Context(), as: keys, to: place.hub, at: place.endpoint)
            try line.greet(1)
            try await wait(for: .refuse, .welcome, on: line)
            #expect(try line.frames.map { try Refusal($0).code } == [.invitationOnly])
            try await place.hub.stop()
            _ = try await place.hub.start(at: place.endpoint.text)
        }
        let names = try await place.hub.transport.status().watches.map(\.watch.name)
        #expect(names.sorted() == ["honest", "hostile", "kitchen"])

        // It is removed together with its watch.
        try await place.hub.transport.unpair(first.peerKey)
        try await expectTurnedAway(try CurveKeyPair(secretKey: code.secret), at: place)
        await #expect(throws: LinkError.pairingTimedOut(.notAdmitted)) { try await pair(code, as: first) }
        try await place.end()
    }

    private func pair(_ code: InvitationCode, as key: CurvePublicKey) async throws -> String {
        try await PairingTransport.pair(code, as: key, name: "x", app: testApp, patience: .seconds(3600))
    }

    // MARK: - Many clients

    @Test func `of a crowd of strangers nobody gets in, while those who are in stay and a friend comes`() async throws {
        let place = try await AttackTests.Place()
        let context = try Context()
        let lines = try (0..<4 * ZAPAuthenticator.renewalAnswerCount).map { number in
            let keys = number == 2 * ZAPAuthenticator.renewalAnswerCount ? place.hostile.keys : try CurveKeyPair()
            return try Line(context, as: keys, to: place.hub, at: place.endpoint)
        }
        for line in lines { try line.greet(1) }
        try await place.expectPeace(1...20)

        for line in lines { try await decide(line) }
        #expect(lines.indices.filter { lines[$0].isAdmitted } == [2 * ZAPAuthenticator.renewalAnswerCount])
        #expect(lines.count(where: \.isTurnedAway) == lines.count - 1)
        try await wait(for: .welcome, on: lines[2 * ZAPAuthenticator.renewalAnswerCount])
        try await place.expectPeace(21...40)
        #expect(lines.allSatisfy { $0.frames.isEmpty != $0.isAdmitted })
        #expect(!place.hub.events.items.contains(where: isFault))
        try await place.end()
    }

    // MARK: - A disabled handler

    @Test(arguments: ["", "sync"])
    func `a hub whose handler is not asked notices it by its own stranger, and does not run`(domain: String) throws {
        // Without a domain every client is admitted. With one no client is, although none was rejected.
        let (open, guarded, keys) = (try Context(), try Context(), try CurveKeyPair())
        var options = SocketOptions()
        options.security = .curveServer(secretKey: keys.secretKey, zapDomain: domain)
        let router = try Socket(open, .router, options: options)
        let endpoint = try router.bind(try Endpoint("tcp://127.0.0.1:*"))
        // An authenticator of another context, which is never called.
        var gate = try ZAPAuthenticator(guarded)

        #expect(throws: LinkError.notProtected(endpoint.text)) {
            try AuthenticationSelfTest.run(
                against: endpoint, hubKey: keys.publicKey, allowing: [], context: guarded, gate: &gate)
        }
    }
}

import CodePairing
import Foundation
import PINPairing
import SyncTransport
import TestSupport
import Testing
import ZeroMQ

@Suite(.timeLimit(.minutes(20))) struct CodePairingTests {
    private let folder: TemporaryFolder
    private let endpoint: Endpoint

    init() throws {
        folder = try TemporaryFolder()
        endpoint = try Endpoint("ipc://\(folder.path("offer"))")
    }

    /// Starts an offer, and waits until it answers.
    private func offer(_ secret: String) async throws -> (offer: CodeOffer, end: Task<CodeOffer.End, any Error>) {
        let offer = try CodeOffer(of: secret, at: endpoint)
        let isReady = Awaited(false)
        let task = Task { try await offer.run { isReady.change { $0 = true } } }
        #expect(await isReady.wait { $0 })
        return (offer, task)
    }

    private func other(than code: String) -> String { code == "000000" ? "000001" : "000000" }

    @Test func `the right code brings the text, once`() async throws {
        let (offer, end) = try await offer("psw2-pool-secret")
        #expect(offer.code.count == 6)
        #expect(try await CodeFetch.text(with: offer.code, at: endpoint) == "psw2-pool-secret")
        #expect(try await end.value == .fetched)
    }

    @Test func `five wrong codes end the offer, and the right one comes too late then`() async throws {
        let (offer, end) = try await offer("psw2-pool-secret")
        for left in [4, 3, 2, 1, 0] {
            let problem = await #expect(throws: CodeProblem.self) {
                try await CodeFetch.text(with: other(than: offer.code), at: endpoint)
            }
            #expect(problem == .wrong(left: left))
        }
        let late = await #expect(throws: (any Error).self) {
            try await CodeFetch.text(with: offer.code, at: endpoint, patience: .milliseconds(200))
        }
        #expect([.wrong(left: 0), .silent(endpoint.text)].contains(late as? CodeProblem))
        #expect(try await end.value == .guessed)
    }

    @Test func `the text and the code are not in what goes over the wire, and garbage changes nothing`() async throws {
        let (offer, end) = try await offer("psw2-pool-secret")
        for garbage in [[], [0], [1], [3, 1, 7], [UInt8](repeating: 255, count: 4096)] as [[UInt8]] {
            let answer = try await ControlClient.ask(garbage, at: endpoint, patience: .seconds(60))
            #expect(answer == [], "\(garbage.prefix(8))")
        }
        // A device in the middle that passes everything on.
        let middle = try Endpoint("ipc://\(folder.path("middle"))")
        let seen = Recorder<[UInt8]>()
        let isReady = Awaited(false)
        let server = ControlServer(endpoint: middle) { [endpoint] request in
            seen.record(request)
            let answer = (try? await ControlClient.ask(request, at: endpoint, patience: .seconds(60))) ?? []
            seen.record(answer)
            return answer
        }
        let relay = Task { try await server.run { isReady.change { $0 = true } } }
        #expect(await isReady.wait { $0 })
        #expect(try await CodeFetch.text(with: offer.code, at: middle) == "psw2-pool-secret")
        #expect(try await end.value == .fetched)
        relay.cancel()
        let wire = seen.items.flatMap(\.self)
        for secret in ["psw2", offer.code] { #expect(wire.firstRange(of: Array(secret.utf8)) == nil, "\(secret)") }
    }

    @Test func `what is no code, and where nothing answers, is said`() async throws {
        for (code, words) in [("12345", "5 digits: give 6"), ("12345x", "other characters than digits")] {
            let problem = await #expect(throws: CodeProblem.self) { try await CodeFetch.text(with: code, at: endpoint) }
            #expect(problem?.description.contains(words) == true)
        }
        let silent = await #expect(throws: CodeProblem.self) {
            try await CodeFetch.text(with: "123456", at: endpoint, patience: .milliseconds(100))
        }
        #expect(silent == .silent(endpoint.text))
    }
}

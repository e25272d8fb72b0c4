import Crypto
import PINPairing
import Platform
import SyncTransport
import Text
package import ZeroMQ

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Gives a secret text, such as an invitation, to the one device on which a person types a code of six digits.
///
/// The two sides agree on a key with CPace, so the code is not on the wire, and what is captured there allows no search for it.
/// Each exchange is a try; after five wrong ones the offer ends. The text goes out sealed with the agreed key.
package actor CodeOffer {
    /// How an offer ended.
    package enum End: Hashable, Sendable {
        /// A device has the text.
        case fetched
        /// Too many codes were wrong.
        case guessed
    }

    /// What is sealed with the key, and how a device says that it has the text.
    static let purpose = "invitation 1"
    static let thanks: [UInt8] = [0]

    /// The code that a person types.
    package nonisolated let code: String
    private let secret: [UInt8]
    private let endpoint: Endpoint
    private var holder: PairingHolder
    private let ends = AsyncStream<End>.makeStream()

    /// Makes an offer with a new code.
    ///
    /// - Parameters:
    ///   - secret: The text, at most 32 KiB.
    ///   - endpoint: Where devices ask.
    /// - Throws: Never for a code that it makes itself.
    package init(of secret: String, at endpoint: Endpoint) throws {
        self.secret = Array(secret.utf8)
        self.endpoint = endpoint
        let number = UInt32.random(in: 0..<1_000_000)
        let digits = "\(number)"
        code = String(repeating: "0", count: 6 - digits.count) + digits
        holder = PairingHolder(pin: try PIN(code), holder: Self.purpose, linkKey: [], record: PairingRecord())
    }

    /// Waits until a device has the text, or too many codes were wrong.
    ///
    /// - Parameter onReady: Called when devices are answered; on any thread.
    /// - Returns: Which of the two it was.
    /// - Throws: `LinkError`; `CancellationError` when the task is cancelled.
    package func run(onReady: @escaping @Sendable () -> Void) async throws -> End {
        let server = ControlServer(endpoint: endpoint) { [self] request in await answer(request) }
        return try await withThrowingTaskGroup(of: End?.self) { group in
            group.addTask {
                try await server.run(onReady: onReady)
                return nil
            }
            group.addTask { [ends] in
                for await end in ends.stream {
                    // So that the last answer leaves.
                    try await Task.sleep(for: .milliseconds(500))
                    return end
                }
                return nil
            }
            defer { group.cancelAll() }
            while let end = try await group.next() {
                if let end { return end }
            }
            throw CancellationError()
        }
    }

    /// The answer to a device: a message of the pairing after its length, and after the right code the sealed text.
    private func answer(_ request: [UInt8]) -> [UInt8] {
        if request == Self.thanks, holder.record.key != nil {
            ends.continuation.yield(.fetched)
            return []
        }
        guard let message = PairingMessage(request), holder.record.key == nil else { return [] }
        var generator = SystemRandomNumberGenerator()
        let random = (0..<32).map { _ in UInt8.random(in: 0...(.max), using: &generator) }
        var reply: [UInt8] = []
        var sealed: [UInt8] = []
        for output in holder.handle(message, random: random, at: .now) {
            switch output {
            case .keep, .unpaired: break
            case .send(let message): reply = message.bytes
            case .paired(let key): sealed = CodeSeal(key).seal(secret)
            }
        }
        if holder.record.key == nil, holder.record.lockedUntil != nil, sealed.isEmpty, !isAnswering(reply) {
            ends.continuation.yield(.guessed)
        }
        return reply.isEmpty ? [] : [UInt8(reply.count)] + reply + sealed
    }

    /// Whether a reply lets an exchange go on: the fifth try may still be the right one.
    private func isAnswering(_ reply: [UInt8]) -> Bool {
        if case .answer = PairingMessage(reply) { true } else { false }
    }
}

/// Seals a text with the key of a pairing.
struct CodeSeal {
    private let key: SymmetricKey

    init(_ pairing: PairingKey) { key = SymmetricKey(data: pairing.symmetricKey(for: CodeOffer.purpose)) }

    func seal(_ bytes: [UInt8]) -> [UInt8] {
        do {
            return Array(try ChaChaPoly.seal(bytes, using: key).combined)
        } catch {
            preconditionFailure("a text of \(bytes.count) bytes cannot be sealed: \(error)")
        }
    }

    func open(_ sealed: [UInt8]) -> [UInt8]? {
        guard let box = try? ChaChaPoly.SealedBox(combined: sealed) else { return nil }
        return (try? ChaChaPoly.open(box, using: key)).map(Array.init)
    }
}

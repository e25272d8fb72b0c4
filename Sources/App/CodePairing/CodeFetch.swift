import PINPairing
import Platform
import SyncTransport
import Text
package import ZeroMQ

/// Fetches a secret text with the code that another device shows.
package enum CodeFetch {
    /// Fetches the text.
    ///
    /// - Parameters:
    ///   - code: The six digits.
    ///   - endpoint: Where the offer is.
    ///   - patience: How long each answer may take.
    /// - Returns: The text.
    /// - Throws: ``CodeProblem``; `CancellationError` when the task is cancelled; `LinkError`.
    package static func text(
        with code: String, at endpoint: Endpoint, patience: Duration = .seconds(10)
    ) async throws -> String {
        let pin: PIN
        do {
            pin = try PIN(code)
        } catch {
            throw CodeProblem.noCode(error.description)
        }
        var generator = SystemRandomNumberGenerator()
        let random = (0..<48).map { _ in UInt8.random(in: 0...(.max), using: &generator) }
        var asker = PairingAsker(pin: pin, holder: CodeOffer.purpose, linkKey: [], random: random)
        var message: PairingMessage? = asker.opening
        var rest: [UInt8] = []
        while asker.outcome == nil, let next = message {
            let answer = try await ControlClient.ask(next.bytes, at: endpoint, patience: patience)
            guard let answer else { throw CodeProblem.silent(endpoint.text) }
            guard let count = answer.first.map(Int.init), count > 0, answer.count > count,
                let reply = PairingMessage(Array(answer[1...count]))
            else { throw CodeProblem.over }
            rest = Array(answer.dropFirst(1 + count))
            message = asker.handle(reply)
        }
        switch asker.outcome {
        case .paired(let key):
            guard let bytes = CodeSeal(key).open(rest) else { throw CodeProblem.forged }
            // The offer ends by itself if this does not arrive.
            _ = try? await ControlClient.ask(CodeOffer.thanks, at: endpoint, patience: .seconds(2))
            return String(decoding: bytes, as: UTF8.self)
        case .wrong(let left): throw CodeProblem.wrong(left: left)
        case .lockedOut: throw CodeProblem.wrong(left: 0)
        case .forged: throw CodeProblem.forged
        case nil: throw CodeProblem.over
        }
    }
}

/// Why a code brought nothing.
package enum CodeProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// It is no code; with the reason.
    case noCode(String)
    /// Nothing answers there.
    case silent(String)
    /// It is another code.
    case wrong(left: Int)
    /// What answers does not know the code.
    case forged
    /// What answers offers nothing, or nothing any more.
    case over

    /// The sentence, with the way out.
    package var description: String {
        switch self {
        case .noCode(let reason): "\(reason), as the other device shows them"
        case .silent(let endpoint):
            "nothing answers at \(endpoint): check the address, and whether the other device still shows the code"
        case .wrong(let left) where left > 0:
            "the code is wrong: \(left == 1 ? "1 try is left" : "\(left) tries are left")"
        case .wrong: "the code was wrong too often, and counts no more: make another one"
        case .forged: "what answers there does not know the code: check the address"
        case .over: "what answers there offers nothing any more: make another code"
        }
    }
}

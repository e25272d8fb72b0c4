import CodePairing
import CommandSupport
import Platform
import SyncTransport
import Text
import ZeroMQ

/// Hands an invitation to the watch on which a person types six digits.
enum CodeHandover {
    /// Shows the digits, and waits until a watch has the invitation.
    ///
    /// - Throws: ``CommandFailure`` if no watch fetched it in time, or too many codes were wrong.
    static func offer(_ invitation: InvitationCode, validFor valid: Duration) async throws {
        // Where watches reach the hub, they reach this process, too.
        guard case .tcp(let host, _) = invitation.endpoint.transport else {
            throw CommandFailure(
                "the hub listens at \(invitation.endpoint.text), which no other machine reaches: leave out --code")
        }
        let port = try LocalTools.freePorts(1)[0]
        let offer: CodeOffer
        do {
            let isLocal = LocalAddresses.isLoopback(host)
            offer = try CodeOffer(
                of: invitation.text, at: try Endpoint("tcp://\(isLocal ? host : "0.0.0.0"):\(port)"))
        } catch {
            throw CommandFailure(error)
        }
        let end = Kept<CodeOffer.End>()
        let reason = try await untilStopped {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    end.value = try await offer.run {
                        Output.standard.line(offer.code)
                        Output.errors.line("On the watch: poolsensors watch pair \(offer.code) --hub \(host):\(port)")
                        Output.errors.line("Valid for \(DurationText.text(valid)), for one watch and five tries.")
                    }
                }
                group.addTask { try await Task.sleep(for: valid) }
                defer { group.cancelAll() }
                try await group.next()
            }
        }
        switch end.value {
        case .fetched: Output.errors.line("a watch has the invitation")
        case .guessed: throw CommandFailure("the code was wrong five times, and counts no more: make another one")
        case nil where reason == .finished:
            throw CommandFailure("no watch used the code within \(DurationText.text(valid)): make another one")
        case nil: throw CommandFailure("stopped; the code counts no more")
        }
    }

    /// The invitation behind six digits.
    ///
    /// - Throws: ``CommandFailure``.
    static func invitation(_ code: String, at hub: String) async throws -> String {
        guard let endpoint = EndpointText.read(hub), !endpoint.isWildcard else {
            throw CommandFailure(
                "--hub is \"\(hub)\", expected what `poolsensors pair --code` shows: \(HostAndPort.expected)",
                exitStatus: .usage)
        }
        do {
            return try await CodeFetch.text(with: code, at: endpoint)
        } catch {
            throw CommandFailure(error)
        }
    }
}

import Mosquitto
public import PoolModel
import Synchronization

/// Tries a server with a throw-away client that leaves no session behind (P11).
public enum ServerTrial {
    /// How a trial ended.
    public enum Outcome: Hashable, Sendable {
        /// The broker accepted the client.
        case success
        /// Nothing accepts connections there, or the name leads nowhere.
        case unreachable(String)
        /// The broker does not accept these credentials.
        case badCredentials(String)
        /// TLS failed: another authority, another name, or no TLS there.
        case tlsFailed(String)
        /// Nobody answered in time.
        case timedOut(String)
        /// Something else, in words.
        case failed(String)
    }

    /// Tries a server.
    ///
    /// - Parameters:
    ///   - server: The server.
    ///   - password: Its password, nil for none.
    ///   - timeout: The time until the broker must have answered; 10 s by default.
    /// - Returns: How it ended.
    public static func run(
        _ server: Server, password: String?, timeout: Duration = .seconds(10)
    ) async -> Outcome {
        var options = server.clientOptions(password: password, clientIdentifier: nil)
        options.connectTimeout = timeout
        do {
            let client = try Client(options)
            let address = try server.brokerAddress()
            let first = FirstAnswer()
            return try await withCheckedThrowingContinuation { continuation in
                first.continuation.withLock { $0 = continuation }
                do {
                    try client.connect(to: address) { event in
                        switch event {
                        case .connected:
                            first.resume(returning: .success)
                            client.disconnect()
                        case .ended(let reason): first.resume(returning: Outcome(reason))
                        default: break
                        }
                    }
                } catch {
                    first.resume(returning: .failed("\(error)"))
                }
            }
        } catch {
            return .failed("\(error)")
        }
    }

    /// Lets the first answer through and drops the others.
    private final class FirstAnswer: Sendable {
        let continuation = Mutex<CheckedContinuation<Outcome, any Error>?>(nil)

        func resume(returning outcome: Outcome) {
            let waiting = continuation.withLock { continuation in
                defer { continuation = nil }
                return continuation
            }
            waiting?.resume(returning: outcome)
        }
    }
}

extension ServerTrial.Outcome {
    fileprivate init(_ reason: Client.EndReason) {
        switch reason {
        case .refused(let refusal):
            let isAboutCredentials =
                ReasonCode.badUserNameOrPassword ~= refusal || ReasonCode.notAuthorized ~= refusal
            self = isAboutCredentials ? .badCredentials("\(reason)") : .failed("\(reason)")
        case .tlsFailed: self = .tlsFailed("\(reason)")
        case .timedOut: self = .timedOut("\(reason)")
        case .unreachable, .nameNotFound: self = .unreachable("\(reason)")
        default: self = .failed("\(reason)")
        }
    }

    /// A fixed label: `ok`, `unreachable`, `bad-credentials`, `tls`, `timeout` or `failed`.
    public var code: String {
        switch self {
        case .success: "ok"
        case .unreachable: "unreachable"
        case .badCredentials: "bad-credentials"
        case .tlsFailed: "tls"
        case .timedOut: "timeout"
        case .failed: "failed"
        }
    }

    /// The outcome in words for a person, nil after success.
    public var reason: String? {
        switch self {
        case .success: nil
        case .unreachable(let words), .badCredentials(let words), .tlsFailed(let words), .timedOut(let words),
            .failed(let words):
            words
        }
    }
}

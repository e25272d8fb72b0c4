package import MQTT

/// Tries a broker with a temporary client that leaves no session behind.
package enum BrokerTest {
    /// How a trial ended.
    package enum Outcome: Sendable {
        /// The broker accepted the client.
        case accepted
        /// It did not, or the connection ended.
        case ended(Client.EndReason)
        /// The broker speaks TLS at this port, and was asked without.
        case expectsTLS
        /// The trial could not begin, or was given up; the reason in words.
        case notTried(String)
    }

    /// Tries a broker.
    ///
    /// A connection without TLS that breaks is followed by an attempt with TLS, which sends neither user nor password.
    ///
    /// - Parameters:
    ///   - broker: The broker.
    ///   - password: Its password, nil for none.
    ///   - timeout: The time until the broker must have answered.
    /// - Returns: How it ended.
    package static func run(_ broker: BrokerSettings, password: String?, timeout: Duration) async -> Outcome {
        let outcome = await connect(broker, password: password, timeout: timeout)
        guard !broker.usesTLS, outcome.mayMeanTLS else { return outcome }
        var encrypted = broker
        encrypted.usesTLS = true
        encrypted.userName = nil
        encrypted.identity = nil
        return switch await connect(encrypted, password: nil, timeout: timeout) {
        case .ended(.tlsFailed(.notSpoken, _)), .ended(.unreachable), .ended(.nameNotFound), .ended(.timedOut): outcome
        case .accepted, .ended, .expectsTLS, .notTried: .expectsTLS
        }
    }

    private static func connect(_ broker: BrokerSettings, password: String?, timeout: Duration) async -> Outcome {
        var options = broker.options(password: password, clientIdentifier: nil)
        options.connectTimeout = timeout
        let (outcomes, source) = AsyncStream<Outcome>.makeStream(bufferingPolicy: .bufferingOldest(1))
        do {
            let client = try Client(options)
            try client.connect(to: broker.address()) { event in
                switch event {
                case .connected:
                    source.yield(.accepted)
                    client.disconnect()
                case .ended(let reason): source.yield(.ended(reason))
                case .message, .pause, .published, .subscribed, .unsubscribed: break
                }
            }
        } catch {
            return .notTried("\(error)")
        }
        // A cancelled task does not wait.
        return await outcomes.first { _ in true } ?? .notTried("the trial was given up")
    }
}

extension BrokerTest.Outcome {
    /// Whether a broker that expects TLS could have ended a connection without it in this way.
    fileprivate var mayMeanTLS: Bool {
        switch self {
        case .ended(.refused(let refusal)):
            !(ReasonCode.badUserNameOrPassword ~= refusal || ReasonCode.notAuthorized ~= refusal)
        case .ended(.unreachable), .ended(.nameNotFound), .ended(.tlsFailed), .accepted, .expectsTLS: false
        case .ended, .notTried: true
        }
    }
}

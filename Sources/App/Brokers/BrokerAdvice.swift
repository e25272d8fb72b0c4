package import MQTT

/// What people can do about a broker, in the commands of an app.
package struct BrokerAdvice: Sendable {
    /// What the program is called in a sentence, such as `hub`.
    package var noun: String
    /// The command that changes the broker's settings, such as `lamps broker edit "Home"`.
    package var editCommand: String
    /// The command that tries them, such as `lamps broker test "Home"`.
    package var testCommand: String

    /// Names the commands.
    package init(noun: String, editCommand: String, testCommand: String) {
        self.noun = noun
        self.editCommand = editCommand
        self.testCommand = testCommand
    }

    /// The end of a connection in words, with what a person must do, if anything.
    ///
    /// - Parameters:
    ///   - reason: The end.
    ///   - broker: The broker.
    ///   - wasConnected: Whether the broker had accepted the program before.
    /// - Returns: A clause or two.
    package func words(
        for reason: Client.EndReason, of broker: BrokerSettings, wasConnected: Bool = true
    ) -> String {
        switch reason {
        case .refused(let refusal)
        where ReasonCode.badUserNameOrPassword ~= refusal || ReasonCode.notAuthorized ~= refusal:
            "\(reason); give the right ones with `\(editCommand) --username … --password-stdin`, or allow them at the "
                + "broker: the \(noun) keeps trying, slowly"
        case .refused(let refusal) where refusal.isPermanent:
            "\(reason); the \(noun) keeps trying, slowly"
        case .tlsFailed(let fault, _):
            "\(reason); \(words(for: fault, of: broker)) (`\(editCommand) …`): the \(noun) keeps trying, slowly"
        case .connectionLost where !broker.usesTLS && !wasConnected,
            .protocolViolated where !broker.usesTLS && !wasConnected:
            "\(reason) before it answered; perhaps it expects TLS: run `\(testCommand)`"
        case .timedOut(.awaitingAcknowledgement) where !broker.usesTLS:
            "\(reason); perhaps it expects TLS, or hangs"
        case .closed, .refused, .disconnected, .nameNotFound, .unreachable, .timedOut, .connectionLost,
            .keepAliveExpired, .protocolViolated, .failed:
            "\(reason)"
        }
    }

    /// What a person can do about a fault of TLS.
    package func words(for fault: TLSProblem, of broker: BrokerSettings) -> String {
        switch fault {
        case .notSpoken: "give the port at which the broker speaks TLS, often 8883, or leave TLS out with --no-tls"
        case .unknownAuthority where broker.authorityFile == nil:
            "name the file of the broker's authority with --ca-file"
        case .unknownAuthority:
            "give the file of the broker's own authority with --ca-file instead of \(broker.authorityFile ?? "")"
        case .expired: "have it renewed at the broker, or set the clock of this machine right"
        case .notYetValid: "set the clocks of the broker and of this machine right"
        case .wrongHost: "connect by the name in the certificate, or use a certificate for \(broker.host)"
        case .clientCertificate: "give the \(noun) one that the broker accepts, with --client-cert and --client-key"
        case .other: "compare the versions and settings of TLS at both ends"
        }
    }
}

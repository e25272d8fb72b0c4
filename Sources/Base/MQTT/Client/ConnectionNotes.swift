internal import SystemPackage

/// What libmosquitto's callbacks reported that matters at the end of a connection.
struct ConnectionNotes {
    /// Whether the broker accepted the connection.
    var isConnected = false
    /// The broker's refusal.
    var refusal: ConnectProblem?
    /// The reason in the broker's DISCONNECT.
    var disconnectReason: ReasonCode?
    /// The system's error when libmosquitto closed the socket.
    var systemError: Errno?
    /// A violation of MQTT by the broker that libmosquitto did not detect.
    var violation: ResultCode?
    /// The first error messages of libmosquitto and OpenSSL while connecting.
    private(set) var errorTexts: [String] = []
    /// The last known state of the TLS handshake.
    private(set) var evidence: TLSEvidence?

    /// Updates the state of the TLS handshake, if it is known; once the broker has spoken TLS, that stays recorded.
    mutating func update(_ evidence: TLSEvidence?) {
        guard var evidence else { return }
        if self.evidence?.isSpoken == true { evidence.isSpoken = true }
        if evidence.names.isEmpty { evidence.names = self.evidence?.names ?? [] }
        self.evidence = evidence
    }

    /// Records a line of libmosquitto's log.
    mutating func add(errorText: String, _ evidence: TLSEvidence? = nil) {
        update(evidence)
        guard errorTexts.count < 8 else { return }
        let words = Self.words(of: errorText)
        if !errorTexts.contains(words) { errorTexts.append(words) }
    }

    /// Why the connection ended, if it has.
    ///
    /// - Parameters:
    ///   - result: libmosquitto's last result.
    ///   - isSocketOpen: Whether it still has a socket.
    ///   - isEncrypted: Whether it speaks TLS.
    /// - Returns: The reason; nil while the connection lasts.
    func endReason(after result: ResultCode, isSocketOpen: Bool, isEncrypted: Bool) -> Client.EndReason? {
        if let refusal { return .refused(refusal) }
        if let disconnectReason { return .disconnected(disconnectReason) }
        if let violation { return .protocolViolated(violation) }
        // Until the broker accepts the connection, libmosquitto does not report the progress of TLS. A connection
        // that breaks before that is usually one to a port without TLS.
        let isHandshake = isEncrypted && !isConnected
        switch result {
        case .success: return isSocketOpen ? nil : .disconnected(.success)
        case .tls: return tlsFailure
        case .connectionLost, .systemError: return isHandshake ? tlsFailure : .connectionLost(errorOfLoss(isEncrypted))
        case .keepAlive: return isConnected ? .keepAliveExpired : .timedOut(.awaitingAcknowledgement)
        case .protocolError, .malformedPacket, .malformedText, .duplicateProperty: return .protocolViolated(result)
        default: return .failed(result)
        }
    }

    /// The failure of TLS, with the available error messages.
    var tlsFailure: Client.EndReason {
        let problem = TLSProblem(evidence, errorTexts: errorTexts)
        if problem == .wrongHost, let names = evidence?.names, !names.isEmpty {
            let shown = names.map { String($0.unicodeScalars.filter { $0.properties.generalCategory != .control }) }
            return .tlsFailed(problem, words: "it names \(shown.joined(separator: ", "))")
        }
        let words = errorTexts.isEmpty ? "the broker broke off the handshake" : errorTexts.joined(separator: "; ")
        return .tlsFailed(problem, words: words)
    }

    /// libmosquitto reports every end of a TLS connection without a close alert as EPROTO, which has no information.
    private func errorOfLoss(_ isEncrypted: Bool) -> Errno? {
        isEncrypted && systemError == .protocolError ? nil : systemError
    }

    /// The text of an error message: without `Error: `; of `OpenSSL Error[0]: error:0A000086:SSL routines::reason`
    /// only the reason and the number.
    private static func words(of errorText: String) -> String {
        let parts = errorText.split(separator: ":", omittingEmptySubsequences: false)
        if errorText.hasPrefix("OpenSSL Error["), parts.count >= 6 {
            return "\(parts[5...].joined(separator: ":")) (OpenSSL \(parts[2]))"
        }
        let start = errorText.hasPrefix("Error: ") ? errorText.dropFirst(7) : errorText[...]
        return String(start.hasSuffix(".") ? start.dropLast() : start)
    }
}

/// What libmosquitto's callbacks have said that matters at the end of a connection.
struct ConnectionNotes {
    /// Whether the broker accepted the connection.
    var isConnected = false
    /// The broker's "no".
    var refusal: ConnectRefusal?
    /// The reason in the broker's goodbye.
    var farewell: ReasonCode?
    /// The system's error when libmosquitto closed the socket.
    var systemError: SystemError?
    /// What the broker did that MQTT does not allow, where libmosquitto did not notice.
    var violation: ResultCode?
    /// What libmosquitto and OpenSSL complained about while connecting; the first few.
    private(set) var complaints: [String] = []
    /// What was known of the broker last.
    private(set) var evidence: TLSEvidence?

    /// Notes what is known of the broker now, if anything is; that it speaks TLS stays known.
    mutating func see(_ evidence: TLSEvidence?) {
        guard var evidence else { return }
        if self.evidence?.isSpoken == true { evidence.isSpoken = true }
        self.evidence = evidence
    }

    /// Notes a line of libmosquitto's log.
    mutating func add(complaint: String, _ evidence: TLSEvidence? = nil) {
        see(evidence)
        guard complaints.count < 8 else { return }
        let words = Self.words(of: complaint)
        if !complaints.contains(words) { complaints.append(words) }
    }

    /// Why the connection ended, if it has.
    ///
    /// - Parameters:
    ///   - result: What libmosquitto returned last.
    ///   - isSocketOpen: Whether it still has a socket.
    ///   - isEncrypted: Whether it speaks TLS.
    /// - Returns: The reason; nil while the connection goes on.
    func endReason(after result: ResultCode, isSocketOpen: Bool, isEncrypted: Bool) -> Client.EndReason? {
        if let refusal { return .refused(refusal) }
        if let farewell { return .disconnected(farewell) }
        if let violation { return .protocolViolated(violation) }
        // Before the acknowledgement libmosquitto does not say how far it got with TLS. A connection that breaks then
        // is most often one to a port that does not speak TLS.
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

    /// The failure of TLS, in the words that there are.
    var tlsFailure: Client.EndReason {
        let words = complaints.isEmpty ? "the broker broke off the handshake" : complaints.joined(separator: "; ")
        return .tlsFailed(TLSFault(evidence, complaints: complaints), words: words)
    }

    /// libmosquitto reports every end of a TLS connection without a goodbye as EPROTO, which says nothing.
    private func errorOfLoss(_ isEncrypted: Bool) -> SystemError? {
        isEncrypted && systemError == .protocolError ? nil : systemError
    }

    /// The words of a complaint: without `Error: `, and of `OpenSSL Error[0]: error:0A000086:SSL routines::reason` the
    /// reason and the number.
    private static func words(of complaint: String) -> String {
        let parts = complaint.split(separator: ":", omittingEmptySubsequences: false)
        if complaint.hasPrefix("OpenSSL Error["), parts.count >= 6 {
            return "\(parts[5...].joined(separator: ":")) (OpenSSL \(parts[2]))"
        }
        let start = complaint.hasPrefix("Error: ") ? complaint.dropFirst(7) : complaint[...]
        return String(start.hasSuffix(".") ? start.dropLast() : start)
    }
}

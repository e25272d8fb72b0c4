extension Client {
    /// The contents of a client's connect packet, and the client's limits.
    ///
    /// The values are checked when the client is created.
    public struct Options: Hashable, Sendable {
        /// What the broker keeps while the client is away.
        public enum Session: Hashable, Sendable {
            /// Nothing: an earlier session is discarded, and nothing is kept afterwards.
            case clean
            /// The subscriptions, and messages of QoS 1 and 2 that arrive meanwhile.
            ///
            /// They are kept for this many seconds; `UInt32.max` means without limit. A broker of MQTT 3.1.1 does not
            /// get the number and uses its own.
            case persistent(expirySeconds: UInt32)
        }

        /// The version of MQTT; default: 3.1.1.
        public var protocolVersion: ProtocolVersion = .v311
        /// The identifier by which the broker finds the client's session; 1…65535 bytes of UTF-8.
        ///
        /// If two connections have the same identifier, the broker ends the older one. Nil lets the broker choose
        /// one, which requires a clean session; default: nil.
        public var clientIdentifier: String?
        /// What the broker keeps while the client is away; default: nothing.
        public var session: Session = .clean
        /// The seconds of silence after which the client checks whether the broker still answers; 0 for never, or at
        /// least 5.
        ///
        /// A silent broker is detected within twice that time; default: 30.
        public var keepAliveSeconds: UInt16 = 30
        /// The time limit from the connect call to the broker's answer, above zero.
        ///
        /// It includes the name lookup, the connection, TLS and the answer; default: 10 s.
        public var connectTimeout: Duration = .seconds(10)
        /// The message to publish if the client disappears without DISCONNECT; default: none.
        public var will: Will?
        /// The user name and password; default: none, not even empty ones.
        public var credentials: Credentials?
        /// The encryption of the connection; default: none.
        public var tls: TLSConfiguration?
        /// How many messages of QoS 1 and 2 the broker may send before the first is acknowledged; at least 1.
        ///
        /// Only brokers of MQTT 5.0 get this value. Default: 20.
        public var receiveMaximum: UInt16 = 20
        /// How many messages are read before there is a ``Client/Event/pause`` and they are acknowledged; 1…64.
        ///
        /// With more messages, one write to the disk can store all of them. It should be less than what a broker
        /// sends before it waits for an acknowledgement, so that the broker does not have to wait; default: 1.
        public var messagesBetweenPauses: Int = 1
        /// The largest accepted packet in bytes; at least 1, nil for no limit.
        ///
        /// Only brokers of MQTT 5.0 get this value; they drop larger messages. Default: nil.
        public var maximumPacketByteCount: UInt32?
        /// The most unfinished publishes; at least 1.
        ///
        /// A publish is finished by the broker's acknowledgement, or at QoS 0 when the message was passed to the
        /// system. Of those with QoS 1 and 2, at most 20 are on their way at a time, or as many as a broker of MQTT
        /// 5.0 allows; the others wait in memory; default: 1000.
        public var maximumOutstandingPublishes: Int = 1000

        /// Creates the default options.
        public init() {}
    }
}

extension Client.Options {
    /// Checks every value.
    ///
    /// - Throws: ``MQTTError/invalidOption(name:value:expected:)`` for the first one outside its range;
    ///   ``MQTTError/notSupported(feature:_:)`` for options that the version of MQTT does not have.
    public func validate() throws(MQTTError) {
        try validateSession()
        let isKeepAlive = keepAliveSeconds == 0 || keepAliveSeconds >= 5
        try require(isKeepAlive, "keepAliveSeconds", keepAliveSeconds, "0 or 5…65535")
        try require(connectTimeout > .zero, "connectTimeout", connectTimeout, "more than zero")
        try require(receiveMaximum >= 1, "receiveMaximum", receiveMaximum, "1…65535")
        let isPausing = (1...64).contains(messagesBetweenPauses)
        try require(isPausing, "messagesBetweenPauses", messagesBetweenPauses, "1…64")
        try require(maximumPacketByteCount != 0, "maximumPacketByteCount", "0", "at least 1, or nil")
        try require(
            maximumOutstandingPublishes >= 1, "maximumOutstandingPublishes", maximumOutstandingPublishes, "at least 1")
        if let will { try validate(will) }
        if let credentials { try validate(credentials) }
    }

    private func validateSession() throws(MQTTError) {
        guard let clientIdentifier else {
            let isFindable = session == .clean
            return try require(isFindable, "clientIdentifier", "nil", "a text, by which the session is found again")
        }
        try require(!clientIdentifier.isEmpty, "clientIdentifier", "empty", "1…65535 bytes, or nil to get one")
        try require(text: clientIdentifier, "clientIdentifier")
    }

    private func validate(_ will: Will) throws(MQTTError) {
        let byteCount = will.payload.count
        let isSendable = byteCount <= TextValidation.maximumByteCount
        try require(isSendable, "will payload", "\(byteCount) bytes", "at most 65535 bytes")
        if will.delaySeconds > 0, protocolVersion != .v5 {
            throw .notSupported(feature: "delay for a will", protocolVersion)
        }
    }

    private func validate(_ credentials: Credentials) throws(MQTTError) {
        try require(text: credentials.userName, "userName")
        guard let password = credentials.password else { return }
        let isSendable =
            password.utf8.count <= TextValidation.maximumByteCount && !password.unicodeScalars.contains("\0")
        try require(isSendable, "password", "hidden", "at most 65535 bytes of UTF-8 without U+0000")
    }

    private func require(text: String, _ name: String) throws(MQTTError) {
        if let fault = TextValidation.fault(of: text) {
            throw .invalidOption(name: name, value: text.asShown, expected: "another text: \(fault)")
        }
    }

    private func require(
        _ isMet: Bool, _ name: String, _ value: some CustomStringConvertible, _ expected: String
    ) throws(MQTTError) {
        if !isMet { throw .invalidOption(name: name, value: "\(value)", expected: expected) }
    }
}

/// The identifier of a server record.
public typealias ServerID = Identifier<Server>

/// An MQTT broker that devices publish to.
///
/// It does not contain the password, which is in the hub's store of secrets, under ``id``. A watch never sees a
/// server, only its ``WatchServer``.
public struct Server: Identified, Codable, Hashable, Sendable {
    /// The version of MQTT.
    public enum ProtocolVersion: String, CaseIterable, Codable, Sendable {
        /// MQTT 3.1.1, which every broker supports.
        case v3 = "3.1.1"
        /// MQTT 5.
        case v5 = "5"
    }

    /// The hub's own certificate, with which it authenticates to a broker.
    public struct ClientCertificate: Codable, Hashable, Sendable {
        /// The path of the PEM file with the certificate, followed by its intermediate authorities.
        public var certificateFile: String
        /// The path of the PEM file with the key, which must not be encrypted.
        public var keyFile: String

        /// Creates a pair of paths without checking them.
        public init(certificateFile: String, keyFile: String) {
            self.certificateFile = certificateFile
            self.keyFile = keyFile
        }
    }

    /// The identifier; no edit changes it.
    public let id: ServerID
    /// The name for people; 1…256 bytes, not only blanks.
    public var name: String
    /// The host name, IPv4 address, or IPv6 address without brackets.
    public var host: String
    /// The TCP port; 1…65535.
    public var port: Int
    /// The user name, nil to connect without one.
    ///
    /// An empty name is sent as a name.
    public var username: String?
    /// Whether to connect with TLS; certificates and the host name are then always verified.
    public var usesTLS: Bool
    /// The path of the trusted certificates, nil for those of the system; only with TLS.
    public var caFile: String?
    /// The hub's own certificate, for a broker that requires one; nil for none, only with TLS.
    public var clientCertificate: ClientCertificate?
    /// The version of MQTT.
    public var protocolVersion: ProtocolVersion
    /// The prefix under which the hub announces its corrected values to Home Assistant, nil for no announcement.
    public var announcementPrefix: String?
    /// What people should know of the server; 1…500 visible characters, nil for nothing.
    public var note: String?

    /// Creates a server without checking it; ``PoolConfiguration/adding(_:)-(Server)`` checks it.
    ///
    /// Without a port it is ``defaultPort(usesTLS:)``.
    public init(
        id: ServerID, name: String, host: String, port: Int? = nil, username: String? = nil, usesTLS: Bool = false,
        caFile: String? = nil, clientCertificate: ClientCertificate? = nil, protocolVersion: ProtocolVersion = .v3,
        announcementPrefix: String? = nil
    ) {
        self.id = id
        self.name = name
        self.host = host
        self.port = port ?? Self.defaultPort(usesTLS: usesTLS)
        self.username = username
        self.usesTLS = usesTLS
        self.caFile = caFile
        self.clientCertificate = clientCertificate
        self.protocolVersion = protocolVersion
        self.announcementPrefix = announcementPrefix
    }

    /// The most characters of a ``note``.
    static let noteLengthMax = 500

    /// Where it is, as people write it: an IPv6 address in brackets.
    package var address: String { "\(HostAndPort(host: host, port: port))" }

    /// The range of ports.
    public static let portRange = 1...65535

    /// The registered port for MQTT: 1883, or 8883 with TLS.
    public static func defaultPort(usesTLS: Bool) -> Int { usesTLS ? 8883 : 1883 }

    /// The port in a text, such as an argument of a command.
    ///
    /// - Throws: ``ConfigurationError/portNotANumber(_:)`` and ``ConfigurationError/portOutOfRange(_:)``.
    public static func port(from text: String) throws(ConfigurationError) -> Int {
        let isNumber = !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        // A number that does not fit into an Int is still a number, but too large.
        guard let port = Int(text) ?? (isNumber ? .max : nil), !text.hasPrefix("+") else { throw .portNotANumber(text) }
        guard portRange.contains(port) else { throw .portOutOfRange(port) }
        return port
    }

    /// Checks every field against its documented range.
    ///
    /// - Throws: The first ``ConfigurationError`` in the order of the fields.
    public func validate() throws(ConfigurationError) {
        try checkFields()
    }
}

/// The address of a broker: a host and a TCP port.
public struct BrokerAddress: Hashable, Sendable {
    /// A host name, an IPv4 address, or an IPv6 address without brackets.
    ///
    /// With TLS it is also the name that the broker's certificate must have.
    public let host: String
    /// The port, 1…65535; usual are 1883, and 8883 for TLS.
    public let port: Int

    /// Creates an address.
    ///
    /// It does not check whether a broker is there.
    ///
    /// - Throws: ``MQTTError/invalidOption(name:value:expected:)`` for an invalid host, or a port outside 1…65535.
    public init(host: String, port: Int) throws(MQTTError) {
        guard Self.canBeHost(host) else {
            let expected = "a host name or an IP address, without scheme or brackets"
            throw .invalidOption(name: "host", value: host.asShown, expected: expected)
        }
        guard (1...65_535).contains(port) else {
            throw .invalidOption(name: "port", value: "\(port)", expected: "1…65535")
        }
        self.host = host
        self.port = port
    }

    private static func canBeHost(_ text: String) -> Bool {
        let isClean = text.unicodeScalars.allSatisfy { scalar in
            !TextValidation.isForbidden(scalar) && !" /[]@".unicodeScalars.contains(scalar)
        }
        return isClean && (1...255).contains(text.utf8.count)
    }
}

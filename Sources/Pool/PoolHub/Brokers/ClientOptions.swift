import MQTT
import PoolModel

extension Server {
    /// What the hub says to this server's broker when it connects.
    ///
    /// - Parameters:
    ///   - password: The password, nil for none.
    ///   - clientIdentifier: The name of the hub at this broker, nil for a throw-away one.
    /// - Returns: The options; with a name the broker keeps the session for a day.
    func clientOptions(password: String?, clientIdentifier: String?) -> Client.Options {
        var options = Client.Options()
        switch protocolVersion {
        case .v3: options.protocolVersion = .v311
        case .v5: options.protocolVersion = .v5
        }
        if let clientIdentifier {
            options.clientIdentifier = clientIdentifier
            options.session = .persistent(expirySeconds: 86_400)
        }
        // No user name, no password: an empty one would be another packet.
        options.credentials = username.map { Credentials(userName: $0, password: password) }
        if usesTLS {
            options.tls = TLSConfiguration(trust: caFile.map { .file(path: $0) } ?? .system)
            options.tls?.identity = clientCertificate.map {
                TLSConfiguration.Identity(certificatePath: $0.certificateFile, keyPath: $0.keyFile)
            }
        }
        options.keepAliveSeconds = 60
        return options
    }

    /// Where the server's broker listens.
    ///
    /// - Throws: `MQTTError` for an address that cannot be one.
    func brokerAddress() throws(MQTTError) -> BrokerAddress {
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        return try BrokerAddress(host: isBracketed ? String(host.dropFirst().dropLast()) : host, port: port)
    }
}

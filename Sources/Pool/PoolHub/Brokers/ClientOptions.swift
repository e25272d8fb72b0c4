import MQTT
import PoolModel

extension Server {
    /// The options of the hub's connection to this server's broker.
    ///
    /// - Parameters:
    ///   - password: The password; nil for none.
    ///   - clientIdentifier: The hub's client identifier at this broker; nil for a temporary client.
    /// - Returns: The options; with a client identifier the broker keeps the session for a day.
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
        // Without a user name there is no password either; an empty user name would be sent.
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

    /// The address of the server's broker.
    ///
    /// - Throws: `MQTTError` for an invalid address.
    func brokerAddress() throws(MQTTError) -> BrokerAddress {
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        return try BrokerAddress(host: isBracketed ? String(host.dropFirst().dropLast()) : host, port: port)
    }
}

package import MQTT

/// How an app reaches an MQTT broker; the password is given apart.
package struct BrokerSettings: Hashable, Sendable {
    /// A certificate with which an app proves who it is.
    package struct Identity: Hashable, Sendable {
        /// The path of the certificate, a PEM file.
        package var certificateFile: String
        /// The path of its key, a PEM file.
        package var keyFile: String

        /// Names the two files.
        package init(certificateFile: String, keyFile: String) {
            self.certificateFile = certificateFile
            self.keyFile = keyFile
        }
    }

    /// What people call the broker.
    package var name: String
    /// The host name or address; an IPv6 address may be in brackets.
    package var host: String
    /// The port, 1…65535.
    package var port: Int
    /// The version of the protocol.
    package var protocolVersion = ProtocolVersion.v5
    /// The user name; nil for none, and then there is no password either.
    package var userName: String?
    /// Whether the connection is encrypted.
    package var usesTLS = false
    /// The path of the file with the trusted authorities; nil for those of the system.
    package var authorityFile: String?
    /// The certificate that the broker may ask for; nil for none.
    package var identity: Identity?

    /// Names a broker without TLS and user.
    package init(name: String, host: String, port: Int = 1883) {
        self.name = name
        self.host = host
        self.port = port
    }

    /// The options of a connection.
    ///
    /// - Parameters:
    ///   - password: The password; nil for none.
    ///   - clientIdentifier: The client's identifier at this broker; nil for a temporary client.
    /// - Returns: The options; with a client identifier the broker keeps the session for a day.
    package func options(password: String?, clientIdentifier: String?) -> Client.Options {
        var options = Client.Options()
        options.protocolVersion = protocolVersion
        if let clientIdentifier {
            options.clientIdentifier = clientIdentifier
            options.session = .persistent(expirySeconds: 86_400)
        }
        // Without a user name there is no password either; an empty user name would be sent.
        options.credentials = userName.map { Credentials(userName: $0, password: password) }
        if usesTLS {
            options.tls = TLSConfiguration(trust: authorityFile.map { .file(path: $0) } ?? .system)
            options.tls?.identity = identity.map {
                TLSConfiguration.Identity(certificatePath: $0.certificateFile, keyPath: $0.keyFile)
            }
        }
        options.keepAliveSeconds = 60
        return options
    }

    /// The address.
    ///
    /// - Throws: `MQTTError` for an invalid host or port.
    package func address() throws(MQTTError) -> BrokerAddress {
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        return try BrokerAddress(host: isBracketed ? String(host.dropFirst().dropLast()) : host, port: port)
    }
}

extension BrokerSettings {
    /// A session at the broker, which connects again by itself; it does nothing until it is run.
    ///
    /// - Parameters:
    ///   - password: The password; nil for none.
    ///   - clientIdentifier: The client's identifier at this broker, which no other client may use; nil for a temporary client,
    ///     for which the broker keeps nothing.
    ///   - will: What the broker publishes when the connection breaks; nil for nothing.
    ///   - birth: What is published at the will's topic after each connection; nil for nothing.
    ///   - memory: Stores the subscriptions; nil to forget them.
    ///   - stepsDown: Whether it goes on with MQTT 3.1.1 at a broker that refuses MQTT 5.0.
    ///   - onMessages: Messages that arrived together; called on the network thread, and may block to store them.
    ///   - onStatus: The status changed; called once at a time and in order, on any thread.
    /// - Returns: The session. An address that cannot be is a status of it.
    package func session(
        password: String?, clientIdentifier: String?, will: Will? = nil, birth: [UInt8]? = nil,
        memory: SubscriptionMemory? = nil, stepsDown: Bool = false,
        onMessages: @escaping @Sendable ([Message]) -> MessageDisposition,
        onStatus: @escaping @Sendable (SessionStatus) -> Void = { _ in }
    ) -> BrokerSession {
        var options = options(password: password, clientIdentifier: clientIdentifier)
        options.will = will
        let destination: BrokerSession.Destination
        do {
            destination = .broker(try address())
        } catch {
            destination = .none(reason: "\(error)")
        }
        let key = "\(host):\(port)"
        // Filters that a later version stored may be unknown here.
        let remembered = (memory?.filters(of: key) ?? []).compactMap { try? TopicFilter($0) }
        var configuration = BrokerSession.Configuration(destination: destination, options: options, birth: birth)
        configuration.stepsDown = stepsDown
        return BrokerSession(
            configuration, remembered: Set(remembered),
            handlers: BrokerSession.Handlers(
                onMessages: { messages, _ in onMessages(messages) }, onCopy: { _ in }, onStatus: onStatus,
                onRemember: { memory?.note(Set($0.map(\.text)), of: key) }))
    }
}

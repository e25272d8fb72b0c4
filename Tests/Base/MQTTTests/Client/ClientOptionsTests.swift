import Testing

@testable import MQTT

@Suite struct ClientOptionsTests {
    private func options(_ change: (inout Client.Options) throws -> Void) rethrows -> Client.Options {
        var options = Client.Options()
        options.clientIdentifier = "someone"
        try change(&options)
        return options
    }

    /// The error with which a client is refused; nil if there is one.
    private func error(_ change: (inout Client.Options) throws -> Void) rethrows -> MQTTError? {
        let options = try options(change)
        do {
            _ = try Client(options)
            return nil
        } catch {
            return error
        }
    }

    @Test func `the defaults make a client`() throws {
        _ = try Client()
    }

    @Test(arguments: [UInt16(0), 5, 30, .max])
    func `a keep alive is nothing or at least five seconds`(seconds: UInt16) {
        #expect(error { $0.keepAliveSeconds = seconds } == nil)
    }

    @Test(arguments: [UInt16(1), 4])
    func `a shorter keep alive is refused`(seconds: UInt16) {
        let expected = MQTTError.invalidOption(
            name: "keepAliveSeconds", value: "\(seconds)", expected: "0 or 5…65535")

        #expect(error { $0.keepAliveSeconds = seconds } == expected)
        #expect(expected.description == "keepAliveSeconds is \(seconds), expected 0 or 5…65535")
    }

    @Test(arguments: ProtocolVersion.allCases)
    func `a persistent session needs a name`(version: ProtocolVersion) {
        let refusal = error {
            $0.protocolVersion = version
            $0.clientIdentifier = nil
            $0.session = .persistent(expirySeconds: 60)
        }

        #expect(refusal?.code == "invalid-option")
        #expect(refusal?.description.hasPrefix("clientIdentifier is nil, expected") == true)
    }

    @Test func `a name is a text of MQTT`() {
        #expect(error { $0.clientIdentifier = "" }?.code == "invalid-option")
        #expect(error { $0.clientIdentifier = "a\0b" }?.description.contains("U+0000") == true)
        #expect(error { $0.clientIdentifier = String(repeating: "x", count: 65_535) } == nil)
        #expect(error { $0.clientIdentifier = String(repeating: "x", count: 65_536) }?.code == "invalid-option")
    }

    @Test func `limits that nothing could meet are refused`() {
        #expect(error { $0.connectTimeout = .zero }?.description.contains("connectTimeout") == true)
        #expect(error { $0.receiveMaximum = 0 }?.description.contains("receiveMaximum") == true)
        #expect(error { $0.messagesBetweenPauses = 0 }?.description.contains("1…64") == true)
        #expect(error { $0.messagesBetweenPauses = 65 }?.description.contains("65") == true)
        #expect(error { $0.maximumPacketByteCount = 0 }?.description.contains("maximumPacketByteCount") == true)
        #expect(error { $0.maximumOutstandingPublishes = 0 }?.description.contains("maximumOutstanding") == true)
    }

    @Test func `a will has at most 65535 bytes`() throws {
        let topic = try TopicName("status")

        #expect(error { $0.will = Will(topic: topic, payload: Array(repeating: 0, count: 65_535)) } == nil)
        #expect(
            error { $0.will = Will(topic: topic, payload: Array(repeating: 0, count: 65_536)) }
                == .invalidOption(name: "will payload", value: "65536 bytes", expected: "at most 65535 bytes"))
    }

    @Test func `only MQTT 5 delays a will`() throws {
        let will = Will(topic: try TopicName("status"), payload: [], delaySeconds: 1)

        #expect(error { $0.will = will } == .notSupported(feature: "delay for a will", .v311))
        #expect(
            error {
                $0.protocolVersion = .v5
                $0.will = will
            } == nil)
    }

    @Test func `a password that cannot be sent is refused without being shown`() {
        let secrets = ["hunter2\0", String(repeating: "hunter2", count: 10_000)]
        for secret in secrets {
            let refusal = error { $0.credentials = Credentials(userName: "me", password: secret) }

            #expect(refusal?.description == "password is hidden, expected at most 65535 bytes of UTF-8 without U+0000")
        }
    }

    // Row P7: the password is nowhere to be seen.
    @Test func `options never print the password`() {
        let options = options { $0.credentials = Credentials(userName: "me", password: "hunter2") }
        var dumped = ""
        dump(options, to: &dumped)

        #expect(!"\(options)\(String(reflecting: options))\(dumped)".contains("hunter2"))
        #expect("\(options)".contains("me, password hidden"))
    }

    @Test func `a certificate that cannot be read is named`() {
        let trust = error { $0.tls = TLSConfiguration(trust: .file(path: "no/such.pem")) }
        let identity = TLSConfiguration.Identity(certificatePath: "no/certificate.pem", keyPath: "no/key.pem")
        let own = error { $0.tls = TLSConfiguration(identity: identity) }

        #expect(trust?.description.hasPrefix("cannot read no/such.pem: No such file") == true)
        #expect(own?.description.hasPrefix("cannot read no/certificate.pem: No such file") == true)
    }
}

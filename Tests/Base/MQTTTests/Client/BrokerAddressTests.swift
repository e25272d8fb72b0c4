import Testing

@testable import MQTT

@Suite struct BrokerAddressTests {
    @Test(arguments: ["localhost", "10.0.0.1", "fe80::1", "fe80::1%eth0", "my_broker.example-1.org", "größe.local"])
    func `a host is a name or an address`(host: String) throws {
        #expect(try BrokerAddress(host: host, port: 1883).host == host)
    }

    // Row P4.
    @Test(arguments: [
        "", "mqtt://broker", "http://broker", "broker/path", "two words", "[::1]", "me@broker", "a\0b", "a\nb",
        String(repeating: "x", count: 256),
    ])
    func `a text that is no host is refused`(host: String) {
        #expect {
            try BrokerAddress(host: host, port: 1883)
        } throws: { error in
            (error as? MQTTError)?.code == "invalid-option"
        }
    }

    // Row P5: an error, not a crash.
    @Test(arguments: [0, -1, 65_536, .max, .min])
    func `a port outside the range is refused`(port: Int) {
        #expect(throws: MQTTError.invalidOption(name: "port", value: "\(port)", expected: "1…65535")) {
            try BrokerAddress(host: "localhost", port: port)
        }
    }
}

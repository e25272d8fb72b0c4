import Testing

@testable import poolsensors

@Suite struct ServerAddressTests {
    @Test(arguments: [
        ("127.0.0.1:1883", "127.0.0.1", 1883), ("broker.local", "broker.local", nil), ("[::1]:8883", "::1", 8883),
        ("[fe80::1]", "fe80::1", nil), ("::1", "::1", nil), ("localhost:1", "localhost", 1),
    ])
    func `a broker is read as people write it`(text: String, host: String, port: Int?) throws {
        let address = try #require(ServerAddress(text))

        #expect(address.host == host)
        #expect(address.port == port)
    }

    @Test(arguments: [
        "", ":1883", "host:", "host:0", "host:65536", "host:+1", "host:x", "[::1", "[::1]x", "a b", "mqtt://h",
    ])
    func `anything else is no broker`(text: String) {
        #expect(ServerAddress(text) == nil)
    }

    @Test(arguments: ["127.0.0.1:1883", "broker.local", "[::1]:8883", "[fe80::1]"])
    func `an address is shown as it is written`(text: String) {
        #expect(ServerAddress(text)?.description == text)
    }
}

import PoolSamples
import Testing

@testable import PoolModel

@Suite struct ServerTests {
    @Test(arguments: [("broker.lan", "broker.lan:1883"), ("10.0.0.2", "10.0.0.2:1883"), ("fd00::2", "[fd00::2]:1883")])
    func `P4 an address has its port, and IPv6 in brackets`(host: String, address: String) {
        #expect(Server(id: ryokan.id, name: "Garden", host: host).address == address)
    }

    @Test(arguments: [1, 1883, 8883, 65535])
    func `P5 a port from 1 to 65535 is valid`(port: Int) throws {
        var server = ryokan
        server.port = port

        try server.validate()
        #expect(try Server.port(from: "\(port)") == port)
    }

    @Test(arguments: [0, -1, 65536, .max, .min])
    func `P5 any other port is an error that names it, not a trap`(port: Int) {
        var server = ryokan
        server.port = port

        #expect(throws: ConfigurationError.portOutOfRange(port)) { try server.validate() }
        #expect(ConfigurationError.portOutOfRange(port).description.contains("\(port)"))
        #expect(throws: ConfigurationError.portOutOfRange(port)) { try Server.port(from: "\(port)") }
    }

    @Test(arguments: ["abc", "", "18 83", "1883x", "+1883", "0x10", "１８８３", "-"])
    func `P5 a port that is not a number is refused`(text: String) {
        #expect(throws: ConfigurationError.portNotANumber(text)) { try Server.port(from: text) }
    }

    @Test func `P5 a number too large for the machine is out of range`() {
        #expect(throws: ConfigurationError.portOutOfRange(.max)) {
            try Server.port(from: "99999999999999999999999999")
        }
    }

    @Test(arguments: ["", " ", "\t\n", "\u{2003}"])
    func `P3 an empty name is refused`(name: String) {
        var server = ryokan
        server.name = name

        #expect(throws: ConfigurationError.nameEmpty(.server)) { try server.validate() }
    }

    @Test func `P3 a name may have 256 bytes and no more`() throws {
        var server = ryokan
        server.name = String(repeating: "é", count: 128)
        try server.validate()

        server.name += "x"
        #expect(throws: ConfigurationError.nameTooLong(.server, byteCount: 257, limit: 256)) {
            try server.validate()
        }
    }

    @Test func `P6 no user name and an empty one are different servers`() throws {
        var server = ryokan
        server.username = ""
        try server.validate()
        #expect(server != ryokan)

        let configuration = try PoolConfiguration().adding(server)
        #expect(PoolConfiguration(entries: configuration.entries()).servers.first?.username == "")
        let anonymous = try PoolConfiguration().adding(ryokan)
        #expect(PoolConfiguration(entries: anonymous.entries()).servers.first?.username == nil)
    }

    @Test func `a user name that MQTT cannot send is refused`() {
        var server = ryokan
        for name in ["a\0b", "a\u{1B}b", "a\u{202E}b", String(repeating: "x", count: 65536)] {
            server.username = name
            #expect(throws: ConfigurationError.usernameInvalid(name)) { try server.validate() }
        }
    }

    @Test func `a certificate file without TLS is refused, because it would protect nothing`() {
        var server = home
        server.usesTLS = false
        #expect(throws: ConfigurationError.caFileWithoutTLS("/etc/pool/ca.pem")) { try server.validate() }

        server = home
        server.caFile = ""
        #expect(throws: ConfigurationError.caFileInvalid("")) { try server.validate() }
    }

    @Test func `the default port follows TLS`() {
        #expect(Server(id: serverID(9), name: "A", host: "a").port == 1883)
        #expect(Server(id: serverID(9), name: "A", host: "a", usesTLS: true).port == 8883)
    }

    @Test func `P7 a server has no password`() {
        let fields = Mirror(reflecting: home).children.compactMap(\.label)
        #expect(
            fields == [
                "id", "name", "host", "port", "username", "usesTLS", "caFile", "clientCertificate", "protocolVersion",
                "announcementPrefix", "note",
            ])
    }
}

import Testing

@testable import ZeroMQ

@Suite struct EndpointTests {
    static let longestPath = String(repeating: "p", count: Endpoint.ipcPathByteCountMax)
    static let longestName = String(repeating: "n", count: 255)

    @Test(arguments: [
        ("tcp://127.0.0.1:5555", Endpoint.Transport.tcp(host: "127.0.0.1", port: 5555), false),
        ("tcp://*:5555", .tcp(host: "*", port: 5555), true),
        ("tcp://127.0.0.1:0", .tcp(host: "127.0.0.1", port: 0), true),
        ("tcp://127.0.0.1:*", .tcp(host: "127.0.0.1", port: 0), true),
        ("tcp://*:*", .tcp(host: "*", port: 0), true),
        ("tcp://localhost:65535", .tcp(host: "localhost", port: 65_535), false),
        ("tcp://pool-hub.example.org:1", .tcp(host: "pool-hub.example.org", port: 1), false),
        ("tcp://eth0:5555", .tcp(host: "eth0", port: 5555), false),
        ("tcp://[::1]:5555", .tcp(host: "[::1]", port: 5555), false),
        ("tcp://[::]:0", .tcp(host: "[::]", port: 0), true),
        ("tcp://[fe80::1%eth0]:5555", .tcp(host: "[fe80::1%eth0]", port: 5555), false),
        ("ipc:///run/pool/hub.sock", .ipc(path: "/run/pool/hub.sock"), false),
        ("ipc://relative", .ipc(path: "relative"), false),
        ("ipc://@abstract", .ipc(path: "@abstract"), false),
        ("ipc://*", .ipc(path: "*"), true),
        ("ipc://\(longestPath)", .ipc(path: longestPath), false),
        ("inproc://name with spaces", .inproc(name: "name with spaces"), false),
        ("inproc://\(longestName)", .inproc(name: longestName), false),
    ])
    func `an endpoint is read`(text: String, transport: Endpoint.Transport, isWildcard: Bool) throws {
        let endpoint = try Endpoint(text)

        #expect(endpoint.transport == transport)
        #expect(endpoint.isWildcard == isWildcard)
        #expect(try Endpoint(endpoint.text) == endpoint)
        #expect(endpoint.description == endpoint.text)
    }

    @Test(arguments: [
        ("", EndpointError.unknownTransport(text: "")),
        ("127.0.0.1:5555", .unknownTransport(text: "127.0.0.1:5555")),
        ("TCP://127.0.0.1:5555", .unknownTransport(text: "TCP://127.0.0.1:5555")),
        ("udp://127.0.0.1:5555", .unknownTransport(text: "udp://127.0.0.1:5555")),
        ("tcp://", .emptyName(text: "tcp://")),
        ("tcp://host", .missingPort(text: "tcp://host")),
        ("tcp://host:", .missingPort(text: "tcp://host:")),
        ("tcp://[::1]", .missingPort(text: "tcp://[::1]")),
        ("tcp://host:65536", .invalidPort(text: "tcp://host:65536", port: "65536")),
        ("tcp://host:-1", .invalidPort(text: "tcp://host:-1", port: "-1")),
        ("tcp://host:+80", .invalidPort(text: "tcp://host:+80", port: "+80")),
        ("tcp://host:http", .invalidPort(text: "tcp://host:http", port: "http")),
        ("tcp://:5555", .invalidHost(text: "tcp://:5555", host: "")),
        ("tcp://::1:5555", .invalidHost(text: "tcp://::1:5555", host: "::1")),
        ("tcp://[::1:5555", .invalidHost(text: "tcp://[::1:5555", host: "[::1")),
        ("tcp://[::g]:5555", .invalidHost(text: "tcp://[::g]:5555", host: "[::g]")),
        ("tcp://[fe80::1%]:5555", .invalidHost(text: "tcp://[fe80::1%]:5555", host: "[fe80::1%]")),
        ("tcp://256.0.0.1:5555", .invalidHost(text: "tcp://256.0.0.1:5555", host: "256.0.0.1")),
        ("tcp://127.0.1:5555", .invalidHost(text: "tcp://127.0.1:5555", host: "127.0.1")),
        ("tcp://a..b:5555", .invalidHost(text: "tcp://a..b:5555", host: "a..b")),
        ("tcp://-a:5555", .invalidHost(text: "tcp://-a:5555", host: "-a")),
        ("tcp://a b:5555", .invalidHost(text: "tcp://a b:5555", host: "a b")),
        ("tcp://eth0;host:5555", .invalidHost(text: "tcp://eth0;host:5555", host: "eth0;host")),
        ("ipc://", .emptyName(text: "ipc://")),
        ("ipc://@", .emptyName(text: "ipc://@")),
        (
            "ipc://\(longestPath)p",
            .nameTooLong(
                text: "ipc://\(longestPath)p", byteCount: longestPath.count + 1, limit: longestPath.count)
        ),
        ("inproc://", .emptyName(text: "inproc://")),
        ("inproc://\(longestName)n", .nameTooLong(text: "inproc://\(longestName)n", byteCount: 256, limit: 255)),
        ("ipc:///a\0b", .containsZeroByte(text: "ipc:///a\0b")),
    ])
    func `a text that is not an endpoint is refused with the reason`(text: String, error: EndpointError) {
        #expect(throws: error) { try Endpoint(text) }
        #expect(error.description.contains("'\(text)'"))
    }

    @Test func `the longest ipc path that is accepted can be bound`() throws {
        let name = "@" + String(repeating: "p", count: Endpoint.ipcPathByteCountMax - 21)
        let unique = String(UInt64.random(in: .min ... .max))
        let path = name + String(repeating: "0", count: 20 - unique.count) + unique
        #expect(path.utf8.count == 107)
        let socket = try Socket(Context(), .router)

        let endpoint = try socket.bind(endpoint("ipc://\(path)"))

        #expect(endpoint.transport == .ipc(path: path))
    }
}

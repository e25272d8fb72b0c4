import Testing

@testable import Text

@Suite struct HostAndPortTests {
    @Test(arguments: [
        ("127.0.0.1:7654", "127.0.0.1", "7654", "127.0.0.1:7654"), ("tcp://pool.lan:1", "pool.lan", "1", "pool.lan:1"),
        ("[fd00::2]:9000", "fd00::2", "9000", "[fd00::2]:9000"), ("*:7654", "*", "7654", "*:7654"),
        ("0.0.0.0:*", "0.0.0.0", "*", "0.0.0.0:*"),
    ])
    func `an address has the same form for each program`(text: String, host: String, port: String, written: String) {
        let address = HostAndPort(text)
        #expect(address?.host == host && address?.port == port)
        #expect(address?.description == written)
        #expect(Int(port).map { HostAndPort(host: host, port: $0) } == (port == "*" ? nil : address))
    }

    @Test(arguments: [
        "", "7654", ":7654", "127.0.0.1", "127.0.0.1:", "127.0.0.1:x", "127.0.0.1:70000", "127.0.0.1:+80",
        "fd00::2:9000",
        "[]:1", "http://a:80", "ipc:///tmp/x:1", "a:80/",
    ])
    func `anything else is no address`(text: String) {
        #expect(HostAndPort(text) == nil)
    }
}

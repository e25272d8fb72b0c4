import PoolSamples
import TestSupport
import Testing

@testable import PoolModel

@Suite struct HostProblemTests {
    @Test(arguments: [
        "localhost", "broker.example", "broker.example.", "my_broker-2.lan", "a", "3com.example",
        "xn--bcher-kva.example",
        "10.0.0.7", "255.255.255.255", "0.0.0.0", "::1", "::", "fe80::1%eth0", "2001:db8:0:0:0:0:0:1",
        "1:2:3:4:5:6:7::",
        "::ffff:192.0.2.1", "1:2:3:4:5:6:192.0.2.1", "ABCD::EF01", String(repeating: "a", count: 63),
    ])
    func `P4 a name or an address of either kind is a host`(host: String) {
        #expect(HostProblem.find(in: host) == nil)
    }

    @Test(arguments: [
        ("", HostProblem.empty), ("mqtt://broker", .scheme("mqtt://")), ("http://10.0.0.7:1883", .scheme("http://")),
        ("://", .scheme("://")), ("[::1]", .brackets), ("broker:1883", .port("1883")), ("10.0.0.7:1", .port("1")),
        ("bro ker", .character(" ")), ("broker/", .character("/")), ("user@broker", .character("@")),
        ("bröker", .character("ö")), ("broker\n", .character("\n")), ("a\0", .character("\0")),
        ("a..b", .label("")), (".", .label("")), (".a", .label("")), ("-a.b", .label("-a")), ("a-.b", .label("a-")),
        (String(repeating: "a", count: 64), .label(String(repeating: "a", count: 64))),
        (String(repeating: "ab.", count: 85), .tooLong(byteCount: 255)), ("256.1.1.1", .notAnIPv4Address),
        ("1.2.3", .notAnIPv4Address), ("1.2.3.4.5", .notAnIPv4Address), ("010.1.1.1", .notAnIPv4Address),
        ("1", .notAnIPv4Address), ("a.1", .notAnIPv4Address), (":", .notAnIPv6Address), (":::", .notAnIPv6Address),
        ("1::2::3", .notAnIPv6Address), ("12345::", .notAnIPv6Address), ("1:2:3:4:5:6:7", .notAnIPv6Address),
        ("1:2:3:4:5:6:7:8:9", .notAnIPv6Address), ("1:2:3:4:5:6:7:8::", .notAnIPv6Address), ("g::", .notAnIPv6Address),
        ("fe80::1%", .notAnIPv6Address), ("fe80::1%a b", .notAnIPv6Address), ("192.0.2.1::", .notAnIPv6Address),
        ("::256.0.2.1", .notAnIPv6Address), ("1:", .notAnIPv6Address), (":1", .port("1")),
    ])
    func `P4 anything else is refused with its flaw`(host: String, flaw: HostProblem) {
        #expect(HostProblem.find(in: host) == flaw)

        var server = ryokan
        server.host = host
        #expect(throws: ConfigurationError.hostInvalid(host, flaw)) { try server.validate() }
        #expect(ConfigurationError.hostInvalid(host, flaw).description.hasPrefix("The host \""))
    }

    @Test func `random text finds a flaw or none, and never traps`() {
        var generator = SplitMix64(seed: 4)
        let alphabet = Array("a1.:-%[]/_ \0é")
        for _ in 0..<20_000 {
            let host = String(
                (0..<Int.random(in: 0..<12, using: &generator)).map { _ in
                    alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
                })
            if HostProblem.find(in: host) == nil {
                #expect(!host.isEmpty && !host.contains(" ") && !host.contains("/") && !host.contains("["))
            }
        }
    }
}

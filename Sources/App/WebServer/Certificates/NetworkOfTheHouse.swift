import SwiftASN1
import X509

/// The hosts for which an authority of this machine may sign: those of a house, and those that it was made with.
///
/// Source: RFC 5280, section 4.2.1.10; RFC 1918; RFC 4193; RFC 6762; RFC 8375; RFC 6761.
enum NetworkOfTheHouse {
    /// Domains that nobody on the Internet has.
    private static let domains = ["local", "home.arpa", "internal", "lan", "home", "localhost"]
    /// Networks that nobody on the Internet has: the address, and how many of its bits count.
    private static let networks = [
        ("10.0.0.0", 8), ("172.16.0.0", 12), ("192.168.0.0", 16), ("169.254.0.0", 16), ("100.64.0.0", 10),
        ("127.0.0.0", 8), ("fc00::", 7), ("fe80::", 10), ("::1", 128),
    ]

    /// The constraints of an authority that is made for some hosts.
    static func constraints(_ hosts: [GeneralName]) -> NameConstraints {
        var (names, ranges) = (domains, networks.compactMap { range($0.0, bits: $0.1) })
        for host in hosts {
            switch host {
            case .dnsName(let name) where !isWithin(name, domains): names.append(name)
            case .ipAddress(let address):
                let range = range(of: Array(address.bytes), bits: address.bytes.count * 8)
                if !ranges.contains(where: { contains($0, address) }) { ranges.append(range) }
            default: break
            }
        }
        return NameConstraints(
            permittedDNSDomains: NameConstraints.DNSNames(names), permittedIPRanges: NameConstraints.IPRanges(ranges))
    }

    /// Whether constraints permit a host.
    static func isPermitted(_ host: GeneralName, by constraints: NameConstraints) -> Bool {
        switch host {
        case .dnsName(let name): isWithin(name, Array(constraints.permittedDNSDomains))
        case .ipAddress(let address): constraints.permittedIPRanges.contains { contains($0, address) }
        default: false
        }
    }

    private static func isWithin(_ name: String, _ domains: [String]) -> Bool {
        domains.contains { name == $0 || name.hasSuffix("." + $0) }
    }

    private static func contains(_ range: ASN1OctetString, _ address: ASN1OctetString) -> Bool {
        let (range, address) = (Array(range.bytes), Array(address.bytes))
        guard range.count == 2 * address.count else { return false }
        return address.indices.allSatisfy { address[$0] & range[address.count + $0] == range[$0] }
    }

    private static func range(_ text: String, bits: Int) -> ASN1OctetString? {
        IPAddress(text).map { range(of: $0.bytes, bits: bits) }
    }

    /// An address and the mask of its bits that count.
    private static func range(of bytes: [UInt8], bits: Int) -> ASN1OctetString {
        let mask = bytes.indices.map { index in
            UInt8(truncatingIfNeeded: 0xFF00 >> min(8, max(0, bits - 8 * index)))
        }
        return ASN1OctetString(contentBytes: (bytes + mask)[...])
    }
}

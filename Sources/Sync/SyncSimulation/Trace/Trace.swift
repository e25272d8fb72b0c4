import SyncCore

/// What happened in a run: a running hash over everything and, if requested, lines for people.
struct Trace {
    private(set) var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    private(set) var lines: [String] = []
    let keepsLines: Bool

    /// Adds a number to the hash.
    mutating func mix(_ number: UInt64) {
        hash = (hash ^ number) &* 0x0000_0100_0000_01B3
        hash ^= hash >> 29
    }

    /// Adds a message to the hash: its header holds checksums of the rest.
    mutating func mix(_ parts: [[UInt8]]) {
        guard let header = parts.first else { return mix(0) }
        let count = header.count
        var word: UInt64 = 0
        var position = 0
        while position < count {
            word = word << 8 | UInt64(truncatingIfNeeded: header[position])
            if position & 7 == 7 { mix(word) }
            position &+= 1
        }
    }

    mutating func mix(_ version: Version) {
        mix(version.epoch.number)
        mix(version.revision)
        mix(version.chain)
    }

    /// The device that a line is about.
    enum Node {
        case hub
        case watch(Int)
        case network
        case world
        case checks

        var name: String {
            switch self {
            case .hub: "hub"
            case .watch(let number): "watch \(number)"
            case .network: "network"
            case .world: "world"
            case .checks: "checks"
            }
        }
    }

    /// Keeps a line, if lines are kept.
    mutating func line(_ now: Instant, _ node: Node, _ text: @autoclosure () -> String) {
        guard keepsLines else { return }
        let microseconds = now.nanoseconds / 1000
        let fraction = String(microseconds % 1_000_000 + 1_000_000).dropFirst()
        lines.append("\(microseconds / 1_000_000).\(fraction) \(node.name) \(text())")
    }
}

extension Frame {
    /// A short text for the trace.
    var traceText: String {
        let session = session == 0 ? "" : " session \(String(session, radix: 16))"
        let number = sequence == 0 ? "" : " #\(sequence)"
        // The bodies of snapshots are long; the header has their revision.
        let content = kind == .context ? "" : " " + String(decoding: body, as: UTF8.self)
        return "\(kind)\(number)\(session)\(content)"
    }
}

import Primitives

/// What became of the commands of the last day: the machine that keeps each from being performed twice.
///
/// A command is noted before it is performed, so that a process that ends in between does not perform it again.
struct CommandLog: Sendable {
    /// How long a command is remembered, in milliseconds.
    static let keptMilliseconds: Int64 = 24 * 3_600_000
    /// The most commands that are remembered.
    static let countMax = 4096
    /// The most bytes of replies that are remembered; the oldest commands go first.
    static let byteCountMax = 16_777_216

    /// What is known of a command.
    enum Entry: Hashable, Sendable {
        /// It was begun; its reply is not known, or never will be.
        case begun
        /// Its reply.
        case replied([UInt8])
    }

    /// A change for the storage.
    typealias Change = (key: String, value: [UInt8]?)

    private struct Record: Sendable {
        var milliseconds: Int64
        var entry: Entry
        var order: UInt64
    }

    private static let prefix = "command/"
    private var records: [CommandID: Record] = [:]
    /// The commands by the time of their beginning.
    private var ids: [UInt64: CommandID] = [:]
    private var oldest: UInt64 = 0
    private var next: UInt64 = 0
    private var byteCount = 0

    /// Reads the log from a storage's map.
    init(_ map: [String: [UInt8]]) {
        var found: [(id: CommandID, order: UInt64, milliseconds: Int64, entry: Entry)] = []
        for (key, value) in map where key.hasPrefix(Self.prefix) {
            guard let id = Hexadecimal.bytes(key.dropFirst(Self.prefix.count)).flatMap(CommandID.init(bytes:)),
                let (order, milliseconds, entry) = Self.decode(value)
            else { continue }
            found.append((id, order, milliseconds, entry))
        }
        for (id, order, milliseconds, entry) in found.sorted(by: { $0.order < $1.order }) {
            records[id] = Record(milliseconds: milliseconds, entry: entry, order: order)
            ids[order] = id
            byteCount += entry.byteCount
            next = order + 1
        }
        oldest = found.map(\.order).min() ?? 0
    }

    /// What is known of a command; nil if it is new, or too old to be remembered.
    func entry(of id: CommandID) -> Entry? { records[id]?.entry }

    /// Notes that a command begins, and forgets what is too old or too much.
    mutating func begin(_ id: CommandID, at milliseconds: Int64) -> [Change] {
        records[id] = Record(milliseconds: milliseconds, entry: .begun, order: next)
        ids[next] = id
        next += 1
        return [change(of: id)] + forget(at: milliseconds)
    }

    /// Keeps the reply to a command that was begun.
    mutating func keep(_ reply: [UInt8], to id: CommandID) -> [Change] {
        guard let record = records[id] else { return [] }
        byteCount += reply.count - record.entry.byteCount
        records[id]?.entry = .replied(reply)
        return [change(of: id)] + forget(at: record.milliseconds)
    }

    private mutating func forget(at milliseconds: Int64) -> [Change] {
        var changes: [Change] = []
        while oldest < next {
            guard let id = ids[oldest], let record = records[id] else {
                oldest += 1
                continue
            }
            let isOver =
                record.milliseconds < milliseconds - Self.keptMilliseconds || records.count > Self.countMax
                || byteCount > Self.byteCountMax
            guard isOver, oldest < next - 1 else { break }
            byteCount -= record.entry.byteCount
            records[id] = nil
            ids[oldest] = nil
            oldest += 1
            changes.append((Self.key(id), nil))
        }
        return changes
    }

    // MARK: - Bytes

    private static func key(_ id: CommandID) -> String { prefix + id.description }

    private func change(of id: CommandID) -> Change {
        guard let record = records[id] else { return (Self.key(id), nil) }
        let head = "\(record.order) \(record.milliseconds) "
        return switch record.entry {
        case .begun: (Self.key(id), Array("\(head)begun".utf8))
        case .replied(let reply): (Self.key(id), Array("\(head)reply ".utf8) + reply)
        }
    }

    private static func decode(_ value: [UInt8]) -> (UInt64, Int64, Entry)? {
        let parts = value.split(separator: UInt8(ascii: " "), maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count >= 3, let order = UInt64(String(decoding: parts[0], as: UTF8.self)),
            let milliseconds = Int64(String(decoding: parts[1], as: UTF8.self))
        else { return nil }
        switch String(decoding: parts[2], as: UTF8.self) {
        case "begun": return (order, milliseconds, .begun)
        case "reply" where parts.count == 4: return (order, milliseconds, .replied(Array(parts[3])))
        default: return nil
        }
    }
}

extension CommandLog.Entry {
    fileprivate var byteCount: Int {
        switch self {
        case .begun: 0
        case .replied(let reply): reply.count
        }
    }
}

import SyncCore

/// What the app queued and was not told the end of, in the order of the calls.
struct QueuedTransfers<Entry: QueuedTransfer>: Sendable {
    private var entries = SortedMap<UInt64, Entry>()
    private var numbers: [RandomID: UInt64] = [:]
    private(set) var lastNumber: UInt64 = 0

    init() {}

    /// Queues a transfer behind all others.
    ///
    /// - Returns: Its number.
    mutating func append(_ entry: Entry) -> UInt64 {
        restore(entry, as: lastNumber + 1)
        return lastNumber
    }

    /// Takes a transfer over that a store holds.
    mutating func restore(_ entry: Entry, as number: UInt64) {
        entries[number] = entry
        numbers[entry.id] = number
        leaveOut(number)
    }

    /// A number is in use, or was.
    mutating func leaveOut(_ number: UInt64) { lastNumber = max(lastNumber, number) }

    subscript(number: UInt64) -> Entry? { entries[number] }

    /// Changes a transfer that there may be.
    mutating func modify(_ number: UInt64, _ change: (inout Entry) -> Void) { entries.modify(number, change) }

    mutating func move(_ number: UInt64, to stage: Entry.Stage) { modify(number) { $0.stage = stage } }

    /// Removes a transfer.
    @discardableResult
    mutating func remove(_ number: UInt64) -> Entry? {
        guard let entry = entries[number] else { return nil }
        numbers[entry.id] = nil
        entries[number] = nil
        return entry
    }

    /// The number of a transfer by the id that the session drew.
    func number(of id: RandomID) -> UInt64? { numbers[id] }

    /// All of them, oldest first, by their numbers.
    var all: [(number: UInt64, entry: Entry)] { entries.pairs.map { ($0.key, $0.value) } }

    /// Those that the app sees as not yet received, failed or cancelled, oldest first (rules R91, R96).
    var outstanding: [(number: UInt64, entry: Entry)] { all.filter(\.entry.isOutstanding) }
}

/// User info or a file.
protocol QueuedTransfer: Sendable {
    /// How far it is.
    associatedtype Stage: Hashable, Sendable
    /// The id that the session drew.
    var id: RandomID { get }
    var stage: Stage { get set }
    /// Whether the app sees it as not yet received, failed or cancelled (rule R91).
    var isOutstanding: Bool { get }
}

import SyncCore

/// The transfers that the app queued and was not notified the end of, in the order of the calls.
struct QueuedTransfers<Entry: QueuedTransfer>: Sendable {
    private var entries = SortedMap<UInt64, Entry>()
    private var numbers: [RandomID: UInt64] = [:]
    private(set) var lastNumber: UInt64 = 0

    init() {}

    /// Adds a transfer at the end.
    ///
    /// - Returns: Its number.
    mutating func append(_ entry: Entry) -> UInt64 {
        restore(entry, as: lastNumber + 1)
        return lastNumber
    }

    /// Adds a transfer from a store.
    mutating func restore(_ entry: Entry, as number: UInt64) {
        entries[number] = entry
        numbers[entry.id] = number
        leaveOut(number)
    }

    /// Marks a number as used.
    mutating func leaveOut(_ number: UInt64) { lastNumber = max(lastNumber, number) }

    subscript(number: UInt64) -> Entry? { entries[number] }

    /// Changes a transfer, if it exists.
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

    /// The number of a transfer, by the id that the session generated.
    func number(of id: RandomID) -> UInt64? { numbers[id] }

    /// All transfers with their numbers, oldest first.
    var all: [(number: UInt64, entry: Entry)] { entries.pairs.map { ($0.key, $0.value) } }

    /// The transfers that are not received, failed or cancelled yet in the app's view, oldest first.
    var outstanding: [(number: UInt64, entry: Entry)] { all.filter(\.entry.isOutstanding) }
}

/// User info or a file.
protocol QueuedTransfer: Sendable {
    /// The progress of the transfer.
    associatedtype Stage: Hashable, Sendable
    /// The id that the session generated.
    var id: RandomID { get }
    var stage: Stage { get set }
    /// Whether it is not received, failed or cancelled yet in the app's view.
    var isOutstanding: Bool { get }
}

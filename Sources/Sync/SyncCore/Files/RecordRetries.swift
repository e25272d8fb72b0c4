/// Retries records that no application request waits for and that the store could not write, after a pause.
///
/// The pause doubles with each failure, and is the shortest again after a success. Each record waits only once.
struct RecordRetries: Hashable, Sendable {
    /// The first pause.
    static let shortest = Duration.seconds(2)
    /// The longest pause.
    static let longest = Duration.seconds(32)

    private var waiting: [RandomID] = []
    private var pause = shortest
    /// When ``takeDue(now:)`` returns something; nil while nothing waits.
    private(set) var deadline: Instant?

    /// The store could not write the record about a file.
    mutating func failed(_ id: RandomID, now: Instant) {
        if !waiting.contains(id) { waiting.append(id) }
        guard deadline == nil else { return }
        deadline = now.advanced(by: pause)
        pause = min(pause * 2, Self.longest)
    }

    /// The store has written the record about a file, so it works again.
    mutating func succeeded(_ id: RandomID) {
        _ = remove(id)
        pause = Self.shortest
    }

    /// Removes a record that is tried at once; false if it does not wait.
    mutating func remove(_ id: RandomID) -> Bool {
        guard let position = waiting.firstIndex(of: id) else { return false }
        waiting.remove(at: position)
        if waiting.isEmpty { deadline = nil }
        return true
    }

    /// Removes and returns the files whose records are due, in the order of their failures.
    mutating func takeDue(now: Instant) -> [RandomID] {
        guard let due = deadline, due <= now else { return [] }
        deadline = nil
        defer { waiting = [] }
        return waiting
    }
}

/// Lets one piece of work after the other be done, so that what one takes, such as memory, is taken once.
package actor TaskLane {
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// A lane that is free.
    package init() {}

    /// Does something when everything before it is done, in the order of the calls.
    ///
    /// - Throws: What the work throws.
    package func perform<Value: Sendable>(_ work: @Sendable () async throws -> Value) async rethrows -> Value {
        if isTaken {
            await withCheckedContinuation { waiting.append($0) }
        } else {
            isTaken = true
        }
        defer {
            if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
        }
        return try await work()
    }
}

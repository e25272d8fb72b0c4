/// Lets one picture after the other be worked on, so that the memory for one is enough.
actor IntakeLane {
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Does something when everything before it is done.
    ///
    /// - Throws: What the work throws.
    func perform<Value: Sendable>(_ work: @Sendable () async throws -> Value) async rethrows -> Value {
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

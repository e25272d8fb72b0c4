import SyncCore

extension SmallWorld {
    /// Makes a failing list of operations shorter, as long as it breaks the same promise.
    ///
    /// Source: Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input" (2002).
    package static func shrunk(_ operations: [SmallOperation], watchCount: Int = 2) -> [SmallOperation] {
        guard let rule = run(operations, watchCount: watchCount)?.rule else { return operations }
        var shortest = operations
        var parts = 2
        while shortest.count > 1 {
            let size = max(1, shortest.count / parts)
            let shorter = stride(from: 0, to: shortest.count, by: size).lazy
                .map { start in Array(shortest[..<start] + shortest[min(start + size, shortest.count)...]) }
                .first { run($0, watchCount: watchCount)?.rule == rule }
            if let shorter {
                shortest = shorter
                parts = max(2, parts - 1)
            } else if size == 1 {
                break
            } else {
                parts = min(shortest.count, parts * 2)
            }
        }
        return shortest
    }
}

internal import GRDB
internal import Platform

/// A small durable map from strings to bytes: one SQLite file, `keyed.sqlite`, in a state folder.
///
/// A write is durable when it returns, and atomic: after a crash, either all of it is there or nothing. A damaged file
/// is rejected and left as it is.
///
/// What was removed or replaced is on the disk for a few seconds more, and then not any more: neither in the file nor in its
/// journal. A process that ends before does it at its next opening.
///
/// The methods can be called on any thread.
package final class KeyedStore: Sendable {
    /// A change of the map: the new value of the key; nil removes the key.
    package typealias Change = (key: String, value: [UInt8]?)

    /// How long the journal may hold what was replaced.
    private static let forgettingTime = Duration.seconds(1)

    private let file: DatabaseFile
    /// Whether a task waits to empty the journal.
    private let isForgetting = Lock(false)

    /// Opens the store in a folder.
    ///
    /// Creates it if it does not exist.
    ///
    /// - Parameter folder: The state folder. The store keeps it locked.
    /// - Throws: ``StoreError``; an existing file was not changed in that case.
    package init(in folder: StateFolder) throws(StoreError) {
        file = try DatabaseFile(.keyed, in: folder)
        // Damage is found only by reading everything.
        _ = try read()
        // A disk that is full, or a reader of another program, leaves it to the next write.
        try? file.emptyJournal()
    }

    /// Closes the file.
    ///
    /// The next use opens it again.
    package func close() {
        file.close()
    }

    /// The complete map.
    ///
    /// - Throws: ``StoreError``.
    package func read() throws(StoreError) -> [String: [UInt8]] {
        try file.read { database in
            let head = try KeyedHead(database)
            var map: [String: [UInt8]] = [:]
            var sum = RowSum()
            for row in try KeyedTables.values.rows(nil, database) {
                sum.add(row.checksum)
                guard let key = String(validating: row.key.bytes, as: UTF8.self) else {
                    throw CorruptionError(finding: "a key of the table value is no text")
                }
                map[key] = row.bytes
            }
            guard head.sum == sum else {
                throw CorruptionError(finding: "the rows of the table value are not those that were written")
            }
            return map
        }
    }

    /// Applies changes in their order, in one durable transaction.
    ///
    /// - Throws: ``StoreError``; none of the changes was made in that case.
    package func write(_ changes: [Change]) throws(StoreError) {
        var number: Int64?
        do throws(StoreError) {
            try file.write { database in
                var head = try KeyedHead(database)
                head.writeCount += 1
                number = head.writeCount
                for change in changes { try head.change(change.key, to: change.value, database) }
                try head.put(into: database)
            }
        } catch {
            try file.settle(after: error) { try KeyedHead($0).writeCount == number }
        }
        forgetSoon()
    }

    private func forgetSoon() {
        let isFirst = isForgetting.withLock { isWaiting in
            defer { isWaiting = true }
            return !isWaiting
        }
        guard isFirst else { return }
        Task.detached { [weak self] in
            // A store that is gone needs none of it: closing the file empties its journal.
            try? await Task.sleep(for: Self.forgettingTime)
            try? await runOnThread(stop: {}) { [weak self] in self?.forget() }
        }
    }

    private func forget() {
        isForgetting.withLock { $0 = false }
        try? file.emptyJournal()
    }
}

internal import GRDB

/// A small map from names to bytes on the disk: one SQLite file, `keyed.sqlite`, in a state folder.
///
/// A write is on the disk when it returns, and is there as a whole or not at all after any crash. A file whose contents
/// are not what was written is refused and left as it is.
///
/// Its functions may be called on any thread.
public final class KeyedStore: Sendable {
    /// A change of the map: the value that is under the key from then on, nil for none.
    public typealias Change = (key: String, value: [UInt8]?)

    private let file: DatabaseFile

    /// Opens the store of a folder, and creates it if it does not exist.
    ///
    /// - Parameter folder: The folder; it stays held as long as the store lives.
    /// - Throws: ``StoreError``; an existing file was not changed then.
    public init(in folder: StateFolder) throws(StoreError) {
        file = try DatabaseFile(.keyed, in: folder)
        // Only reading everything shows whether it is what was written.
        _ = try read()
    }

    /// The path of the file.
    public var path: String { file.path }

    /// Closes the file; the next use opens it again.
    public func close() {
        file.close()
    }

    /// The whole map.
    ///
    /// - Throws: ``StoreError``.
    public func read() throws(StoreError) -> [String: [UInt8]] {
        try file.read { database in
            let head = try KeyedHead(database)
            var map: [String: [UInt8]] = [:]
            var sum = RowSum()
            for row in try KeyedTables.values.rows(nil, database) {
                sum.add(row.checksum)
                guard let key = String(validating: row.key.bytes, as: UTF8.self) else {
                    throw Damage(finding: "a key of the table value is no text")
                }
                map[key] = row.bytes
            }
            guard head.sum == sum else {
                throw Damage(finding: "the rows of the table value are not those that were written")
            }
            return map
        }
    }

    /// Makes changes durable in their order, all or none of them.
    ///
    /// - Throws: ``StoreError``; nothing of them was kept then.
    public func write(_ changes: [Change]) throws(StoreError) {
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
    }
}

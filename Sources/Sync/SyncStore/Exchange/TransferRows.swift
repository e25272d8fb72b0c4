internal import GRDB
internal import Platform
internal import SyncCore

/// Makes transfers with peers durable.
///
/// It keeps each peer's head and row positions in memory, so that a commit reads nothing.
///
/// The memory is what the last commit wrote. After any other change it is discarded and read again.
final class TransferWriter: Sendable {
    /// The head and the row positions of a peer.
    private struct Memory: Sendable {
        var head: ExchangeHead
        var items: ItemWriter.Memory
    }

    /// The maximum number of peers in memory.
    private static let memoryCountMax = 256

    private let file: DatabaseFile
    private let memories = Lock<[[UInt8]: Memory]>([:])

    init(_ file: DatabaseFile) {
        self.file = file
    }

    /// Makes records durable in one transaction.
    func commit(_ records: [TransferRecord], of peer: [UInt8]) throws(StoreError) {
        try commit(records, of: peer) { work throws(StoreError) in try file.write(work) }
    }

    /// Makes records durable with a write that can fail after it took effect.
    ///
    /// The write count shows whether it did.
    func commit(
        _ records: [TransferRecord], of peer: [UInt8],
        by write: (_ work: (Database) throws -> Void) throws(StoreError) -> Void
    ) throws(StoreError) {
        let known = memories.withLock { $0.removeValue(forKey: peer) }
        var number: Int64?
        var memory: Memory?
        do throws(StoreError) {
            try write { database in
                var head = try known?.head ?? ExchangeHead(of: peer, database)
                head.writeCount += 1
                number = head.writeCount
                var items = ItemWriter(database, memory: known?.items ?? ItemWriter.Memory())
                for record in records { try TransferRows.append(record, &items, &head, database) }
                try items.finish(&head)
                try head.put(into: database)
                memory = Memory(head: head, items: items.memory)
            }
        } catch {
            // The memory is not kept: if the write took effect, the old values are outdated.
            return try file.settle(after: error) { try ExchangeHead(of: peer, $0).writeCount == number }
        }
        memories.withLock { memories in
            if memories.count >= Self.memoryCountMax { memories = [:] }
            memories[peer] = memory
        }
    }

    /// Discards the memory.
    ///
    /// Call it when the rows were changed in another way, or when the file is opened again.
    func forget() {
        memories.withLock { $0 = [:] }
    }
}

/// Reads and writes the transfer rows of one peer.
enum TransferRows {
    static func append(
        _ record: TransferRecord, _ items: inout ItemWriter, _ head: inout ExchangeHead, _ database: Database
    ) throws {
        switch record {
        case .exchange(let record):
            for change in record.changes { try items.append(change, &head) }
        case .files(let record): try FileRows.append(record, &head, database)
        }
    }

    /// Writes a complete state for a peer that has no rows yet.
    static func fill(_ state: TransferState, of peer: [UInt8], _ database: Database) throws {
        var head = try ExchangeHead(of: peer, database)
        var items = ItemWriter(database)
        try items.fill(with: state.exchange, &head)
        try items.finish(&head)
        try FileRows.fill(with: state.files, &head, database)
        try head.put(into: database)
    }

    static func state(with peer: [UInt8], _ database: Database) throws -> TransferState {
        try state(ExchangeHead(of: peer, database), database)
    }

    static func state(_ head: ExchangeHead, _ database: Database) throws -> TransferState {
        try head.check(database)
        return TransferState(
            exchange: try ItemRows.state(head, database), files: try FileRows.state(head, database))
    }

    static func forget(_ peer: [UInt8], _ database: Database) throws {
        var head = try ExchangeHead(of: peer, database)
        for table in ExchangeTables.summed { try table.remove(head.range, &head.sum, database) }
        try ExchangeTables.heads.remove(RowRange(.bytes(peer)), &head.sum, database)
    }
}

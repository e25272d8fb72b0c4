import SyncCore
import SyncSimulation
import SyncStore

/// A file store as the drivers want it.
struct NodeFiles: FileStorage {
    let store: FileStore

    func carryOut(_ output: FileExchange.Output) -> FileExchange.Input? {
        store.carryOut(output)
    }
}

extension NodeOrder {
    /// The cells to change as the engine names them.
    func cellChanges() throws -> [CellChange] {
        try changes.map { change in
            guard let name = CellName(change.cell) else { throw CommandFailure("\(change.cell) is no cell") }
            return CellChange(key: name.key, value: change.value)
        }
    }
}

import CommandSupport
import SyncCore
import SyncSimulation

extension NodeOrder {
    /// The cells to change as the engine names them.
    func cellChanges() throws -> [CellChange] {
        try changes.map { change in
            guard let name = CellName(change.cell) else { throw CommandFailure("\(change.cell) is no cell") }
            return CellChange(key: name.key, value: change.value)
        }
    }
}

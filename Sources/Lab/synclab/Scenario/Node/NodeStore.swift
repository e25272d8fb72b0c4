import CommandSupport
import SyncCore
import SyncSimulation

extension NodeOrder {
    /// The changes in the form of the engine.
    func cellChanges() throws -> [CellChange] {
        try changes.map { change in
            guard let name = CellName(change.cell) else { throw CommandFailure("\(change.cell) is not a cell") }
            return CellChange(key: name.key, value: change.value)
        }
    }
}

import SyncCore

/// An app's request about the shared records.
enum RecordsRequest: Sendable {
    case change([CellChange])
    case settle(RandomID, restoring: Bool)

    func hubInput(as id: RequestID) -> HubEngine.Input {
        switch self {
        case .change(let changes): .transact(id, changes, expected: nil)
        case .settle(let conflict, let restoring): .settle(id, conflict: conflict, restoring: restoring)
        }
    }

    func watchInput(as id: RequestID) -> WatchEngine.Input {
        switch self {
        case .change(let changes): .edit(id, changes)
        case .settle(let conflict, let restoring): .settle(id, conflict: conflict, restoring: restoring)
        }
    }

    /// The request, for the timeline.
    var words: String {
        switch self {
        case .change(let changes): "changes \(changes.count) shared records"
        case .settle(_, let restoring): restoring ? "restores what lost" : "dismisses what lost"
        }
    }
}

import PoolStore

extension HistoryError {
    /// Why the hub cannot store, as a clause that is sent over all channels: without a path, and with what to do.
    static func trouble(_ error: any Error) -> String {
        switch error as? HistoryError {
        case .full: "its disk is full: free some space"
        case .notWritable: "its folder may not be written: give its user the permission"
        case .locked: "another program keeps its file locked: close that one"
        case .damaged: "its file is damaged: restore a backup"
        case .newerSchema, .exists, .failed, nil: "its storage fails: its log says more"
        }
    }
}

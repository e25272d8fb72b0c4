package import Service
package import SyncStore

extension HubFolder {
    /// The folder of a hub as that of a service.
    package static func service(path: String) -> ServiceFolder {
        ServiceFolder(path: path, noun: "hub", startAdvice: startAdvice(path: path))
    }

    /// Opens a folder as ``init(path:keyPath:)`` does; waits a few seconds while a command uses it, but not for a running
    /// hub.
    ///
    /// - Parameters:
    ///   - path: The folder.
    ///   - patience: How long to wait.
    ///   - onWait: Called with the reason if it must wait.
    /// - Returns: The folder.
    /// - Throws: As ``init(path:keyPath:)``, and `ServiceFailure.suspended`.
    package static func waiting(
        path: String, patience: FolderWaitPolicy = FolderWaitPolicy(), onWait: (any Error) -> Void = { _ in }
    ) async throws -> HubFolder {
        try await service(path: path).waiting(patience: patience, onWait: onWait) { try HubFolder(path: $0) }
    }
}

extension HubRestore {
    /// Begins as ``init(_:to:keyPath:)`` does; waits a few seconds while a command uses the hub's folder, but not for a
    /// running hub.
    ///
    /// - Parameters:
    ///   - backup: The folder of the backup.
    ///   - path: The hub's folder.
    ///   - patience: How long to wait.
    /// - Returns: The restore, ready to be finished.
    /// - Throws: As ``init(_:to:keyPath:)``, and `ServiceFailure.suspended`.
    package static func waiting(
        _ backup: String, to path: String, patience: FolderWaitPolicy = FolderWaitPolicy()
    ) async throws -> HubRestore {
        try await HubFolder.service(path: path).waiting(patience: patience) { try HubRestore(backup, to: $0) }
    }
}

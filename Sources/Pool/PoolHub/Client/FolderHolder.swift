package import SyncStore
import SyncTransport

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The process that uses a hub's folder: a running hub, which receives the commands, or another command, for which this
/// one waits.
enum FolderHolder {
    /// Opens the folder; nil if a hub runs on it.
    ///
    /// - Throws: ``HubClient/Failure`` if a process other than a running hub keeps the folder in use, and the errors of
    ///   opening.
    static func resting(_ path: String, patience: FolderWaitPolicy = FolderWaitPolicy()) async throws -> HubFolder? {
        do {
            return try await patience.open({ try HubFolder(path: path) }, while: { try isAtWork($0, path) })
        } catch FolderError.inUse(_, let processID) {
            if isListening(path) { return nil }
            throw HubClient.Failure.held(path: path, processID: processID)
        }
    }

    /// Whether an error means that another command, or a hub that is just starting, uses the folder.
    ///
    /// - Throws: ``HubClient/Failure/suspended(path:processID:)`` if that process is suspended.
    static func isAtWork(_ error: any Error, _ path: String) throws -> Bool {
        guard case FolderError.inUse(_, let processID) = error else { return false }
        if let processID, isSuspended(processID) {
            throw HubClient.Failure.suspended(path: path, processID: processID)
        }
        return !isListening(path)
    }

    /// Whether a process is suspended; false on systems other than Linux.
    ///
    /// Source: proc_pid_stat(5): the state follows the name, which is in parentheses.
    private static func isSuspended(_ processID: Int32) -> Bool {
        guard let bytes = FileManager.default.contents(atPath: "/proc/\(processID)/stat"),
            let end = bytes.lastIndex(of: UInt8(ascii: ")"))
        else { return false }
        return bytes[end...].dropFirst(2).first == UInt8(ascii: "T")
    }

    /// Whether a hub listens for commands in a folder.
    static func isListening(_ folder: String) -> Bool { ControlClient.isListening(path: "\(folder)/control") }
}

extension HubFolder {
    /// Opens a folder as ``init(path:keyPath:)`` does; waits a few seconds while a command uses it, but not for a running
    /// hub.
    ///
    /// - Parameters:
    ///   - path: The folder.
    ///   - patience: How long to wait.
    ///   - onWait: Called with the reason if it must wait.
    /// - Returns: The folder.
    /// - Throws: As ``init(path:keyPath:)``, and ``HubClient/Failure/suspended(path:processID:)``.
    package static func waiting(
        path: String, patience: FolderWaitPolicy = FolderWaitPolicy(), onWait: (any Error) -> Void = { _ in }
    ) async throws -> HubFolder {
        try await patience.open(
            { try HubFolder(path: path) }, while: { try FolderHolder.isAtWork($0, path) }, onWait: onWait)
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
    /// - Throws: As ``init(_:to:keyPath:)``, and ``HubClient/Failure/suspended(path:processID:)``.
    package static func waiting(
        _ backup: String, to path: String, patience: FolderWaitPolicy = FolderWaitPolicy()
    ) async throws -> HubRestore {
        try await patience.open(
            { try HubRestore(backup, to: path) }, while: { try FolderHolder.isAtWork($0, path) })
    }
}

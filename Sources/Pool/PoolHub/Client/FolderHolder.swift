package import SyncStore
import SyncTransport

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Who holds a hub's folder: a hub that runs, which is asked, or a command at work, for which others wait a moment.
enum FolderHolder {
    /// The folder, held from now on; nil if a hub runs on it, and can be asked.
    ///
    /// - Throws: ``HubClient/Failure`` if the folder stays in use by something that is no running hub, and what is wrong with
    ///   the folder.
    static func resting(_ path: String, patience: FolderWaitPolicy = FolderWaitPolicy()) async throws -> HubFolder? {
        do {
            return try await patience.open({ try HubFolder(path: path) }, while: { try isAtWork($0, path) })
        } catch FolderError.inUse(_, let processID) {
            if isListening(path) { return nil }
            throw HubClient.Failure.held(path: path, processID: processID)
        }
    }

    /// Whether an error is that a command, or a hub that is just starting, has a folder: it may be free soon, or asked.
    ///
    /// - Throws: ``HubClient/Failure/suspended(path:processID:)`` if that one does not go on by itself.
    static func isAtWork(_ error: any Error, _ path: String) throws -> Bool {
        guard case FolderError.inUse(_, let processID) = error else { return false }
        if let processID, isSuspended(processID) {
            throw HubClient.Failure.suspended(path: path, processID: processID)
        }
        return !isListening(path)
    }

    /// Whether a process was suspended.
    ///
    /// Source: proc_pid_stat(5): the state follows the name, which stands in parentheses. Elsewhere than on Linux nobody
    /// knows, and it is asked in vain.
    private static func isSuspended(_ processID: Int32) -> Bool {
        guard let bytes = FileManager.default.contents(atPath: "/proc/\(processID)/stat"),
            let end = bytes.lastIndex(of: UInt8(ascii: ")"))
        else { return false }
        return bytes[end...].dropFirst(2).first == UInt8(ascii: "T")
    }

    /// Whether a hub listens to the commands for a folder.
    static func isListening(_ folder: String) -> Bool { ControlClient.isListening(path: "\(folder)/control") }
}

extension HubFolder {
    /// Opens a folder as ``init(path:keyPath:)`` does; waits a few seconds while a command works on it, and not at all while
    /// a hub runs on it.
    ///
    /// - Parameters:
    ///   - path: The folder.
    ///   - patience: How long to wait.
    ///   - onWait: Gets what a person should know if it takes longer than a moment.
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
    /// Begins as ``init(_:to:keyPath:)`` does; waits a few seconds while a command works on the hub's folder, and not at all
    /// while a hub runs on it.
    ///
    /// - Parameters:
    ///   - backup: The folder of the backup.
    ///   - path: The hub's folder.
    ///   - patience: How long to wait.
    /// - Returns: The backup on its way.
    /// - Throws: As ``init(_:to:keyPath:)``, and ``HubClient/Failure/suspended(path:processID:)``.
    package static func waiting(
        _ backup: String, to path: String, patience: FolderWaitPolicy = FolderWaitPolicy()
    ) async throws -> HubRestore {
        try await patience.open(
            { try HubRestore(backup, to: path) }, while: { try FolderHolder.isAtWork($0, path) })
    }
}

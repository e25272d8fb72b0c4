import FoundationEssentials
import SyncStore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Who holds a hub's folder: a hub that runs, which is asked, or a command at work, for which others wait a moment.
enum HubHolder {
    /// How long a command waits for another one that works on the hub's files, or for a hub that is just starting.
    private static let patience = Duration.seconds(3)

    /// The folder, held from now on; nil if a hub runs on it, and can be asked.
    ///
    /// - Throws: ``HubClient/Failure`` if the folder stays in use by something that is no running hub, and what is wrong with
    ///   the folder.
    static func resting(_ path: String) async throws -> HubFolder? {
        let deadline = ContinuousClock.now + patience
        while true {
            do {
                return try HubFolder(path: path)
            } catch FolderError.inUse(_, let processID) {
                if let processID, isSuspended(processID) {
                    throw HubClient.Failure.suspended(path: path, processID: processID)
                }
                if isListening(path) { return nil }
                guard ContinuousClock.now < deadline else {
                    throw HubClient.Failure.held(path: path, processID: processID)
                }
            }
            try await Task.sleep(for: .milliseconds(50))
        }
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
    static func isListening(_ folder: String) -> Bool {
        let path = "\(folder)/control"
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        // The last byte stays zero: it ends the text.
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return false }
        // The bytes fit, as was just seen.
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        #if canImport(Darwin)
            let kind = SOCK_STREAM
        #elseif canImport(Musl)
            let kind = SOCK_STREAM
        #else
            let kind = Int32(SOCK_STREAM.rawValue)
        #endif
        let descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        // The address is read during the call only, as the type that its first member tells.
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe connect(descriptor, $0, length) }
        }
        // One that has no room for another guest right now is there, too.
        return result == 0 || errno == EAGAIN || errno == EINPROGRESS
    }
}

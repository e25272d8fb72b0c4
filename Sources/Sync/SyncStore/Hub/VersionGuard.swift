internal import Platform
internal import SyncCore

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// The version that a hub has reached, in a small file beside its folder.
///
/// Restoring a backup of the folder does not restore this file, so the hub can detect the restore.
///
/// The file is `<folder>.guard`, readable only by this user. It is written at most once per second and is not synced,
/// so it can be older than the store but never newer. If it cannot be written or read, the hub works without it:
/// watches also detect that versions are missing.
final class VersionGuard: Sendable {
    /// The minimum time between two writes.
    static let interval = Duration.seconds(1)

    private struct State {
        var version: Version?
        /// Whether the file contains `version`.
        var isWritten = true
        var nextWrite: ContinuousClock.Instant?
    }

    private let path: String
    private let now: @Sendable () -> ContinuousClock.Instant
    private let note = Lock(State())

    private static let byteCountMax = 4096

    init(besides folder: String, now: @escaping @Sendable () -> ContinuousClock.Instant) {
        let end = folder.utf8.lastIndex { $0 != UInt8(ascii: "/") }
        path = (end.map { String(folder[...$0]) } ?? folder) + ".guard"
        self.now = now
    }

    deinit {
        write()
    }

    /// The version in the file; nil if the file does not exist or cannot be read.
    func read() -> Version? {
        // An unreadable file counts as a missing one.
        guard let file = try? OpenFile(path: path, flags: O_RDONLY | O_NONBLOCK | O_NOFOLLOW),
            let bytes = try? file.read(at: 0, byteCount: Self.byteCountMax),
            let json = try? JSONValue(decoding: bytes),
            let epoch = json["epoch"]?.hexadecimal, let revision = json["revision"]?.hexadecimal,
            let chain = json["chain"]?.hexadecimal,
            json["checksum"]?.integer == Self.checksum(epoch, revision, chain)
        else { return nil }
        return Version(epoch: Epoch(number: epoch), revision: revision, chain: chain)
    }

    /// Records a durable version.
    ///
    /// It is written at once if ``interval`` has passed since the last write; otherwise by a later call, by
    /// ``write()``, or at deinitialisation.
    func note(_ version: Version) {
        let isDue = note.withLock { note in
            guard version != note.version else { return false }
            note.version = version
            note.isWritten = false
            let now = now()
            return note.nextWrite.map { $0 <= now } ?? true
        }
        if isDue { write() }
    }

    /// Writes the recorded version if the file does not contain it yet.
    func write() {
        let time = now()
        let version = note.withLock { note -> Version? in
            guard !note.isWritten else { return nil }
            note.isWritten = true
            note.nextWrite = time.advanced(by: Self.interval)
            return note.version
        }
        guard let version else { return }
        do throws(FolderError) {
            try write(version)
        } catch {
            // The parent folder may not be writable. The store works without the guard file.
        }
    }

    private func write(_ version: Version) throws(FolderError) {
        let (epoch, revision, chain) = (version.epoch.number, version.revision, version.chain)
        let json = JSONValue.members([
            "epoch": .hexadecimal(epoch), "revision": .hexadecimal(revision), "chain": .hexadecimal(chain),
            "checksum": .integer(Self.checksum(epoch, revision, chain)),
        ])
        let newPath = path + ".new"
        // A crash can have left a file that another process has open, so it is not reused.
        _ = unsafe unlink(newPath)
        let file = try OpenFile.create(newPath)
        try file.write(json.encoded)
        try FolderError.perform("rename", on: newPath) { unsafe rename(newPath, path) }
    }

    private static func checksum(_ epoch: UInt64, _ revision: UInt64, _ chain: UInt64) -> Int64 {
        var crc = CRC32C()
        for number in [epoch, revision, chain] { crc.update(Hexadecimal.text(number).utf8) }
        return Int64(crc.value)
    }
}

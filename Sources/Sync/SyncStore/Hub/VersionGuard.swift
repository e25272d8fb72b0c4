internal import Platform
internal import SyncCore

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// The version that a hub reached, noted in a small file beside its folder, so that anybody who puts a backup of the
/// folder back does not put the note back with it.
///
/// The file is `<folder>.guard`, for this user only. It is written at most once a second, and does not wait for the
/// disk: it may be older than the store, never newer. Where it cannot be written or read, there is no note, and nothing
/// else is different: watches also notice a past that is lost.
final class VersionGuard: Sendable {
    /// The time between two writes.
    static let interval = Duration.seconds(1)

    private struct Note {
        var version: Version?
        /// Whether the file has the version.
        var isWritten = true
        var nextWrite: ContinuousClock.Instant?
    }

    private let path: String
    private let now: @Sendable () -> ContinuousClock.Instant
    private let note = Lock(Note())

    private static let byteCountMax = 4096

    init(besides folder: String, now: @escaping @Sendable () -> ContinuousClock.Instant) {
        let end = folder.utf8.lastIndex { $0 != UInt8(ascii: "/") }
        path = (end.map { String(folder[...$0]) } ?? folder) + ".guard"
        self.now = now
    }

    deinit {
        write()
    }

    /// The version that is noted, nil if none is or if it cannot be read.
    func read() -> Version? {
        // Whatever is wrong with the file: there is no note then.
        guard let file = try? OpenFile(path: path, flags: O_RDONLY | O_NONBLOCK | O_NOFOLLOW),
            let bytes = try? file.read(byteCountMax: Self.byteCountMax),
            let json = try? JSONValue(decoding: bytes),
            let epoch = json["epoch"]?.hexadecimal, let revision = json["revision"]?.hexadecimal,
            let chain = json["chain"]?.hexadecimal,
            json["checksum"]?.integer == Self.checksum(epoch, revision, chain)
        else { return nil }
        return Version(epoch: Epoch(number: epoch), revision: revision, chain: chain)
    }

    /// Notes a version that is durable; it is written now, or at the end of the second since the last write.
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

    /// Writes the version that was noted last, if the file does not have it.
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
            // The folder above may not be ours to write into; the store is complete without the note.
        }
    }

    private func write(_ version: Version) throws(FolderError) {
        let (epoch, revision, chain) = (version.epoch.number, version.revision, version.chain)
        let json = JSONValue.members([
            "epoch": .hexadecimal(epoch), "revision": .hexadecimal(revision), "chain": .hexadecimal(chain),
            "checksum": .integer(Self.checksum(epoch, revision, chain)),
        ])
        let newPath = path + ".new"
        // What a crash left may not be ours alone any more; there is mostly none.
        _ = unsafe unlink(newPath)
        let file = try OpenFile.create(newPath)
        try file.write(json.encoded)
        try perform("rename", on: newPath) { unsafe rename(newPath, path) }
    }

    private static func checksum(_ epoch: UInt64, _ revision: UInt64, _ chain: UInt64) -> Int64 {
        var crc = CRC32C()
        for number in [epoch, revision, chain] { crc.update(Hexadecimal.text(number).utf8) }
        return Int64(crc.value)
    }
}

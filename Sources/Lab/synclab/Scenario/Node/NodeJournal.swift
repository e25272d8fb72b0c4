import CommandSupport
import Foundation
import Platform
import SyncCore
import SyncTransport

/// The promises and observations of a node, in a durable file: each line is on the disk before anybody is notified.
final class NodeJournal: Sendable {
    /// A line of the journal.
    struct Note: Codable, Sendable, Hashable {
        /// What happened.
        enum Kind: String, Codable, Sendable {
            /// The process started.
            case began
            /// The hub is about to change a cell; `seen` is the value before.
            case intended
            /// A change of a cell is durable, and shown.
            case accepted
            /// A conflict is about to be dismissed; the rejected value was seen.
            case putAside
            /// User info is queued durably.
            case itemQueued
            /// User info was handed to the application.
            case itemGot
            /// A file is queued durably.
            case fileQueued
            /// A file was handed to the application.
            case fileGot
            /// A watch, known by its key, has this name.
            case named
            /// User info that had arrived at the other end was lost there in a restore, and this end was notified.
            case itemsLost
            /// A question is about to be asked.
            case asked
            /// A question has its outcome.
            case answered
            /// A question came to the application.
            case messageGot
            /// The hub's folder was copied. This and the following kinds are written by the code that drives the run.
            case backedUp
            /// The hub's folder was replaced by the copy.
            case restored
            /// A copy of the folder of a watch began to run as another device.
            case cloned
            /// That device was deleted; `isTrue` says whether it had nothing left to send.
            case cloneEnded
        }

        var kind: Kind
        /// The cell.
        var cell: String?
        /// The value.
        var value: String?
        /// The value that its author saw.
        var seen: String?
        /// The user info, the name of the file, or the name of the watch.
        var text: String?
        /// The id of the item or file.
        var id: String?
        /// The other end: a watch's key at a hub.
        var peer: String?
        /// Whether the item was sent with priority, or the file has the right bytes.
        var isTrue: Bool?
        /// The bytes of the file, or the number of items.
        var byteCount: Int?
        /// The edit of which a change is one cell.
        var edit: String?
        /// When it was written, in nanoseconds on a clock that all processes of the machine share.
        var time: Int64?

        init(_ kind: Kind) {
            self.kind = kind
        }
    }

    private let descriptor: Lock<Int32>
    private let path: String

    /// Opens the journal, and creates it if it does not exist.
    init(path: String) throws {
        self.path = path
        let file = unsafe Foundation.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            throw CommandFailure("cannot open the journal \(path): \(SystemErrorText.of(number: errno))")
        }
        descriptor = Lock(file)
    }

    /// The notes of a journal; a line that a crash cut short is left out, since nobody was notified of it.
    static func notes(path: String) throws -> [Note] {
        let text: Data
        do {
            text = try Data(contentsOf: URL(filePath: path))
        } catch {
            throw CommandFailure("cannot read the journal \(path): \(SystemErrorText.of(error))")
        }
        let decoder = JSONDecoder()
        return text.split(separator: UInt8(ascii: "\n")).compactMap { line in
            // Only the last line of a run can be cut short.
            try? decoder.decode(Note.self, from: Data(line))
        }
    }

    /// Writes a line; when it returns, the line is on the disk.
    func write(_ note: Note) throws {
        var note = note
        note.time = Moment.now.monotonic.nanoseconds
        let bytes = Array((try JSONText.message(note) + "\n").utf8)
        try descriptor.withLock { file in
            // The buffer has the given number of bytes.
            guard unsafe Foundation.write(file, bytes, bytes.count) == bytes.count, fsync(file) == 0 else {
                throw CommandFailure("cannot write the journal \(path): \(SystemErrorText.of(number: errno))")
            }
        }
    }
}

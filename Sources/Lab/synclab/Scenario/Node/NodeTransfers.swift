import CommandSupport
import Foundation
import SyncCore
import SyncSimulation
import SyncStore
import SyncTransport
import ZeroMQ

/// Transfers, for both kinds of nodes.
enum NodeTransfers {
    /// Writes an accepted transfer into the journal.
    ///
    /// - Throws: ``CommandFailure`` if it was declined.
    static func note(
        _ answer: TransferAnswer, _ order: NodeOrder, peer: PeerKey?, in journal: NodeJournal
    ) throws {
        var note: NodeJournal.Note
        switch answer {
        case .exchange(.accepted(let id, let isUrgent)):
            note = NodeJournal.Note(.itemQueued)
            (note.id, note.text, note.isTrue) = (id.hexadecimal, order.text, isUrgent)
        case .files(.accepted(let id)):
            note = NodeJournal.Note(.fileQueued)
            (note.id, note.text, note.byteCount) = (id.hexadecimal, order.file, order.byteCount)
        case .exchange, .files: throw CommandFailure("declined: \(answer)")
        }
        note.peer = peer?.hexadecimal
        try journal.write(note)
    }

    /// The message of a question.
    static func question(_ order: NodeOrder) -> SyncCore.Message {
        SyncCore.Message(
            payload: Array((order.text ?? "").utf8), wantsReply: true,
            timeout: order.patience.map { .milliseconds($0) })
    }

    /// Asks a question; writes the question into the journal before, and its outcome afterwards.
    static func ask(
        _ order: NodeOrder, in journal: NodeJournal, _ send: () async throws -> TransferAnswer
    ) async throws -> String {
        var note = NodeJournal.Note(.asked)
        note.text = order.text
        try journal.write(note)
        let outcome = words(try await send())
        note.kind = .answered
        note.value = outcome
        try journal.write(note)
        return outcome
    }

    /// The outcome of a question, in the form that the backend compares.
    static func words(_ answer: TransferAnswer) -> String {
        switch answer {
        case .exchange(.replied(let bytes)): "answer \(String(decoding: bytes, as: UTF8.self))"
        case .exchange(.failed(.replyTimedOut)): "no answer"
        case .exchange(.failed(.notReachable)): "not reachable"
        case .exchange, .files: "\(answer)"
        }
    }

    /// Creates the file of an order and passes it to the store.
    static func keep(_ order: NodeOrder, in store: FileStore) throws -> FileStore.KeptFile {
        let name = order.file ?? ""
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer {
            // The system removes what is left with its other temporary files.
            try? FileManager.default.removeItem(at: folder)
        }
        let path = folder.appending(path: name)
        try Data(ScenarioFile(name: name, byteCount: order.byteCount).content).write(to: path)
        return try store.keep(path.path)
    }
}

/// The keys of a node.
enum NodeKeys {
    /// Reads the keys in a folder; creates them if there are none.
    static func keys(in folder: StateFolder) throws -> CurveKeyPair {
        if let bytes = try folder.readSecret("node.key") {
            return try CurveKeyPair(secretKey: CurveSecretKey(bytes: bytes))
        }
        let keys = try CurveKeyPair()
        try folder.writeSecret("node.key", keys.secretKey.bytes)
        return keys
    }
}

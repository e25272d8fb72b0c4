import CommandSupport
import Foundation
import Platform
import PoolControl
import SyncCore
import SyncSimulation

/// The application of a node: it writes everything that arrives into the journal, and gives the replies that it was
/// ordered to give.
///
/// Events come on the link's thread, which must not wait; so a task handles them, in order.
final class NodeApplication: Sendable {
    private struct State {
        var items: [(id: String, peer: String, text: String, isUrgent: Bool)] = []
        var files: [DeviceObservation.FileObservation] = []
        var names: [String: String] = [:]
        var warnings: [(peer: String, kind: ScenarioWarning)] = []
        var replies: [String: String] = [:]
        var cutAt: (file: String, percent: Int)?
        var lastReply: UInt64 = 1 << 32
        var epochCount = 1
        var isTurnedAway = false
    }

    private let journal: NodeJournal
    private let state = Lock(State())
    private let events: AsyncStream<(PeerKey, TransferEvent)>
    private let source: AsyncStream<(PeerKey, TransferEvent)>.Continuation

    /// Continues the journal of earlier runs.
    init(journal: NodeJournal, notes: [NodeJournal.Note]) {
        self.journal = journal
        (events, source) = AsyncStream<(PeerKey, TransferEvent)>.makeStream()
        state.withLock { state in
            for note in notes {
                switch note.kind {
                case .itemGot:
                    guard let id = note.id, !state.items.contains(where: { $0.id == id }) else { continue }
                    state.items.append((id, note.peer ?? "", note.text ?? "", note.isTrue ?? false))
                case .fileGot:
                    Self.change(note.text ?? "", in: &state) { $0.isWhole = note.isTrue ?? false || $0.isWhole }
                case .named: state.names[note.peer ?? ""] = note.text
                case .began, .intended, .accepted, .putAside, .itemQueued, .fileQueued, .itemsLost, .asked, .answered,
                    .messageGot, .backedUp, .restored, .cloned, .cloneEnded:
                    break
                }
            }
        }
    }

    private static func change(
        _ name: String, in state: inout State, _ change: (inout DeviceObservation.FileObservation) -> Void
    ) {
        if let index = state.files.firstIndex(where: { $0.name == name }) { return change(&state.files[index]) }
        var file = DeviceObservation.FileObservation(name: name)
        change(&file)
        state.files.append(file)
    }

    // MARK: - On the link's thread

    /// Queues an event; returns whether messages are to be lost from now on.
    func notice(_ event: TransferEvent, from peer: PeerKey) -> Bool {
        source.yield((peer, event))
        guard case .files(let event) = event else { return false }
        switch event {
        case .receiving(let offer, let byteCount):
            state.withLock { state in Self.change(offer.name, in: &state) { $0.arrived(byteCount) } }
            return isCutDue(name: offer.name, byteCount: byteCount, of: offer.byteCount)
        case .sent, .ended, .received, .receiveFailed, .dropped, .notStored: return false
        }
    }

    private func isCutDue(name: String, byteCount: UInt64, of whole: UInt64) -> Bool {
        state.withLock { state in
            guard let due = state.cutAt, due.file == name, byteCount * 100 >= UInt64(due.percent) * whole else {
                return false
            }
            state.cutAt = nil
            return true
        }
    }

    /// The hub warns of a watch.
    func warn(of peer: PeerKey, _ kind: ScenarioWarning) {
        state.withLock { $0.warnings.append((peer.hexadecimal, kind)) }
    }

    /// Counts epochs that began, or that are known as left at the start.
    func countEpochs(_ count: Int) {
        state.withLock { $0.epochCount += count }
    }

    /// Notes whether the hub rejects the watch.
    func setTurnedAway(_ isTurnedAway: Bool) {
        state.withLock { $0.isTurnedAway = isTurnedAway }
    }

    // MARK: - Orders

    /// Sets the reply to a question that will come.
    func script(_ question: String, reply: String?) {
        state.withLock { $0.replies[question] = reply }
    }

    /// Sets how much of a file must have arrived before messages are lost; nil for never.
    func cut(at due: (file: String, percent: Int)?) {
        state.withLock { $0.cutAt = due }
    }

    /// Adds what has arrived to an observation.
    func show(in observation: inout DeviceObservation, isHub: Bool) {
        state.withLock { state in
            observation.items = state.items.map {
                .init(text: $0.text, from: isHub ? state.names[$0.peer] ?? $0.peer : nil, isUrgent: $0.isUrgent)
            }
            observation.files = state.files
            observation.warnings = state.warnings.map { .init(watch: state.names[$0.peer] ?? $0.peer, kind: $0.kind) }
            observation.epochCount = state.epochCount
            if state.isTurnedAway { observation.link = "notAdmitted" }
        }
    }

    /// Notes the name of a watch.
    func name(_ peer: PeerKey, _ name: String) throws {
        let isNews = state.withLock { $0.names.updateValue(name, forKey: peer.hexadecimal) != name }
        guard isNews else { return }
        var note = NodeJournal.Note(.named)
        (note.peer, note.text) = (peer.hexadecimal, name)
        try journal.write(note)
    }

    /// The key of a watch.
    func peer(named name: String) throws -> PeerKey {
        let key = state.withLock { $0.names.first { $0.value == name }?.key }
        guard let peer = key.flatMap(PeerKey.init(hexadecimal:)) else {
            throw CommandFailure("no watch is called \(name)")
        }
        return peer
    }

    // MARK: - Events, one after the other

    /// Handles events until the task is cancelled.
    ///
    /// - Parameters:
    ///   - path: Returns the path of a received file.
    ///   - tell: Sends a request to the transfers with a peer.
    /// - Throws: ``CommandFailure`` if the journal cannot be written.
    func work(
        path: @escaping @Sendable (PeerKey, FileOffer) -> String?,
        tell: @escaping @Sendable (PeerKey, TransferInput) -> Void
    ) async throws {
        for await (peer, event) in events {
            switch event {
            case .exchange(.itemReceived(let item)):
                try take(item, from: peer)
                tell(peer, .exchange(.consumed(item.id)))
            case .exchange(.messageReceived(let message)):
                let question = String(decoding: message.payload, as: UTF8.self)
                var note = NodeJournal.Note(.messageGot)
                (note.text, note.peer) = (question, peer.hexadecimal)
                try journal.write(note)
                let (reply, number) = state.withLock { state in
                    state.lastReply += 1
                    return (state.replies[question] ?? Self.echo(of: question), state.lastReply)
                }
                guard let reply else { continue }
                tell(peer, .exchange(.reply(RequestID(number: number), message.id, Array(reply.utf8))))
            case .exchange(.itemsLost(_, let numbers)):
                var note = NodeJournal.Note(.itemsLost)
                (note.peer, note.byteCount) = (peer.hexadecimal, numbers.count)
                try journal.write(note)
            case .files(.received(let offer)):
                try take(offer, path: path(peer, offer))
                tell(peer, .files(.consumed(offer.id)))
            case .files(.ended(let result)): tell(peer, .files(.resultTaken(result.id)))
            case .exchange, .files: break
            }
        }
    }

    /// The reply to a question that requests itself as the reply, so that the asking side can check the reply.
    static func echo(of question: String) -> String? {
        question.hasPrefix("echo ") ? "heard \(question.dropFirst(5))" : nil
    }

    private func take(_ item: ReceivedItem, from peer: PeerKey) throws {
        let text = String(decoding: item.payload, as: UTF8.self)
        var note = NodeJournal.Note(.itemGot)
        (note.id, note.peer, note.text) = (item.id.hexadecimal, peer.hexadecimal, text)
        note.isTrue = item.isUrgent
        try journal.write(note)
        state.withLock { state in
            guard !state.items.contains(where: { $0.id == item.id.hexadecimal }) else { return }
            state.items.append((item.id.hexadecimal, peer.hexadecimal, text, item.isUrgent))
        }
    }

    private func take(_ offer: FileOffer, path: String?) throws {
        // A file that cannot be read counts as wrong.
        let content = path.flatMap { try? Data(contentsOf: URL(filePath: $0)) }
        let expected = ScenarioFile(name: offer.name, byteCount: Int(offer.byteCount)).content
        var note = NodeJournal.Note(.fileGot)
        (note.id, note.text, note.byteCount) = (offer.id.hexadecimal, offer.name, Int(offer.byteCount))
        let isRight = content.map { $0.elementsEqual(expected) } ?? false
        (note.peer, note.isTrue) = (nil, isRight)
        try journal.write(note)
        state.withLock { state in
            Self.change(offer.name, in: &state) { file in
                file.byteCount = offer.byteCount
                file.isWhole = file.isWhole || isRight
            }
        }
    }
}

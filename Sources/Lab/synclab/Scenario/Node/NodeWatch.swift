import CommandSupport
import Foundation
import Logging
import Platform
import PoolControl
import SyncCore
import SyncSimulation
import SyncStore
import SyncTransport
import ZeroMQ

/// The bare watch of a node.
struct NodeWatch: Sendable {
    /// Messages are lost until another order.
    private static let forEver = Instant(nanoseconds: .max)

    private let transport: WatchTransport
    private let application: NodeApplication
    private let journal: NodeJournal
    private let files: FileStore
    private let hub: PeerKey

    init(_ options: NodeOptions, journal: NodeJournal, notes: [NodeJournal.Note]) async throws {
        let folder = try StateFolder(path: options.state)
        let keys = try NodeKeys.keys(in: folder)
        let link = try await Self.link(options, keys: keys, in: folder)
        let store = try WatchStore(in: folder)
        let state = try store.load()
        try Self.noteWaitingEdits(of: state.replica, in: journal)
        let application = NodeApplication(journal: journal, notes: notes)
        files = try FileStore(in: folder)
        hub = link.hubKey.peerKey
        self.application = application
        self.journal = journal
        let hub = hub
        let linkCutter = LinkCutter()
        let (name, versions) = (options.name ?? "watch", try options.versions)
        let recorder = try options.record.map {
            try EngineJournal.open($0, name: name, key: keys.publicKey.peerKey, versions: versions, of: .scenarios)
        }
        transport = WatchTransport(
            configuration: .init(
                endpoint: link.endpoint, hubKey: link.hubKey, keys: keys,
                engine: .init(name: name, app: try options.appName, schemaVersions: versions),
                recording: recorder),
            state: state, storage: store, files: files, logger: Logger(label: "node") { _ in SwiftLogNoOpLogHandler() },
            onTransfer: { event in if application.notice(event, from: hub) { linkCutter.cut() } },
            onEvent: { event in
                guard case .transport(let transport) = event else { return }
                application.setTurnedAway(transport == .notAdmitted)
            })
        linkCutter.transport = transport
        if let cut = options.cutOrder { Self.cut(transport, cut) }
    }

    /// The link to the hub; a new invitation is accepted first.
    private static func link(
        _ options: NodeOptions, keys: CurveKeyPair, in folder: StateFolder
    ) async throws -> InvitationCode {
        if let text = options.invitation {
            let code = try InvitationCode(text)
            _ = try await PairingTransport.pair(
                code, as: keys.publicKey, name: options.name ?? "watch", app: try options.appName,
                patience: .seconds(20))
            try folder.writeSecret("node.link", Array(text.utf8))
            return code
        }
        guard let bytes = try folder.readSecret("node.link") else {
            throw CommandFailure("the watch in \(options.state) is not paired: give it an invitation")
        }
        return try InvitationCode(String(decoding: bytes, as: UTF8.self))
    }

    /// Notes pending edits: an edit may be durable although the process died before it could report it.
    private static func noteWaitingEdits(of replica: ReplicaState, in journal: NodeJournal) throws {
        let waiting = replica.pending.compactMap { if case .edit(let edit) = $0.upload { edit } else { nil } }
        for edit in replica.journal + waiting { try note(edit, in: journal) }
    }

    private static func note(_ edit: Edit, in journal: NodeJournal) throws {
        for change in edit.changes {
            var note = NodeJournal.Note(.accepted)
            (note.cell, note.value, note.seen) = (CellName(change.key)?.text, change.value, change.seen)
            note.edit = edit.id.hexadecimal
            try journal.write(note)
        }
    }

    /// Follows the hub until the task is cancelled.
    func run() async throws {
        try await withThrowingTaskGroup { group in
            group.addTask { try await transport.run() }
            group.addTask { [files, transport] in
                try await application.work { _, offer in
                    files.path(ofReceived: offer)
                } tell: { _, input in
                    transport.tell(input)
                }
            }
            try await group.waitForAll()
        }
    }

    // MARK: - Orders

    func carryOut(_ order: NodeOrder) async throws -> NodeReport {
        var report = NodeReport(id: order.id)
        switch order.action {
        case .look: report.observation = try await look()
        case .change: try await note(transport.edit(try order.cellChanges()))
        case .settle:
            guard let id = order.conflict.flatMap(RandomID.init(hexadecimal:)) else {
                throw CommandFailure("a conflict has a name of 32 hexadecimal digits")
            }
            try await note(transport.settle(id, restoring: order.isRestoring))
        case .item:
            let transfer = Exchange.Transfer(payload: Array((order.text ?? "").utf8), isUrgent: order.isUrgent)
            let answer = try await transport.transfer { .exchange(.transfer($0, transfer)) }
            try NodeTransfers.note(answer, order, peer: nil, in: journal)
        case .ask:
            let message = NodeTransfers.question(order)
            report.text = try await NodeTransfers.ask(order, in: journal) {
                try await transport.transfer { .exchange(.message($0, message)) }
            }
        case .script: application.script(order.text ?? "", reply: order.reply)
        case .file: try await sendFile(order)
        case .cut: Self.cut(transport, order)
        case .cutAtFile: application.cut(at: (order.file ?? "", order.percent))
        case .clock: WallClockOffset.milliseconds = order.milliseconds
        case .swarm: transport.setFaults(.swarm(seed: order.seed))
        case .heal:
            application.cut(at: nil)
            transport.setFaults(nil)
        case .invite, .unpair: throw CommandFailure("a watch does not pair others")
        }
        return report
    }

    private func look() async throws -> DeviceObservation {
        let view = try await transport.view()
        var observation = DeviceObservation()
        observation.show(view.version)
        observation.show(view.cells)
        observation.show(view.conflicts)
        observation.waitingEditCount = view.pendingEdits.count
        observation.show(view.link)
        application.show(in: &observation, isHub: false)
        return observation
    }

    private func note(_ answer: WatchEngine.Answer) throws {
        switch answer {
        case .accepted(let edit): try Self.note(edit, in: journal)
        case .unchanged: break
        case .refused(let fault): throw CommandFailure("declined: \(fault)")
        }
    }

    private func sendFile(_ order: NodeOrder) async throws {
        let kept = try NodeTransfers.keep(order, in: files)
        let answer = try await transport.transfer {
            .files(
                .send($0, file: kept.file, name: kept.name, byteCount: kept.byteCount, kept.digest, metadata: []))
        }
        try NodeTransfers.note(answer, order, peer: nil, in: journal)
    }

    fileprivate static func cut(_ transport: WatchTransport, _ order: NodeOrder) {
        var faults = LinkFaults(seed: 0)
        if order.losesIncoming { faults.incoming.cutUntil = forEver }
        if order.losesOutgoing { faults.outgoing.cutUntil = forEver }
        transport.setFaults(faults)
    }
}

/// Cuts the link of a transport that is made later than the users of this object.
private final class LinkCutter: Sendable {
    private let slot = Lock<WatchTransport?>(nil)

    var transport: WatchTransport? {
        get { slot.withLock { $0 } }
        set { slot.withLock { $0 = newValue } }
    }

    func cut() {
        var order = NodeOrder(.cut)
        (order.losesOutgoing, order.losesIncoming) = (true, true)
        if let transport { NodeWatch.cut(transport, order) }
    }
}

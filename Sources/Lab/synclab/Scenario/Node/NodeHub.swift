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

/// The bare hub of a node: the engine's transport on the real stores, without the pool's domain.
struct NodeHub: Sendable {
    private let transport: HubTransport
    private let application: NodeApplication
    private let journal: NodeJournal
    private let files: NodeHubFiles

    init(_ options: NodeOptions, journal: NodeJournal, notes: [NodeJournal.Note]) throws {
        let folder = try StateFolder(path: options.state)
        var generator = SystemRandomNumberGenerator()
        let store = try HubStore(in: folder, firstEpoch: Epoch(number: generator.next()))
        if store.wasPutBack != nil { try store.beginEpoch() }
        let state = try store.load()
        let application = NodeApplication(journal: journal, notes: notes)
        application.countEpochs(state.lineage.count)
        files = NodeHubFiles(folder: folder)
        self.application = application
        self.journal = journal
        let (keys, versions) = (try NodeKeys.keys(in: folder), try options.versions)
        let recorder = try options.record.map {
            try EngineJournal.open(
                $0, name: "hub", key: keys.publicKey.peerKey, versions: versions, of: .scenarios)
        }
        transport = HubTransport(
            configuration: .init(
                endpoint: try Endpoint(options.endpoint ?? "tcp://127.0.0.1:*"), keys: keys,
                engine: .init(app: ScenarioSchema.app, schema: ScenarioSchema.schema(versions)), recording: recorder),
            state: state, transfers: try store.transfers(), storage: store,
            files: { [files] in files.store(with: $0) },
            logger: Logger(label: "node") { _ in SwiftLogNoOpLogHandler() },
            onTransfer: { peer, event in _ = application.notice(event, from: peer) },
            onEvent: { event in
                if case .duplicateWatch(let peer) = event { application.warn(of: peer, .duplicate) }
                if case .clockSuspect(let peer) = event { application.warn(of: peer, .clock) }
                if case .forked = event { application.countEpochs(1) }
            })
    }

    /// Serves until the task is cancelled.
    func run(onReady: @escaping @Sendable (String) -> Void) async throws {
        try await withThrowingTaskGroup { group in
            group.addTask { try await transport.run { onReady($0.text) } }
            group.addTask { [files, transport] in
                try await application.work { peer, offer in
                    files.store(with: peer)?.path(ofReceived: offer)
                } tell: { peer, input in
                    transport.tell(input, to: peer)
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
        case .change: try await change(order)
        case .settle: try await settle(order)
        case .item: try await sendItem(order)
        case .ask: report.text = try await ask(order)
        case .script: application.script(order.text ?? "", reply: order.reply)
        case .file: try await sendFile(order)
        case .invite: report.text = try await transport.invite(name: order.watch, validForSeconds: 600).text
        case .unpair: try await transport.unpair(try await peer(order))
        case .clock: WallClockOffset.milliseconds = order.milliseconds
        case .swarm: transport.setFaults(.swarm(seed: order.seed))
        case .heal: transport.setFaults(nil)
        case .cut, .cutAtFile: throw CommandFailure("a hub is not cut: cut its watches")
        }
        return report
    }

    private func look() async throws -> DeviceObservation {
        let status = try await transport.status()
        for watch in status.watches { try application.name(watch.watch.key, watch.watch.name) }
        var observation = DeviceObservation()
        application.show(in: &observation, isHub: true)
        observation.show(status.version)
        observation.show(status.cells)
        observation.show(status.conflicts)
        observation.linkedWatches = status.watches.filter(\.isLinked).map(\.watch.name)
        return observation
    }

    private func peer(_ order: NodeOrder) async throws -> PeerKey {
        _ = try await look()
        return try application.peer(named: order.watch ?? "")
    }

    /// Changes cells; the journal first gets their old values, so that a checker knows what the changes replaced.
    private func change(_ order: NodeOrder) async throws {
        let changes = try order.cellChanges()
        let edit = UUID().uuidString
        while true {
            let status = try await transport.status()
            for change in order.changes {
                var note = NodeJournal.Note(.intended)
                (note.cell, note.value, note.edit) = (change.cell, change.value, edit)
                note.seen = CellName(change.cell).flatMap { status.cells[$0.key]?.value }
                try journal.write(note)
            }
            do {
                _ = try await transport.transact(changes, expected: status.version)
            } catch LinkError.refused(.versionMoved) {
                continue
            }
            for change in order.changes {
                var note = NodeJournal.Note(.accepted)
                (note.cell, note.value, note.edit) = (change.cell, change.value, edit)
                note.seen = CellName(change.cell).flatMap { status.cells[$0.key]?.value }
                try journal.write(note)
            }
            return
        }
    }

    private func settle(_ order: NodeOrder) async throws {
        guard let id = order.conflict.flatMap(RandomID.init(hexadecimal:)) else {
            throw CommandFailure("a conflict has a name of 32 hexadecimal digits")
        }
        if !order.isRestoring {
            for conflict in try await transport.status().conflicts.ofEdit(with: id) {
                var note = NodeJournal.Note(.putAside)
                (note.cell, note.value) = (CellName(conflict.key)?.text, conflict.loser.value)
                note.text = conflict.rule.rawValue
                try journal.write(note)
            }
        }
        _ = try await transport.settle(id, restoring: order.isRestoring)
    }

    private func sendItem(_ order: NodeOrder) async throws {
        let transfer = Exchange.Transfer(payload: Array((order.text ?? "").utf8), isUrgent: order.isUrgent)
        let peer = try await peer(order)
        let answer = try await transport.transfer({ .exchange(.transfer($0, transfer)) }, with: peer)
        try NodeTransfers.note(answer, order, peer: peer, in: journal)
    }

    private func ask(_ order: NodeOrder) async throws -> String {
        let message = NodeTransfers.question(order)
        let peer = try await peer(order)
        return try await NodeTransfers.ask(order, in: journal) {
            try await transport.transfer({ .exchange(.message($0, message)) }, with: peer)
        }
    }

    private func sendFile(_ order: NodeOrder) async throws {
        let peer = try await peer(order)
        guard let store = files.store(with: peer) else { throw CommandFailure("there is no room for files") }
        let kept = try NodeTransfers.keep(order, in: store)
        let answer = try await transport.transfer(
            {
                .files(
                    .send(
                        $0, file: kept.file, name: kept.name, byteCount: kept.byteCount, kept.digest, metadata: []))
            }, with: peer)
        try NodeTransfers.note(answer, order, peer: peer, in: journal)
    }
}

/// The files of a hub, by the watch with which they are exchanged.
final class NodeHubFiles: Sendable {
    private let folder: StateFolder
    private let stores = Lock<[PeerKey: FileStore]>([:])

    init(folder: StateFolder) {
        self.folder = folder
    }

    func store(with peer: PeerKey) -> FileStore? {
        stores.withLock { stores in
            if let store = stores[peer] { return store }
            // A store that cannot be opened cannot take files; the other end is notified.
            guard let store = try? FileStore(in: folder, peer: String(peer.hexadecimal.prefix(16))) else { return nil }
            stores[peer] = store
            return store
        }
    }
}

import Platform
public import PoolModel
internal import Service
internal import SyncCore
internal import SyncStore
internal import SyncTransport
internal import ZeroMQ

/// Sends commands to the watch of a folder: to the process that runs it or, without such a process, to its files.
public enum WatchClient {
    /// Why the watch of a folder could not be asked.
    public enum Failure: Error, CustomStringConvertible {
        /// The watch was never paired.
        case notPaired(path: String)

        /// The error, and what to do about it.
        public var description: String {
            switch self {
            case .notPaired(let path):
                "the watch of \(path) is not paired with a hub yet, so there is nothing to change: "
                    + "pair it with `poolsensors watch pair`"
            }
        }
    }

    /// Whether a process runs the watch of a folder and answers commands.
    public static func isRunning(path: String) -> Bool { WatchFolder.service(path: path).isRunning }

    /// Carries out a command.
    ///
    /// - Parameters:
    ///   - command: The command.
    ///   - path: The watch's folder.
    ///   - onNotice: Called with additional remarks for a person, if the watch does not run.
    /// - Returns: The answer.
    /// - Throws: ``Failure``, `ServiceFailure`, and errors in the folder or the command, in words.
    public static func perform(
        _ command: WatchCommand, path: String, onNotice: (String) -> Void = { _ in }
    ) async throws -> WatchAnswer {
        guard let folder = try await WatchFolder.service(path: path).resting(open: { try WatchFolder(path: $0) })
        else { return try await ask(command, path: path) }
        guard let hub = folder.hub else { throw Failure.notPaired(path: path) }
        let notices = try folder.openNotices().notices
        let store = try folder.openStore()
        if let damaged = store.setAside { onNotice(damaged.sentence) }
        let configuration = WatchEngine.Configuration.pool(name: hub.name, keys: folder.keys)
        switch command {
        case .edit(let edit):
            let alerts = store.restingAlerts
            return try await WatchEditor(
                replica: try RestingReplica(store, configuration: configuration), alerts: { alerts },
                now: { Timestamp(milliseconds: Moment.now.wallMilliseconds) }
            ).perform(edit)
        case .alerts:
            let contents = try await RestingReplica(store, configuration: configuration).contents()
            return .alerts(
                WatchAlerts(store.restingAlerts, contents.entries, pending: contents.pending, notices: notices))
        case .files: return .files(try folder.files(keeping: try store.load().transfers.files).received)
        case .removeFile(let id):
            return .removedFile(try folder.files(keeping: try store.load().transfers.files).remove(id))
        case .report:
            let contents = try await RestingReplica(store, configuration: configuration).contents()
            let words = EditFormatter(contents.entries)
            return .report(
                WatchReport(
                    name: hub.name, isRunning: false, isLinked: nil, revision: contents.revision,
                    configuration: WatchConfiguration(entries: contents.entries),
                    pending: contents.pending.map { PendingEditSummary($0, words) }, uploadObstacle: nil, outcomes: [],
                    conflicts: contents.conflicts.map { ConflictSummary($0, words, in: contents) }))
        case .dose(let dose):
            return try await DoseSender(
                replica: try RestingReplica(store, configuration: configuration),
                now: { Timestamp(milliseconds: Moment.now.wallMilliseconds) }
            ).perform(dose)
        case .glance, .deliver, .deliverDose:
            return .refused("The watch of \(path) is not running: nothing is shown.")
        }
    }

    /// Delivers an edit to the hub if it answers: through the process that runs the watch or, without one, by a
    /// temporary link.
    ///
    /// - Parameters:
    ///   - edit: The identifier of the edit, as in `PendingEditSummary.id`.
    ///   - path: The watch's folder.
    ///   - options: The options of the watch while it has the link.
    ///   - patience: How long to wait for the hub.
    /// - Returns: The state of the edit, and whether a process that runs the watch continues the delivery.
    /// - Throws: Errors in the folder, in words.
    public static func deliver(
        _ edit: String, path: String, options: PoolWatch.Options, patience: Duration
    ) async throws -> (delivery: EditDelivery, isRunning: Bool) {
        let milliseconds = Int(patience / .milliseconds(1))
        let (delivery, isRunning) = try await reached(path: path, options: options) { watch in
            guard let watch else {
                guard case .delivery(let delivery) = try await ask(.deliver(edit, patience: milliseconds), path: path)
                else { return EditDelivery.waits(for: "the watch that runs here") }
                return delivery
            }
            return await watch.delivery(of: edit, patience: patience)
        }
        return (delivery ?? .waits(for: "the hub"), isRunning)
    }

    /// Delivers a dose to the hub if it answers, in the same way as an edit.
    ///
    /// - Parameters:
    ///   - dose: The dose.
    ///   - path: The watch's folder.
    ///   - options: The options of the watch while it has the link.
    ///   - patience: How long to wait for the hub.
    /// - Returns: What the dose waits for, nil if the hub has it; and whether a process that runs the watch continues
    ///   the delivery.
    /// - Throws: Errors in the folder, in words.
    public static func deliver(
        dose: DoseID, path: String, options: PoolWatch.Options, patience: Duration
    ) async throws -> (waitsFor: String?, isRunning: Bool) {
        let milliseconds = Int(patience / .milliseconds(1))
        let (obstacle, isRunning) = try await reached(path: path, options: options) { watch -> String? in
            guard let watch else {
                let command = WatchCommand.deliverDose(dose, patience: milliseconds)
                guard case .doseDelivery(let missing) = try await ask(command, path: path)
                else { return "the watch that runs here" }
                return missing
            }
            return await watch.obstacle(toDose: dose, patience: patience)
        }
        return (obstacle ?? "the hub", isRunning)
    }

    /// Does something at the process that runs the watch of a folder, or with a watch that runs meanwhile.
    ///
    /// - Parameters:
    ///   - path: The watch's folder.
    ///   - options: The options of the watch that runs meanwhile.
    ///   - work: Gets that watch, or nil for the process that runs already.
    /// - Returns: The result, nil if the watch ended before it; and whether a process runs already.
    /// - Throws: Errors in the folder, and those of `work`.
    private static func reached<Result: Sendable>(
        path: String, options: PoolWatch.Options, _ work: @escaping @Sendable (PoolWatch?) async throws -> Result
    ) async throws -> (Result?, isRunning: Bool) {
        let folder: WatchFolder
        do {
            folder = try WatchFolder(path: path)
        } catch FolderError.inUse {
            return (try await work(nil), true)
        }
        let watch = try PoolWatch(folder, options: options)
        let result = try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask {
                try await watch.run()
                return nil
            }
            group.addTask { try await work(watch) }
            defer { group.cancelAll() }
            while let result = try await group.next() {
                if let result { return Optional(result) }
            }
            return nil
        }
        return (result, false)
    }

    private static func ask(_ command: WatchCommand, path: String) async throws -> WatchAnswer {
        try await WatchFolder.service(path: path).exchange(command) { (_: WatchAnswer) in nil }
    }
}

extension WatchEngine.Configuration {
    /// The configuration of the engine for a pool's watch.
    static func pool(name: String, keys: CurveKeyPair) -> WatchEngine.Configuration {
        WatchEngine.Configuration(
            name: name, app: WatchFolder.app, schemaVersions: PoolWatch.schemaVersions,
            node: keys.publicKey.peerKey.node)
    }
}

extension WatchStore.SetAside {
    /// What happened, and which data were rescued, in a sentence.
    var sentence: String {
        let lost = unreadableCount.map { $0 == 0 ? "all of it" : "all but \($0) of it" } ?? "what could be read of it"
        return "the watch's memory was damaged (\(finding)) and moved aside to \(path); "
            + "of what waits for the hub, \(lost) was saved: \(savedUploadCount) edits"
    }
}

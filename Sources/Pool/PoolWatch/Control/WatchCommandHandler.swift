internal import Logging
internal import PoolModel
internal import SyncTransport
internal import ZeroMQ

/// Carries out the commands for a running watch.
struct WatchCommandHandler: Sendable {
    /// Nil for a watch that was never paired.
    let editor: WatchEditor?
    let files: WatchFiles
    let reducer: WatchReducer
    let observer: WatchObserver
    let awaiter: HubAwaiter
    let logger: Logger

    /// Carries out a command, also while the hub is away.
    ///
    /// - Throws: The error in the command, in words.
    func perform(_ command: WatchCommand) async throws -> WatchAnswer {
        guard let editor else { return .refused("This watch is not paired with a hub yet.") }
        switch command {
        case .edit(let edit): return try await editor.perform(edit)
        case .alerts: return .alerts(observer.state.alerts)
        case .files: return .files(files.received)
        case .removeFile(let id):
            let file = try files.remove(id)
            reducer.handle(.stored)
            return .removedFile(file)
        case .report: return .report(observer.state.report)
        case .glance(let device, let clock, nil): return observer.glance(device: device, clock: clock)
        case .glance(let device, let clock, let patience?):
            return await awaiter.glance(device: device, clock: { clock }, patience: .milliseconds(patience))
        case .deliver(let edit, let patience):
            return .delivery(await awaiter.delivery(of: edit, patience: .milliseconds(patience)))
        case .dose(let dose): return try await DoseSender(replica: editor.replica, now: editor.now).perform(dose)
        case .deliverDose(let dose, let patience):
            return .doseDelivery(waitsFor: await awaiter.obstacle(toDose: dose, patience: .milliseconds(patience)))
        }
    }

    /// Answers commands of the same user until the task is cancelled or that fails; the watch still follows its hub
    /// then.
    ///
    /// - Parameter path: The watch's folder.
    func serve(at path: String) async {
        do {
            let endpoint = try Endpoint(WatchFolder.controlEndpoint(path: path))
            try await ControlServer(endpoint: endpoint) { bytes in await answer(bytes) }.run()
        } catch {
            logger.info("commands cannot reach this watch", metadata: ["control.reason": "\(error)"])
        }
    }

    private func answer(_ bytes: [UInt8]) async -> [UInt8] {
        let answer: WatchAnswer
        do {
            answer = try await perform(try CanonicalJSON.decode(WatchCommand.self, from: bytes))
        } catch {
            answer = .refused("\(error)")
        }
        do {
            return try CanonicalJSON.encode(answer)
        } catch {
            return Array("{\"refused\":{\"_0\":\"the answer could not be written\"}}".utf8)
        }
    }
}

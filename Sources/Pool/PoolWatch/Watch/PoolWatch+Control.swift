public import PoolModel
internal import SyncTransport
internal import ZeroMQ

extension PoolWatch {
    /// Carries out a command, also while the hub is away.
    ///
    /// - Throws: The error in the command, in words.
    public func perform(_ command: WatchCommand) async throws -> WatchAnswer {
        guard let desk else { return .refused("This watch is not paired with a hub yet.") }
        switch command {
        case .edit(let edit): return try await desk.perform(edit)
        case .alerts: return .alerts(alerts)
        case .files: return .files(files.received)
        case .removeFile(let id):
            let file = try files.remove(id)
            receiver.changed()
            return .removedFile(file)
        case .report: return .report(report)
        case .glance(let device, let clock, nil): return glance(device: device, clock: clock)
        case .glance(let device, let clock, let patience?):
            return await askedGlance(device: device, clock: { clock }, patience: .milliseconds(patience))
        case .deliver(let edit, let patience):
            return .delivery(await delivery(of: edit, patience: .milliseconds(patience)))
        }
    }

    /// Answers commands of the same user until the task is cancelled; if that fails, the watch still follows its hub.
    func serveCommands(at path: String) async {
        do {
            let endpoint = try Endpoint(WatchFolder.controlEndpoint(path: path))
            try await ControlServer(endpoint: endpoint) { [self] bytes in await answer(bytes) }.run()
        } catch {
            noteDeafness("\(error)")
            await Self.cancellation()
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

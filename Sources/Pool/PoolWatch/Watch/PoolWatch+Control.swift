internal import PoolModel
internal import SyncTransport
internal import ZeroMQ

extension PoolWatch {
    /// Carries out the request of a command, or of a key on a face, even while the hub is away.
    ///
    /// - Throws: The error in the request, in words.
    public func perform(_ request: WatchRequest) async throws -> WatchAnswer {
        guard let desk else { return .refused("This watch is not paired with a hub yet.") }
        if let answer = try await desk.edit(request) { return answer }
        if let answer = try files.perform(request) {
            receiver.changed()
            return answer
        }
        switch request {
        case .alerts: return .alerts(alerts)
        case .glance(let device, let clock, nil): return glance(device: device, clock: clock)
        case .glance(let device, let clock, let patience?):
            return await askedGlance(device: device, clock: { clock }, patience: .milliseconds(patience))
        case .deliver(let edit, let patience):
            return .delivery(await delivery(of: edit, patience: .milliseconds(patience)))
        // Edits and requests about files are handled above.
        case .report, .rename, .renamePool, .limits, .select, .settle, .acknowledge, .snooze, .files, .removeFile:
            return .report(report)
        }
    }

    /// Answers commands of the same user until the task is cancelled; if that fails, the watch still follows its hub.
    func serveCommands(at path: String) async {
        do {
            let endpoint = try Endpoint(WatchFolder.controlEndpoint(path: path))
            try await ControlServer(endpoint: endpoint) { [self] request in await answer(request) }.run()
        } catch {
            noteDeafness("\(error)")
            await Self.cancellation()
        }
    }

    private func answer(_ bytes: [UInt8]) async -> [UInt8] {
        let answer: WatchAnswer
        do {
            answer = try await perform(try CanonicalJSON.decode(WatchRequest.self, from: bytes))
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

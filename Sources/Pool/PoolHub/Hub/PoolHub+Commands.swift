import Platform
package import PoolControl
import PoolModel
import PoolStore
import SyncCore
import SyncTransport

extension PoolHub {
    // MARK: - Those who look

    /// Yields after each change of what `HubCommand.look(_:)` shows, from now on; changes before the next look are one.
    public var rings: AsyncStream<Void> { observer.bell.rings() }

    /// Keeps a line of the log among the events, for those who look; called on any thread, returns at once.
    public func note(logLine line: String, isProblem: Bool) {
        observer.tail.note(.log, isProblem ? .warning : nil, line, at: .now)
        observer.bell.ring()
    }

    // MARK: - Commands

    func answer(_ bytes: [UInt8]) async -> [UInt8] {
        let answer: HubReply
        do {
            let request = try CanonicalJSON.decode(HubCommand.self, from: bytes)
            if case .outcome(let job) = request {
                answer = await longWork.outcome(of: job)
            } else if request.mayTakeLong {
                answer = await longWork.perform { [self] in try await perform(request) }
            } else {
                answer = try await perform(request)
            }
        } catch {
            answer = .refused("\(error)")
        }
        do {
            return try CanonicalJSON.encode(answer)
        } catch {
            return Array("{\"refused\":{\"_0\":\"the answer could not be written\"}}".utf8)
        }
    }

    /// Does what a command asks.
    ///
    /// - Throws: What is wrong with the request, in words.
    package func perform(_ request: HubCommand) async throws -> HubReply {
        if let answer = try await desk.edit(request) {
            // A password alone changes no cell.
            changed.yield()
            observer.forget()
            return answer
        }
        switch request {
        case .invite(let name, let seconds):
            if let scalar = name.flatMap(ControlCharacter.find) { throw ConfigurationError.nameSteers(.watch, scalar) }
            let code = try await driver.invite(name: name, validForSeconds: seconds)
            return .invitation(code: code.text, validForSeconds: seconds)
        case .unpair(let name):
            let watches = try await driver.status().watches.map(\.watch)
            guard let watch = watches.first(where: { $0.name == name }) else {
                return .refused(WatchNames.missing(name, among: watches.map(\.name)))
            }
            try await driver.unpair(watch.key)
            shares.forget(watch.key)
            changed.yield()
            return .done("forgot watch \(name)")
        case .testServer(let id):
            return try await desk.trial(of: id)
        case .log(let count):
            let watches = try await driver.status().watches.map(\.watch)
            return .log(try await desk.log(last: count, of: folder.store, watches: watches))
        case .history(let request): return try await historyKeeper.perform(request)
        case .alerts(let request):
            return try await desk.perform(
                request, store: folder.history.alerts, report: { try await alerts.report() },
                test: { [alerts] in await alerts.test() })
        case .detection(let request):
            return try await detection.perform(request, in: try await desk.configuration().configuration) {
                try folder.secrets.password(of: $0)
            }
        case .diff(let first, let second):
            return try await desk.differences(from: first, to: second, of: folder.store)
        case .restoreRevision(let revision):
            return try await desk.restore(revision: revision, of: folder.store)
        case .exportConfiguration(let wish):
            return try await desk.export(wish, hub: folder.shortName)
        case .backUp(let path):
            return try await blocking { [folder] in try folder.backUp(to: path) }
        case .links(let request):
            defer { observer.bell.ring() }
            return try await links.perform(request)
        case .share(let request):
            defer { observer.bell.ring() }
            return try await shares.perform(request, driver)
        case .reconnect:
            let count = brokers.startAnew()
            return count == 0
                ? .refused("there is no server with a device yet: add one, and a device")
                : .done("connecting anew to \(count) \(count == 1 ? "server" : "servers")")
        case .look(let request):
            let state = try await observer.state(after: request.after, stateParts)
            return .look(state, events: state == nil ? [] : observer.tail.notes(after: request.eventsAfter))
        // Edits are answered above, and the outcome of long work where the question came in.
        case .names: return .state(try await desk.state(history: nil))
        case .state, .outcome, .addServer, .editServer, .removeServer, .addDevice, .editDevice, .removeDevice,
            .selectDevice, .addPool, .editPool, .removePool, .setLimits, .clearLimits, .applyPreset, .addCalibration,
            .removeCalibration, .setHistory, .setExport, .settle, .importConfiguration:
            return .state(try await observer.listed(stateParts))
        }
    }

    private var stateParts: HubStateObserver.Parts {
        HubStateObserver.Parts(
            driver: driver, desk: desk, history: folder.history, ingest: ingest, brokers: brokers, links: links,
            alerts: { [alerts] in try await alerts.report() }, detection: detection)
    }
}

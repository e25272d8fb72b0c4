import CommandSupport
import Foundation
import Platform
import PoolControl
import PoolHub
import PoolModel

/// Runs a demo: starts everything in order, waits, and ends everything in order.
final class DemoRun: Sendable {
    /// How long the end of the demo waits for the next reading to arrive somewhere.
    ///
    /// A busy machine may need that long to reconnect a watch; readings on their way must not be reported as lost.
    private static let settlingPatience = Duration.seconds(60)
    /// How often a demo that prints lines prints a summary.
    private static let summaryInterval = Duration.seconds(5)

    private let processes: DemoProcesses
    private let layout: TmuxLayout?
    private let began = Lock<ContinuousClock.Instant?>(nil)
    /// How many readings each device had before the probes began.
    private let past = Lock<[DeviceID: Int]>([:])

    private var plan: DemoPlan { processes.plan }

    init(_ processes: DemoProcesses, layout: TmuxLayout?) {
        self.processes = processes
        self.layout = layout
    }

    // MARK: - Start

    /// Starts everything and runs until the time is over, the user quits, or the task is cancelled.
    ///
    /// - Throws: ``CommandFailure`` if a part cannot run.
    func perform() async throws {
        try await start()
        began.withLock { $0 = .now }
        try await withThrowingTaskGroup(of: Void.self) { group in
            if let duration = plan.duration { group.addTask { try await Task.sleep(for: duration) } }
            group.addTask { [self] in
                for await _ in processes.changes {
                    if let failure = processes.failure { throw CommandFailure(failure) }
                }
                try await Task.sleep(for: .seconds(1_000_000))
            }
            if let layout {
                group.addTask { try await layout.attach() }
            } else {
                group.addTask { [self] in try await sumUp() }
            }
            group.addTask { [self] in
                try await tour.run()
                // The last sentence stays.
                try await Task.sleep(for: .seconds(1_000_000))
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// What happens after the start.
    private var tour: DemoTour {
        DemoTour(
            alertsKey: layout?.alertsKey ?? DemoLayout.dashboardAlertsKey,
            page: { [processes] in processes.pageSentence },
            show: { [self] sentence in
                if let layout { await layout.setStatusLine(sentence) } else { report(sentence) }
            },
            hub: { [self] in
                // A hub that a person has just killed answers again soon.
                try? await ask(.look(LookRequest())).state
            },
            cut: { [self] watches, seconds in
                // A hub that a person has just killed has no links that could be cut.
                guard let hub = try? await ask(.names) else { return }
                for watch in watches {
                    var patch = LinkPatch()
                    patch.cutSeconds = seconds
                    guard let id = hub.watches.first(where: { $0.name == watch.name })?.id else { continue }
                    // See above.
                    _ = try? await ask(.links(seconds > 0 ? .set(watch: id, patch) : .clear(watch: id)))
                }
            },
            edit: { [processes, plan] watch, limit in
                let arguments = plan.limitArguments(
                    of: watch, device: DemoTour.editedDevice, quantity: DemoTour.editedQuantity.rawValue, high: limit)
                // A watch that a person has just killed does not change anything.
                _ = try? await processes.runOnce(arguments)
            },
            sleep: { try await Task.sleep(for: $0) })
    }

    private func start() async throws {
        try writeFiles()
        report("starting the broker at 127.0.0.1:\(plan.brokerPort) …")
        try await processes.broker.start()
        try await until("the broker", orFail: "broker") { [self] in await brokerAnswers() }
        try await configure()
        report("starting the hub at \(plan.hubEndpoint) …")
        try await processes.hub.start()
        try await until("the hub", orFail: "hub") { [self] in processes.isHubListening }
        try await startPage()
        report("pairing \(DemoPlan.watches.count) watches …")
        try await pairAll()
        try await layout?.open()
        try await processes.console?.start()
        for (_, part) in processes.watches { try await part.start() }
        var reported = -1
        try await until("the watches", orFail: "hub") { [self] in
            let linked = try await report().watches.count { $0.isLinked == true }
            if linked != reported {
                reported = linked
                report("waiting for \(DemoPlan.watches.count) watches: \(linked) linked")
            }
            return linked == DemoPlan.watches.count
        }
        report("filling the pools …")
        try await processes.probe.start()
    }

    /// Starts the page and says where it is; a demo without it goes on.
    private func startPage() async throws {
        guard let page = processes.page else {
            return report("the page for browsers is not built: \(LocalTools.buildCommand(of: WebCommand.program))")
        }
        try await page.start()
        try await until("the page", orFail: "page") { [processes] in processes.pageSentence != nil }
        if let sentence = processes.pageSentence { report(sentence) }
    }

    private func writeFiles() throws {
        do {
            for path in ["\(plan.folder)/broker", plan.state] {
                try FileManager.default.createDirectory(
                    atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            }
        } catch {
            throw CommandFailure("cannot write to \(plan.folder): \(SystemErrorText.of(error))")
        }
        let lines = plan.brokerConfiguration(isSuperuser: geteuid() == 0)
        try PrivateFile.write(lines.map { $0 + "\n" }.joined(), to: "\(plan.folder)/mosquitto.conf")
        try PrivateFile.write("{}\n", to: plan.configuration)
    }

    private func brokerAnswers() async -> Bool {
        let server = Server(
            id: ServerID(high: 0, low: 0), name: DemoPlan.serverName, host: "127.0.0.1", port: plan.brokerPort)
        return await ServerTest.run(server, password: nil, timeout: .seconds(1)).code == .success
    }

    /// Configures the hub before it runs.
    private func configure() async throws {
        var server = ServerPatch()
        server.name = DemoPlan.serverName
        server.host = "127.0.0.1"
        server.port = plan.brokerPort
        try await ask(.edit(.addServer(server)))
        for pool in DemoPlan.pools {
            var device = DevicePatch()
            device.name = pool.name
            device.topic = pool.topic
            device.expectedIntervalSeconds = plan.expectedIntervalSeconds
            try await ask(.edit(.addDevice(device)))
        }
        let devices = try await report()
        let identifiers = try DemoPlan.pools.map { try devices.device(named: $0.name).id }
        try await ask(.edit(.selectDevice(identifiers[0])))
        let past = try DemoHistory.record(identifiers, seed: plan.seed, until: .now, path: plan.history)
        self.past.withLock { $0 = past }
    }

    /// Pairs all watches at once, each with an invitation in a file.
    private func pairAll() async throws {
        for watch in DemoPlan.watches {
            let code = try await ask(.invite(name: watch.name, validForSeconds: 120)).code
            try PrivateFile.write(code + "\n", to: plan.invitation(of: watch))
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for watch in DemoPlan.watches {
                group.addTask { [self] in
                    let (end, words) = try await processes.runOnce(plan.pairingArguments(of: watch))
                    guard end == .exited(0) else {
                        throw CommandFailure("\(watch.name) could not be paired: it \(end): \(words)")
                    }
                    // It is used up, so it is of no use to others.
                    try? FileManager.default.removeItem(atPath: plan.invitation(of: watch))
                }
            }
            try await group.waitForAll()
        }
    }

    // MARK: - Progress

    /// Prints the progress from time to time.
    private func sumUp() async throws {
        while true {
            try await Task.sleep(for: Self.summaryInterval)
            // A hub that a person has just killed answers again soon.
            guard let summary = try? await summary() else { continue }
            let watches = summary.watches.map { "\($0.name) \($0.delivered)" }.joined(separator: ", ")
            report(
                "\(summary.seconds) s: published \(summary.published), ingested \(summary.ingested), delivered to "
                    + watches)
        }
    }

    // MARK: - The end

    /// Ends everything in order: first the probe, and the rest when everything has arrived.
    ///
    /// - Returns: The summary; nil if the demo never began.
    func conclude() async -> DemoSummary? {
        await layout?.detach()
        var summary: DemoSummary?
        if began.withLock(\.self) != nil {
            report("stopping the probe …")
            await processes.probe.stop()
            // Nothing would arrive over a link that a person has cut with `link`; a hub that has ended has no such
            // links.
            _ = try? await ask(.links(.clear(watch: nil)))
            let substitutes = await substitutes()
            summary = await settle()
            for substitute in substitutes { await substitute.stop(patience: .seconds(5)) }
        }
        await withTaskGroup(of: Void.self) { group in
            for (_, part) in processes.watches { group.addTask { await part.stop() } }
            group.addTask { [processes] in await processes.console?.stop() }
        }
        await processes.probe.stop()
        await processes.page?.stop()
        await processes.hub.stop()
        await processes.broker.stop()
        await layout?.close()
        await processes.stopCleanup()
        return summary
    }

    /// Continues watches whose panes were closed without a face, so that they can get the readings on their way.
    private func substitutes() async -> [ChildProcess] {
        guard let layout, await !layout.isOpen else { return [] }
        for (_, part) in processes.watches { await part.stop() }
        // The summary shows a watch that cannot continue.
        return processes.watches.compactMap { watch, _ in try? processes.restart(watch) }
    }

    /// Waits until everything has arrived, as long as readings still arrive from time to time.
    private func settle() async -> DemoSummary? {
        let began = ContinuousClock.now
        var deadline = began + Self.settlingPatience
        var reportedSeconds = 0
        var arrived = -1
        while true {
            // A hub that a person has just killed answers again soon.
            let summary = try? await summary()
            if let summary, summary.isSettled { return summary }
            let now = ContinuousClock.now
            if let summary, summary.arrivedCount > arrived {
                arrived = summary.arrivedCount
                deadline = now + Self.settlingPatience
            }
            if now > deadline { return summary }
            let seconds = Int((now - began).seconds)
            if seconds > reportedSeconds {
                reportedSeconds = seconds
                report("waiting until everything has arrived: \(summary?.progress ?? "the hub does not answer") …")
            }
            // The end is never cancelled.
            try? await Task.sleep(for: .milliseconds(200))
        }
    }

    private func summary() async throws -> DemoSummary {
        let report = try await report()
        return DemoSummary(
            probe: processes.probeSummary, report: report, watchResults: processes.watchResults,
            past: past.withLock(\.self))
    }

    // MARK: - Commands and waiting

    @discardableResult
    private func ask<Reply>(_ request: HubRequest<Reply>) async throws -> Reply {
        do {
            return try await HubClient.ask(request, path: "\(plan.state)/hub")
        } catch {
            throw CommandFailure(error)
        }
    }

    private func report() async throws -> HubState { try await ask(.state) }

    /// Waits until a condition holds, and prints what it waits for if that takes longer than a second.
    private func until(_ what: String, orFail part: String, _ condition: () async throws -> Bool) async throws {
        let start = ContinuousClock.now
        var reported = 0
        while try await !condition() {
            if let failure = processes.failure {
                let words = processes.lastLines(of: part)
                throw CommandFailure(words.isEmpty ? failure : "\(failure): \(words)")
            }
            let seconds = Int((ContinuousClock.now - start).seconds)
            if seconds > reported {
                reported = seconds
                report("still waiting for \(what) after \(seconds) s …")
            }
            guard seconds < 180 else { throw CommandFailure("\(what) did not come in three minutes") }
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    private func report(_ sentence: String) {
        Output.standard.line(sentence)
    }
}

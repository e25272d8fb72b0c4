import CommandSupport
import Foundation
import MQTT
import Platform
import PoolControl
import PoolHub
import PoolModel

/// The environment for the pictures: a broker, a hub with three pools and a day of history, watches and terminals.
struct ScreenshotStage {
    let plan: ScreenshotPlan
    let mosquitto: String
    let launcher: DemoLauncher
    let terminals: ScreenshotTerminals

    private static let settlingTime = Duration.seconds(3)

    private var demo: DemoPlan { plan.demo }

    /// Starts everything.
    func set() async throws {
        try prepareFiles()
        _ = try launcher.launch("broker", demo.guarded([mosquitto, "-c", "\(demo.folder)/mosquitto.conf"])) { _ in }
        try await until("the broker") {
            let server = Server(id: ServerID(high: 0, low: 0), name: "x", host: "127.0.0.1", port: demo.brokerPort)
            return await ServerTest.run(server, password: nil, timeout: .seconds(1)).code == .success
        }
        try await configure()
        _ = try launcher.launch("hub", demo.hubArguments) { _ in }
        try await until("the hub") {
            // While it starts it does not answer.
            guard let report = try? await ask(.state) else { return false }
            return report.isRunning && report.servers.allSatisfy { $0.connection?.isConnected == true }
        }
        try await pairWatches()
        try await fillPools()
        for terminal in plan.terminals { try await terminals.open(terminal) }
        for terminal in plan.terminals {
            try await terminals.wait(for: terminal.awaited, in: terminal)
        }
        // One more revision is made, since the first ones waited for watches that were just starting.
        var patch = DevicePatch()
        patch.deviceType = "Blue Connect"
        try await ask(.edit(.editDevice(try await report().device(named: "Lagoon").id, patch)))
    }

    /// The screens of all terminals.
    func screens() async throws -> [String: StyledScreen] {
        var screens: [String: StyledScreen] = [:]
        // The charts appear after the first screen.
        try await Task.sleep(for: Self.settlingTime)
        for terminal in plan.terminals { screens[terminal.name] = try await terminals.screen(of: terminal) }
        return screens
    }

    private func prepareFiles() throws {
        do {
            for path in ["\(demo.folder)/broker", demo.state] {
                try FileManager.default.createDirectory(
                    atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            }
        } catch {
            throw CommandFailure("cannot write to \(demo.folder): \(SystemErrorText.of(error))")
        }
        let lines = demo.brokerConfiguration(isSuperuser: geteuid() == 0)
        try PrivateFile.write(lines.map { $0 + "\n" }.joined(), to: "\(demo.folder)/mosquitto.conf")
        try PrivateFile.write("{}\n", to: demo.configuration)
    }

    private func configure() async throws {
        var server = ServerPatch()
        server.name = "Home broker"
        server.host = "127.0.0.1"
        server.port = demo.brokerPort
        try await ask(.edit(.addServer(server)))
        for water in ScreenshotPlan.waters {
            var device = DevicePatch()
            device.name = water.name
            device.topic = water.topic
            device.expectedIntervalSeconds = Int(ScreenshotPlan.intervalSeconds)
            try await ask(.edit(.addDevice(device)))
        }
        let report = try await report()
        try await ask(.edit(.selectDevice(try report.device(named: ScreenshotPlan.waters[0].name).id)))
        var alerts = AlertSettingsPatch()
        alerts.confirmationSamples = 1
        alerts.confirmationSeconds = 0
        try await ask(.alerts(.change(alerts)))
        for water in ScreenshotPlan.waters {
            let device = try report.device(named: water.name).id
            for quantity in Quantity.allCases {
                try await ask(.edit(.setLimits(.device(device), quantity, quantity.facts.limits)))
            }
        }
        try await ask(
            .edit(
                .setLimits(
                    .device(try report.device(named: "Spa").id), .temperature,
                    Limits(criticalLow: 30, low: 34, high: 38, criticalHigh: 41))))
    }

    private func pairWatches() async throws {
        for name in ScreenshotPlan.watches + [ScreenshotPlan.absentWatch] {
            let code = try await ask(.invite(name: name, validForSeconds: 120)).code
            let watch = DemoPlan.Watch(name: name, device: nil)
            try PrivateFile.write(code + "\n", to: demo.invitation(of: watch))
            let (end, words) = try await launcher.runOnce(demo.pairingArguments(of: watch))
            guard end == .exited(0) else { throw CommandFailure("\(name) could not be paired: it \(end): \(words)") }
        }
    }

    /// Publishes a day of water, and waits until the hub has it.
    private func fillPools() async throws {
        let client = try Client()
        let (answers, source) = AsyncStream<Client.Event>.makeStream()
        try client.connect(to: BrokerAddress(host: "127.0.0.1", port: demo.brokerPort)) { source.yield($0) }
        var waiting = answers.makeAsyncIterator()
        while let event = await waiting.next() {
            if case .connected = event { break }
        }
        let now = Timestamp.now
        for water in ScreenshotPlan.waters {
            for message in water.messages(until: now) {
                _ = try client.publish(message, to: TopicName(water.topic))
                while let event = await waiting.next() {
                    if case .published = event { break }
                }
            }
        }
        client.disconnect()
        let count = ScreenshotPlan.waters.count * Int(ScreenshotPlan.sampleCount + 1)
        try await until("the readings") {
            let report = try await ask(.state)
            return report.devices.reduce(0) { $0 + $1.storedReadings } >= count
        }
    }

    private func report() async throws -> HubState {
        try await ask(.state)
    }

    @discardableResult
    private func ask<Reply>(_ request: HubRequest<Reply>) async throws -> Reply {
        do {
            return try await HubClient.ask(request, path: "\(demo.state)/hub")
        } catch {
            throw CommandFailure("\(error)")
        }
    }

    private func until(_ what: String, _ condition: () async throws -> Bool) async throws {
        let start = ContinuousClock.now
        while try await !condition() {
            guard start.duration(to: .now) < .seconds(60) else {
                throw CommandFailure("\(what) did not come in a minute")
            }
            try await Task.sleep(for: .milliseconds(100))
        }
    }
}

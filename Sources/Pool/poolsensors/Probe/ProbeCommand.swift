import ArgumentParser
import CommandSupport
import Foundation
import MQTT
import Platform
import PoolHub
import PoolModel

/// Publishes the samples of simulated pools.
struct ProbeCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "probe",
        abstract: "Publishes the samples of simulated pools to an MQTT broker.",
        discussion: """
            The pools are believable: day and night, chlorine that the sun burns and a
            doser replaces, pH that drifts, a redox potential that follows, noise,
            dropouts; after the first ten minutes some that last as long. The same seed
            gives the same pools. A sample that the broker did not confirm is published
            again after the next connection, in order; nothing is lost and nothing counts
            twice.

            Examples:
              poolsensors probe --server 127.0.0.1:1883 --rate 2
              poolsensors probe --devices 50 --rate 20 --for 30s --json
              poolsensors probe --start 2026-06-01T00:00:00Z --speed 3600 --count 1000

            It fails, with exit code 1, if something stays unconfirmed.
            """)

    @Option(help: Catalog.probeServer.help)
    var server: String?

    @Flag(inversion: .prefixedNo, help: Catalog.probeTLS.help)
    var tls: Bool?

    @Option(help: Catalog.probeCAFile.help)
    var caFile: String?

    @Option(help: Catalog.probeUsername.help)
    var username: String?

    @Option(help: Catalog.probePasswordFile.help)
    var passwordFile: String?

    @Option(
        name: .customLong("topic"),
        help: ArgumentHelp("A topic; give it several times for several devices.", valueName: "topic"))
    var topics: [String] = []

    @Option(help: Catalog.probeTopicPrefix.help)
    var topicPrefix: String?

    @Option(help: Catalog.probeDevices.help)
    var devices: String?

    @Option(help: Catalog.probeRate.help)
    var rate: String?

    @Option(help: ArgumentHelp("The time between two samples of a device, in place of --rate.", valueName: "duration"))
    var interval: String?

    @Option(help: Catalog.probeSeed.help)
    var seed: String?

    @Option(help: ArgumentHelp("End after so many samples of all devices together.", valueName: "n"))
    var count: Int?

    @Option(name: .customLong("for"), help: ArgumentHelp("End after this time.", valueName: "duration"))
    var duration: String?

    @Option(
        help: ArgumentHelp(
            "When the life of the pools begins, in ISO 8601 with a time zone; now by default.", valueName: "time"))
    var start: String?

    @Option(help: Catalog.probeSpeed.help)
    var speed: String?

    @Option(help: Catalog.probeFormat.help)
    var format: String?

    @Flag(inversion: .prefixedNo, help: Catalog.probeRetain.help)
    var retain: Bool?

    @Option(help: Catalog.probeQoS.help)
    var qos: String?

    @Option(help: Catalog.probeProfile.help)
    var profile: String?

    @OptionGroup var json: JSONOptions

    @Option(help: ArgumentHelp("Let the pH of the first device rise after this time.", visibility: .hidden))
    var acidRunsOut: String?

    @Option(help: ArgumentHelp("End when the holder of this file ends.", visibility: .hidden))
    var lifeline: String?

    @OptionGroup(title: "Common Options") var common: CommonOptions

    var flags: [String: String?] {
        [
            Catalog.probeServer.key: server, Catalog.probeTLS.key: tls.map { "\($0)" }, Catalog.probeCAFile.key: caFile,
            Catalog.probeUsername.key: username, Catalog.probePasswordFile.key: passwordFile,
            Catalog.probeTopicPrefix.key: topicPrefix, Catalog.probeDevices.key: devices,
            Catalog.probeRate.key: rate ?? interval.flatMap(Self.rate), Catalog.probeSeed.key: seed,
            Catalog.probeSpeed.key: speed, Catalog.probeFormat.key: format,
            Catalog.probeRetain.key: retain.map { "\($0)" }, Catalog.probeQoS.key: qos,
            Catalog.probeProfile.key: profile,
        ]
    }

    func validate() throws {
        if rate != nil, interval != nil { throw ValidationError("give --rate or --interval, not both") }
        if let interval, Self.rate(interval) == nil {
            throw ValidationError("--interval is \"\(interval)\", expected \(DurationText.expected), at least 1ms")
        }
        if let count, count < 1 { throw ValidationError("--count is \(count), expected at least 1") }
        if let duration, DurationText.duration(duration) == nil {
            throw ValidationError("--for is \"\(duration)\", expected \(DurationText.expected)")
        }
        if let start, Timestamp(iso8601: start) == nil {
            throw ValidationError("--start is \"\(start)\", expected a time such as 2026-06-01T12:00:00Z")
        }
        do {
            for topic in topics { _ = try TopicName(topic) }
        } catch {
            throw ValidationError("--topic: \(error)")
        }
        if !topics.isEmpty, devices != nil || topicPrefix != nil {
            throw ValidationError("give --topic, or --topic-prefix and --devices, not both")
        }
    }

    func run(in context: CommandContext) async throws {
        let settings = context.settings
        let runner: ProbeRunner
        let server = try settings.value(of: Catalog.probeServer)
        do {
            runner = ProbeRunner(
                plan: try plan(settings), address: try address(server, settings), options: try options(settings),
                limit: duration.flatMap(DurationText.duration), onEvent: telling(about: server))
            let reason = try await untilStopped(lifeline: lifeline) {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await runner.run() }
                    group.addTask { await reportProgress(of: runner) }
                    try await group.next()
                    group.cancelAll()
                }
            }
            let summary = runner.summary(event: "summary")
            try write(summary)
            if reason == .finished, summary.connections == 0 {
                throw CommandFailure("the broker at \(server) was not reached; nothing was published")
            }
            if reason == .finished, summary.unacknowledged > 0 {
                throw CommandFailure(
                    "\(summary.unacknowledged) samples stayed unconfirmed; is the broker at \(server) there?")
            }
        } catch let error as MQTTError {
            throw CommandFailure(error)
        }
    }

    // MARK: - Plan

    private static func rate(_ interval: String) -> String? {
        guard let duration = DurationText.duration(interval), duration >= .milliseconds(1) else { return nil }
        return "\(1 / duration.seconds)"
    }

    private func plan(_ settings: Settings) throws -> ProbePlan {
        let names =
            topics.isEmpty
            ? try ProbePlan.topics(
                prefix: settings.value(of: Catalog.probeTopicPrefix), count: settings.value(of: Catalog.probeDevices))
            : try topics.map { try TopicName($0) }
        return ProbePlan(
            topics: names, rate: try settings.value(of: Catalog.probeRate),
            seed: try settings.value(of: Catalog.probeSeed), profile: try settings.value(of: Catalog.probeProfile),
            format: try settings.value(of: Catalog.probeFormat),
            isRetained: try settings.value(of: Catalog.probeRetain),
            qualityOfService: try settings.value(of: Catalog.probeQoS) == 0 ? .atMostOnce : .atLeastOnce,
            start: start.flatMap { Timestamp(iso8601: $0) } ?? Timestamp.now,
            speed: try settings.value(of: Catalog.probeSpeed), count: count,
            acidRunsOut: acidRunsOut.flatMap(DurationText.duration))
    }

    private func address(_ server: ServerAddress, _ settings: Settings) throws -> BrokerAddress {
        let usesTLS = try settings.value(of: Catalog.probeTLS) || settings.value(of: Catalog.probeCAFile) != nil
        return try BrokerAddress(host: server.host, port: server.port ?? Server.defaultPort(usesTLS: usesTLS))
    }

    private func options(_ settings: Settings) throws -> Client.Options {
        var options = Client.Options()
        let caFile = try settings.value(of: Catalog.probeCAFile)
        if try settings.value(of: Catalog.probeTLS) || caFile != nil {
            options.tls = TLSConfiguration(trust: caFile.map { .file(path: $0) } ?? .system)
        }
        let file = try settings.value(of: Catalog.probePasswordFile)
        let kept = try settings.value(of: Catalog.probePassword)
        if let username = try settings.value(of: Catalog.probeUsername) {
            let given = try file.map { try SecretFile.firstLine(of: $0, holding: "password") }
            options.credentials = Credentials(userName: username, password: given ?? kept)
        } else if file != nil || kept != nil {
            throw CommandFailure("there is a password but no user name: give one with --username")
        }
        return options
    }

    // MARK: - Progress

    private func telling(about server: ServerAddress) -> @Sendable (ProbeRunner.Event) -> Void {
        { event in
            let line =
                switch event {
                case .connecting: "connecting to \(server)"
                case .connected: "connected to \(server)"
                case .waiting(let reason, let pause):
                    "waiting for the broker at \(server): \(reason); next attempt in "
                        + "\(NumberFormat.shortest((pause.seconds * 10).rounded() / 10)) s"
                }
            Output.errors.line(PlainText.oneLine(line))
        }
    }

    /// Prints the progress once a second, if there was any.
    private func reportProgress(of runner: ProbeRunner) async {
        var reported: ProbeSummary?
        while !Task.isCancelled {
            // Cancellation ends the sleep and the loop.
            try? await Task.sleep(for: .seconds(1))
            let now = runner.summary(event: "progress")
            guard !Task.isCancelled, now.published != reported?.published || now.acknowledged != reported?.acknowledged
            else {
                continue
            }
            reported = now
            // It has only numbers, so it can always be encoded.
            try? write(now)
        }
    }

    private func write(_ summary: ProbeSummary) throws {
        json.isOn ? try json.write(summary) : Output.standard.line(summary.line)
    }
}

import ArgumentParser
import PoolHub
import PoolModel

/// The devices that publish to the servers.
struct DeviceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device", abstract: "The devices: add, edit, list, remove, select.",
        discussion: """
            Works on a running hub, which follows at once, and at rest. A device is
            named by its name or by the start of its id. The selected device is the one
            that watches show.

            Example:
              poolsensors device add --name Lagoon --topic pool/sensor/1
              poolsensors device select Lagoon
            """,
        subcommands: [
            DeviceAddCommand.self, DeviceEditCommand.self, DeviceListCommand.self, DeviceRemoveCommand.self,
            DeviceSelectCommand.self,
        ])
}

/// The flags that describe a device.
struct DeviceOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The server that it publishes to.", valueName: "server"))
    var server: String?

    @Option(help: ArgumentHelp("The topic that it publishes to, without wildcards.", valueName: "topic"))
    var topic: String?

    @Option(help: ArgumentHelp("What it is, in words.", valueName: "text"))
    var type: String?

    @Option(
        help: ArgumentHelp(
            "How often it is expected to report, such as 60s; freshness follows it.", valueName: "duration"))
    var interval: String?

    /// What the flags say.
    func draft(name: String?) throws -> DeviceDraft {
        var draft = DeviceDraft()
        draft.name = name
        draft.server = server
        draft.topic = topic
        draft.deviceType = type
        draft.expectedIntervalSeconds = try interval.map { text in
            guard let duration = DurationText.duration(text), duration >= .seconds(1) else {
                throw ValidationError("--interval is \"\(text)\", expected \(DurationText.expected), at least 1s")
            }
            return Int(duration.components.seconds)
        }
        return draft
    }
}

/// Adds a device.
struct DeviceAddCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Adds a device.",
        discussion: """
            Without --server it belongs to the only server there is.

            Example:
              poolsensors device add --name Lagoon --topic pool/sensor/1 --interval 30s
            """)

    @Option(help: ArgumentHelp("A name for the device.", valueName: "name"))
    var name: String

    @OptionGroup var options: DeviceOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func validate() throws {
        if options.topic == nil { throw ValidationError("Missing expected argument '--topic <topic>'") }
    }

    func run(in context: CommandContext) async throws {
        try await context.change(.addDevice(try options.draft(name: name)))
    }
}

/// Changes a device.
struct DeviceEditCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Changes a device; what is not named stays as it is.",
        discussion: "Example:\n  poolsensors device edit Lagoon --topic pool/sensor/2")

    @Argument(help: ArgumentHelp("The device.", valueName: "device"))
    var device: String

    @Option(help: ArgumentHelp("Another name.", valueName: "name"))
    var name: String?

    @OptionGroup var options: DeviceOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func run(in context: CommandContext) async throws {
        try await context.change(.editDevice(device, try options.draft(name: name)))
    }
}

/// Lists the devices.
struct DeviceListCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists the devices; a star marks the selected one.",
        discussion: "What became of the messages of this life of the hub is known only while it runs.")

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let report = try await context.report()
        if json { return Output.standard.line(try JSONText.pretty(report.devices)) }
        for line in DeviceList.lines(report) { Output.standard.line(line) }
    }
}

/// Removes a device.
struct DeviceRemoveCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Removes a device; it asks first.",
        discussion: """
            Its readings stay in the hub's history.

            Example:
              poolsensors device remove Lagoon --yes
            """)

    @Argument(help: ArgumentHelp("The device.", valueName: "device"))
    var device: String

    @Flag(name: [.customShort("y"), .long], help: "Do not ask.")
    var yes = false

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let found = try DeviceList.device(device, in: try await context.report())
        guard try Prompt.confirm("Remove the device \"\(found.name)\"?", isAnswered: yes) else {
            return Output.errors.line("nothing was changed")
        }
        try await context.change(.removeDevice("\(found.id)"))
    }
}

/// Selects a device.
struct DeviceSelectCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "select", abstract: "Selects the device that watches show.",
        discussion: "Example:\n  poolsensors device select Lagoon")

    @Argument(help: ArgumentHelp("The device.", valueName: "device"))
    var device: String?

    @Flag(help: "Select none.")
    var none = false

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func validate() throws {
        if (device == nil) != none { throw ValidationError("name a device, or say --none") }
    }

    func run(in context: CommandContext) async throws {
        try await context.change(.selectDevice(device))
    }
}

/// The devices in words.
enum DeviceList {
    static func lines(_ report: HubReport) -> [String] {
        guard !report.devices.isEmpty else {
            return ["There is no device yet; add one with: poolsensors device add --name NAME --topic TOPIC"]
        }
        let servers = Dictionary(report.servers.map { ($0.id, $0.name) }) { $1 }
        var table = TextTable("device", "server", "topic", "every", "stored", "rejected", "id")
        for device in report.devices {
            table.add(
                (device.isSelected ? "* " : "  ") + device.name, servers[device.serverID] ?? "(gone)", device.topic,
                DurationText.text(.seconds(device.expectedIntervalSeconds)), "\(device.storedReadings)",
                device.counts.map { "\($0.rejectedCount)" } ?? "", String("\(device.id)".prefix(8)))
        }
        return table.lines + report.problems.map { "Problem: \(PlainText.oneLine($0))" }
    }

    /// The device that a person means.
    static func device(_ text: String, in report: HubReport) throws -> HubReport.DeviceReport {
        do {
            // The model knows what a person means by a text; it needs no more than names and identities for that.
            let server = Server(id: ServerID(high: 0, low: 0), name: "any", host: "localhost")
            var configuration = try PoolConfiguration().adding(server)
            for device in report.devices {
                configuration = try configuration.adding(
                    Device(id: device.id, name: device.name, serverID: server.id, topic: "\(device.id)"))
            }
            let id = try configuration.device(matching: text).id
            guard let found = report.devices.first(where: { $0.id == id }) else {
                preconditionFailure("the device \(id) was found in a list that does not have it")
            }
            return found
        } catch {
            throw CommandFailure("\(error)")
        }
    }
}

import ArgumentParser
import PoolHub
import PoolModel

/// The devices that publish to the servers.
struct DeviceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device", abstract: "The devices: detect, add, try, edit, list, show, remove, select.",
        discussion: """
            Works on a running hub, which follows at once, and at rest. A device is
            named by its name or by the start of its id. The selected device is the one
            that watches show. What its messages mean is said by a profile, or by values
            in the notation of Docs/MAPPINGS.md; flat messages need neither.

            Example:
              poolsensors device detect --for 30s
              poolsensors device add --name Lagoon --topic pool/sensor/1
              poolsensors device add --name Spa --topic zigbee2mqtt/spa --profile zigbee2mqtt
              poolsensors device select Lagoon
            """,
        subcommands: [
            DeviceDetectCommand.self, DeviceProfilesCommand.self, DeviceTryCommand.self, DeviceAddCommand.self,
            DeviceEditCommand.self, DeviceListCommand.self, DeviceShowCommand.self, DeviceRemoveCommand.self,
            DeviceSelectCommand.self,
        ])
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

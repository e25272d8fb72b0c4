import ArgumentParser
import CommandSupport
import PoolControl
import PoolHub
import PoolModel

/// The devices that publish to the servers.
struct DeviceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device", abstract: "The devices: detect, add, try, edit, list, show, remove, select.",
        discussion: """
            Works whether the hub runs or not; a running hub applies a change at once. Name
            a device by its name or by the start of its id. Watches show the selected
            device. A profile, or --value in the notation of Docs/guide/mappings.md, says
            what a device's messages mean; flat messages need neither.

            Example:
              poolsensors device detect --for 30s
              poolsensors device add --name Lagoon --topic pool/sensor/1
              poolsensors device add --name Spa --topic bath --profile zigbee2mqtt
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
        discussion: "Message counts since the hub started are shown only while it runs.")

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let state = try await context.state()
        if json.isOn { return try json.write(state.devices) }
        for line in DeviceList.lines(state) { Output.standard.line(line) }
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

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let found = try await context.state().device(named: device)
        guard try Prompt.confirm("Remove the device \"\(found.name)\"?", isAnswered: yes) else {
            return Output.errors.line("nothing was changed")
        }
        try await context.change(.edit(.removeDevice(found.id)), json: json)
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

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func validate() throws {
        if (device == nil) != none { throw ValidationError("name a device, or say --none") }
    }

    func run(in context: CommandContext) async throws {
        guard let device else { return try await context.change(.edit(.selectDevice(nil)), json: json) }
        let found = try await context.names().device(named: device)
        try await context.change(.edit(.selectDevice(found.id)), json: json) { _ in ("\(found.id)", found.name) }
    }
}

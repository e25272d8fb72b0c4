import ArgumentParser
import CommandSupport
import PoolControl
import PoolDecoding
import PoolHub
import PoolModel

/// The flags that describe a device, except its name.
struct DeviceOptions: ParsableArguments {
    @Option(help: ArgumentHelp(Device.field(\.serverID)))
    var server: String?

    @Option(help: ArgumentHelp(Device.field(\.topic)))
    var topic: String?

    @Option(help: ArgumentHelp(Device.field(\.deviceType)))
    var type: String?

    @Option(help: ArgumentHelp(Device.field(\.expectedIntervalSeconds)))
    var interval: String?

    @Option(help: ArgumentHelp(Device.field(\.poolID)))
    var pool: String?

    @OptionGroup(title: "What Its Messages Mean") var mapping: MappingOptions

    /// The patch from the flags, without the mapping, the server and the pool.
    func patch(name: String?) throws -> DevicePatch {
        var patch = DevicePatch()
        patch.name = name
        patch.topic = topic
        patch.deviceType = type
        patch.expectedIntervalSeconds = try interval.map(Self.seconds)
        return patch
    }

    /// The seconds of an interval as it is typed.
    static func seconds(_ text: String) throws -> Int {
        guard let duration = DurationText.duration(text), duration >= .seconds(1) else {
            throw ValidationError("--interval is \"\(text)\", expected \(DurationText.expected), at least 1s")
        }
        return Int(duration.components.seconds)
    }

    /// The patch for a new device: without --interval the hub learns the interval.
    func patchOfNew(name: String) throws -> DevicePatch {
        var patch = try completePatch(name: name, changing: nil)
        guard interval == nil else { return patch }
        patch.expectedIntervalSeconds = patch.expectedIntervalSeconds ?? Device.defaultIntervalSeconds
        patch.learnsInterval = true
        return patch
    }

    /// The patch with the server and the pool that the flags name.
    ///
    /// - Throws: ``CommandFailure`` for names that the hub does not know.
    func patch(_ patch: DevicePatch, namedIn state: HubState) throws -> DevicePatch {
        var patch = patch
        patch.serverID = try server.map { try state.server(named: $0).id }
        patch.poolID = try pool.map { $0.isEmpty ? .remove : .set(try state.pool(named: $0).id) }
        return patch
    }

    /// The patch from the flags, including the mapping.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - device: The device to change; nil for a new one.
    /// - Returns: The patch, without the server and the pool.
    /// - Throws: ``CommandFailure`` for an invalid mapping.
    func completePatch(name: String?, changing device: DeviceState?) throws -> DevicePatch {
        var patch = try patch(name: name)
        let profile = try mapping.builtIn()
        if patch.expectedIntervalSeconds == nil, let profile {
            patch.expectedIntervalSeconds = profile.expectedIntervalSeconds
        }
        switch try mapping.change(of: device?.device.mapping) {
        case .none: break
        case .removed: patch.mapping = .remove
        case .mapping(let mapping):
            try MappingOptions.check(mapping, onTopic: topic ?? device?.device.topic ?? "")
            patch.mapping = .set(mapping)
        }
        return patch
    }
}

/// Adds a device.
struct DeviceAddCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Adds a device.",
        discussion: """
            Without --server it belongs to the only server there is. Without --profile,
            --value and --mapping its messages are flat, such as {"temperature":25.5}.

            Example:
              poolsensors device add --name Lagoon --topic pool/sensor/1 --interval 30s
              poolsensors device add --name Spa --topic plant/7 --value 'ph=v[1]*0.01'
            """)

    @Option(help: ArgumentHelp(Device.field(\.name)))
    var name: String

    @OptionGroup var options: DeviceOptions

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func validate() throws {
        if options.topic == nil {
            let example = try options.mapping.builtIn().map { ", for this profile such as \($0.exampleTopic)" } ?? ""
            throw ValidationError("Missing expected argument '--topic <topic>'\(example)")
        }
    }

    func run(in context: CommandContext) async throws {
        let patch = try options.patchOfNew(name: name)
        let isPlain = options.server == nil && options.pool == nil
        let complete = isPlain ? patch : try options.patch(patch, namedIn: try await context.names())
        try await context.change(.edit(.addDevice(complete)), json: json) { state in
            state.devices.first { $0.name == name }.map { ("\($0.id)", $0.name) }
        }
    }
}

/// Changes a device.
struct DeviceEditCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Changes a device; what is not named stays as it is.",
        discussion: """
            --value takes the place of the values of the same quantities, the others stay;
            together with --no-mapping only the new ones are left.

            Example:
              poolsensors device edit Lagoon --topic pool/sensor/2
              poolsensors device edit Lagoon --value 'chlorine=~/cl ppm' --time 'ts seconds'
            """)

    @Argument(help: ArgumentHelp("The device.", valueName: "device"))
    var device: String

    @Option(help: ArgumentHelp("Another name.", valueName: "name"))
    var name: String?

    @OptionGroup var options: DeviceOptions

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func run(in context: CommandContext) async throws {
        // Wrong flags are reported before the hub is asked.
        let simple = try options.mapping.saysSomething ? nil : options.patch(name: name)
        let state = try await context.names()
        let found = try state.device(named: device)
        let patch = try simple ?? options.completePatch(name: name, changing: found)
        let complete = try options.patch(patch, namedIn: state)
        if complete == DevicePatch() { throw ValidationError("say what to change, such as --name or --topic") }
        try await context.change(.edit(.editDevice(found.id, complete)), json: json)
    }
}

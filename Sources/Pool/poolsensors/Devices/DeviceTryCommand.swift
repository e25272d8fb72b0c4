import ArgumentParser
import CommandSupport
import Foundation
import Platform
import PoolControl
import PoolDecoding
import PoolHub
import PoolModel

/// Decodes one message with a mapping.
struct DeviceTryCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "try", abstract: "Shows what a message would become; nothing is stored.",
        discussion: """
            By the mapping of a device, by a profile, or by the values that are given,
            which may also change the first two. No hub is needed without a device.

            Example:
              poolsensors device try Lagoon --payload message.json
              poolsensors device try --value 'ph=v[1]*0.01' --topic plant/7 \\
                --text '{"v":[2612,731]}'

            It fails, with exit code 1, if nothing can be read of the message.
            """)

    @Argument(help: ArgumentHelp("The device, if its mapping is tried.", valueName: "device"))
    var device: String?

    @Option(
        help: ArgumentHelp("The topic of the message; the first that values come on by default.", valueName: "topic"))
    var topic: String?

    @Option(help: ArgumentHelp("What ~ stands for; the device's topic, else --topic.", valueName: "topic"))
    var deviceTopic: String?

    @Option(help: ArgumentHelp("The file with the message, - for standard input.", valueName: "file"))
    var payload: String?

    @Option(help: ArgumentHelp("The message itself.", valueName: "text"))
    var text: String?

    @Flag(help: "As if the broker replayed it from its store.")
    var retained = false

    @OptionGroup(title: "What The Message Means") var mapping: MappingOptions

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func validate() throws {
        if (payload == nil) == (text == nil) {
            throw ValidationError("give the message, either --payload FILE or --text TEXT")
        }
        if device == nil, topic == nil, deviceTopic == nil, mapping.profile == nil {
            throw ValidationError("name a device, or give the topic of the message with --topic")
        }
    }

    func run(in context: CommandContext) async throws {
        var found: Device?
        if let device { found = try await context.state().device(named: device).device }
        let known: DeviceMapping?
        switch try mapping.change(of: found?.mapping) {
        case .none: known = found?.mapping
        case .removed: known = nil
        case .mapping(let changed): known = changed
        }
        // Without a device, the topic of the message counts as the device's, unless the profile uses topics above or
        // below the device's.
        let own = try deviceTopic ?? found?.topic ?? topic ?? mapping.builtIn()?.exampleTopic ?? ""
        if let known { try MappingOptions.check(known, onTopic: own) }
        let tried = try TriedMessage(
            try bytes(), topic: try topic ?? TriedMessage.usualTopic(of: known, deviceTopic: own), deviceTopic: own,
            mapping: known, isRetained: retained,
            calibrations: found?.calibrations ?? [:], receivedAt: .now)
        if json.isOn {
            try json.write(tried)
        } else {
            for line in tried.lines { Output.standard.line(PlainText.oneLine(line)) }
        }
        if !tried.saysSomething { throw ExitCode(.failure) }
    }

    private func bytes() throws -> [UInt8] {
        if let text { return Array(text.utf8) }
        guard let payload else { return [] }
        do {
            if payload == "-" { return Array(try FileHandle.standardInput.readToEnd() ?? Data()) }
            return Array(try Data(contentsOf: URL(filePath: payload)))
        } catch {
            throw CommandFailure.unreadable("the message from the file", payload, error)
        }
    }
}

import ArgumentParser
import Commands
import Foundation
import Platform
import TarsApp
import TarsModel
import TarsPhone
import Text

/// What the home has.
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Shows the things, shortcuts and scenes of the home.")

    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var state: StateOptions

    func run() async throws {
        guard case .view(let view) = try await state.ask(.view) else { return }
        if json { return Output.standard.line(try CanonicalJSON.output(view)) }
        for line in HomeText.lines(view, at: .now) { Output.standard.line(line) }
    }
}

/// What is near.
struct ScanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan", abstract: "Lists the motor devices that the phone hears on the short link.")

    @OptionGroup var state: StateOptions

    func run() async throws {
        guard case .near(let all) = try await state.ask(.scan) else { return }
        if all.isEmpty { return Output.standard.line("Nothing is near.") }
        var table = TextTable("SERIAL", "SIGNAL", "NAME")
        for one in all { table.add(one.serial.short, "\(one.rssi) dBm", one.name ?? "not paired") }
        for line in table.lines { Output.standard.line(line) }
    }
}

/// Takes a thing into the home.
struct AddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Takes a thing into the home.",
        discussion: """
            Examples:
              tars add Coffee --serial 0042A1 --pin 314159
              tars add Lamp --tasmota tasmota_5A1F
              tars add Blinds --key 'homeassistant/cover/blinds'   (see tars discover)
            """)

    @Argument(help: "What to call it, 1 to 64 bytes.") var name: String
    @Option(help: ArgumentHelp("The room that it is in.", valueName: "room")) var room: String?
    @Option(help: ArgumentHelp("A motor device near the phone.", valueName: "digits")) var serial: Serial?
    @Option(help: ArgumentHelp("Its PIN; not needed after its button.", valueName: "digits")) var pin: String?
    @Option(help: ArgumentHelp("The topic of a Tasmota device.", valueName: "topic")) var tasmota: String?
    @Option(help: ArgumentHelp("What announced itself, by its key.", valueName: "key")) var key: String?
    @OptionGroup var state: StateOptions

    func validate() throws {
        guard [serial?.short, tasmota, key].compactMap(\.self).count == 1 else {
            throw ValidationError("give one of --serial, --tasmota and --key")
        }
    }

    func run() async throws {
        if let serial {
            try await state.change(.pair(serial: serial, pin: pin, name: name, room: room))
        } else if let tasmota {
            try await state.change(.addTasmota(topic: tasmota, name: name, room: room))
        } else if let key {
            try await state.change(.adopt(key: key, name: name, room: room))
        }
    }
}

/// What announced itself.
struct DiscoverCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "discover", abstract: "Lists what announced itself at the broker and is not in the home.")

    @OptionGroup var state: StateOptions

    func run() async throws {
        guard case .discovered(let all) = try await state.ask(.discover) else { return }
        if all.isEmpty { return Output.standard.line("Nothing new announced itself.") }
        var table = TextTable("NAME", "KIND", "DIALECT", "KEY")
        for one in all { table.add(one.name, one.kind.rawValue, one.dialect.rawValue, one.key) }
        for line in table.lines { Output.standard.line(line) }
    }
}

/// Changes a thing.
struct EditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Renames a thing, moves it to a room, or asks before it acts.")

    @Argument(help: "The thing.") var thing: String
    @Option(help: ArgumentHelp("Its new name.", valueName: "name")) var name: String?
    @Option(help: ArgumentHelp("Its room; empty for none.", valueName: "room")) var room: String?
    @Flag(inversion: .prefixedNo, help: "Whether each action must be confirmed.") var confirm: Bool?
    @OptionGroup var state: StateOptions

    func run() async throws { try await state.change(.edit(thing: thing, name: name, room: room, confirm: confirm)) }
}

/// Removes a thing.
struct RemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Removes a thing; a motor device near the phone forgets its owner.")

    @Argument(help: "The thing.") var thing: String
    @OptionGroup var state: StateOptions

    func run() async throws { try await state.change(.remove(thing: thing)) }
}

/// Defines a shortcut, without running it.
struct ShortcutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shortcut", abstract: "Defines what one key or one link runs; it does not run it.",
        discussion: "Defining one of the same name again replaces it.")

    @Argument(help: "Its name.") var name: String
    @Argument(help: "A thing and its action, such as `Lamp on`, or `scene` and its name.") var run: [String] = []
    @Option(help: ArgumentHelp("One character beside its name.", valueName: "character")) var icon: String?
    @Flag(help: "Ask before each run.") var confirm = false
    @Flag(help: "Remove it.") var remove = false
    @Flag(help: "Print its link.") var link = false
    @OptionGroup var state: StateOptions

    func run() async throws {
        guard case .view(let view) = try await state.ask(.view) else { return }
        let known = view.shortcuts.first { $0.name == name }
        if remove { return try await state.change(.forget(name: name)) }
        if link {
            guard let known else {
                throw CommandFailure("there is no shortcut \(Excerpt(name))", exitStatus: .notFound)
            }
            return Output.standard.line("tars://run/\(known.id)")
        }
        let target = try view.target(of: run)
        let shortcut = try checked { () throws(ModelProblem) in
            try Shortcut(id: known?.id ?? .random(), name: name, icon: icon, run: target, confirm: confirm)
        }
        try await state.change(.define(shortcut))
    }
}

/// Defines a scene.
struct SceneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scene", abstract: "Defines several actions that run one after another.",
        discussion: "Example: tars scene Evening 'Blinds off' '2s Lamp level 40'")

    @Argument(help: "Its name.") var name: String
    @Argument(help: "Its steps: a thing and its action, after a time if it begins with one.") var steps: [String]
    @OptionGroup var state: StateOptions

    func run() async throws {
        guard case .view(let view) = try await state.ask(.view) else { return }
        let read = try steps.map { text in
            var words = text.split(separator: " ").map(String.init)
            let after = words.first.flatMap { DurationText.duration($0) }
            if after != nil { words.removeFirst() }
            guard case .action(let appliance, let action) = try view.target(of: words) else {
                throw CommandFailure("\(Excerpt(text)) is no step: give a thing and its action", exitStatus: .usage)
            }
            return Scene.Step(appliance, action, after: after ?? .zero)
        }
        let id = view.scenes.first { $0.name == name }?.id ?? .random()
        let scene = try checked { () throws(ModelProblem) in try Scene(id: id, name: name, steps: read) }
        try await state.change(.defineScene(scene))
    }
}

/// Acts on a thing.
struct DoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "do", abstract: "Acts on a thing, and says what became of it.",
        discussion: "Examples: tars do Lamp on · tars do Coffee press 3s · tars do Blinds position 40")

    @Argument(help: "The thing and its action.") var words: [String]
    @OptionGroup var acting: ActingOptions
    @OptionGroup var state: StateOptions

    func run() async throws {
        guard case .view(let view) = try await state.ask(.view) else { return }
        guard case .action(let appliance, let action) = try view.target(of: words) else {
            throw CommandFailure("give a thing and its action; a scene is run by `tars run`", exitStatus: .usage)
        }
        try await acting.perform(.act(appliance, action), state)
    }
}

/// Runs a shortcut.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "run", abstract: "Runs a shortcut.")

    @Argument(help: "The shortcut.") var name: String
    @OptionGroup var acting: ActingOptions
    @OptionGroup var state: StateOptions

    func run() async throws {
        guard case .view(let view) = try await state.ask(.view) else { return }
        try await acting.perform(.run(try view.shortcut(named: name)), state)
    }
}

/// Follows a link.
struct OpenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open", abstract: "Follows a link: tars://run/SHORTCUT or tars://show.")

    @Argument(help: "The link.") var link: String
    @OptionGroup var acting: ActingOptions
    @OptionGroup var state: StateOptions

    func run() async throws {
        guard let link = DeepLink(link) else {
            throw CommandFailure(
                "\(Excerpt(link)) is no link of this app: give tars://run/ and a shortcut, or tars://show",
                exitStatus: .usage)
        }
        guard case .view(let view) = try await state.ask(.view) else { return }
        switch link {
        case .show: for line in HomeText.lines(view, at: .now) { Output.standard.line(line) }
        case .run(let name): try await acting.perform(.run(try view.shortcut(named: name)), state)
        }
    }
}

/// How long a command may take, and whether a person confirmed it.
struct ActingOptions: ParsableArguments {
    @Option(name: .customLong("in"), help: ArgumentHelp("How long it may take, 1 to 60 s.", valueName: "duration"))
    var patience = "5s"

    @Flag(name: .customLong("yes"), help: "Confirm it.")
    var isConfirmed = false

    private var life: Duration? { DurationText.duration(patience) }

    func validate() throws {
        guard let life else { throw ValidationError("--in is \"\(patience)\", expected \(DurationText.expected)") }
        do throws(ModelProblem) {
            try Limit.timeToLive.check(life)
        } catch {
            throw ValidationError(error.description)
        }
    }

    func perform(_ order: WatchCommand.Order, _ state: StateOptions) async throws {
        let life = life ?? .seconds(5)
        let until = Timestamp.now.advanced(byMilliseconds: life.wholeNanoseconds / 1_000_000)
        let command = WatchCommand(order, until: until, isConfirmed: isConfirmed)
        guard case .status(let status) = try await state.ask(.perform(command, .random())) else { return }
        Output.standard.line(HomeText.words(status, at: .now))
        guard status.exitCode != 0 else { return }
        throw ExitCode(status.exitCode)
    }
}

extension CommandStatus {
    /// 0 confirmed, 1 sent or unconfirmed, 2 refused, 3 expired or unknown.
    var exitCode: Int32 {
        switch self {
        case .confirmed: 0
        case .sent, .unconfirmed, .idle, .asked: 1
        case .refused: 2
        case .expired, .unknown: 3
        }
    }
}

/// A code for a watch.
struct PairCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pair", abstract: "Prints a code with which a watch of another machine pairs.")

    @OptionGroup var state: StateOptions

    func run() async throws {
        guard case .code(let code) = try await state.ask(.invite) else { return }
        Output.standard.line(code)
    }
}

/// The watches.
struct WatchesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watches", abstract: "Lists the watches and what they may do, or changes that.")

    @Option(help: ArgumentHelp("Let a watch do something: its name.", valueName: "watch")) var grant: String?
    @Option(help: ArgumentHelp("Do not let a watch do something: its name.", valueName: "watch")) var revoke: String?
    @Argument(help: "What: tars.actuate.") var grants: [String] = []
    @OptionGroup var state: StateOptions

    func run() async throws {
        let known = [TarsApp.actGrant]
        for name in grants {
            guard known.contains(name) else {
                throw ValidationError("\"\(name)\" is no grant: give \(known.joined(separator: " or "))")
            }
            guard let watch = grant ?? revoke else { throw ValidationError("give --grant or --revoke with a watch") }
            try await state.change(.grant(watch: watch, grant: name, isGiven: grant != nil))
        }
        guard grants.isEmpty else { return }
        guard case .watches(let all) = try await state.ask(.watches) else { return }
        if all.isEmpty { return Output.standard.line("No watch is paired.") }
        var table = TextTable("WATCH", "MAY")
        for watch in all { table.add(watch.name, watch.grants.isEmpty ? "look" : watch.grants.joined(separator: ", ")) }
        for line in table.lines { Output.standard.line(line) }
    }
}

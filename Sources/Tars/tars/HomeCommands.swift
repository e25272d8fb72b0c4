import Appliances
import ArgumentParser
import Commands
import Companion
import Foundation
import Peripherals
import Platform
import Service
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
        commandName: "discover", abstract: "Lists what announced itself at the broker and is not in the home.",
        discussion: "A Shelly does not announce what it has; --shelly asks it, by the prefix of its MQTT topics.")

    @Option(help: ArgumentHelp("Ask the Shelly at this prefix, too.", valueName: "prefix")) var shelly: String?
    @OptionGroup var state: StateOptions

    func run() async throws {
        let request = shelly.map { HomeRequest.askShelly(prefix: $0) } ?? .discover
        guard case .discovered(let all, let left) = try await state.ask(request) else { return }
        var lines = ["Nothing new announced itself."]
        if !all.isEmpty {
            var table = TextTable("NAME", "KIND", "DIALECT", "KEY")
            for one in all { table.add(one.name, one.kind.rawValue, one.dialect.rawValue, one.key) }
            lines = table.lines
        }
        lines += all.flatMap { one in one.notes.map { "\(Excerpt(one.name)): \($0)" } }
        if !left.isEmpty { lines += ["Not shown here:"] + left.map { "  \($0)" } }
        for line in lines { Output.standard.line(line) }
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
    @Flag(help: "Put it among the programs of this desktop, whose search suggests it.") var desktop = false
    @OptionGroup var state: StateOptions

    func run() async throws {
        guard case .view(let view) = try await state.ask(.view) else { return }
        let known = view.shortcuts.first { $0.name == name }
        if remove {
            try await state.change(.forget(name: name))
            if let known { try entry(of: known).remove() }
            return
        }
        if link || desktop, run.isEmpty {
            guard let known else {
                throw CommandFailure("there is no shortcut \(Excerpt(name))", exitStatus: .notFound)
            }
            return try show(known)
        }
        let target = try view.target(of: run)
        let shortcut = try checked { () throws(ModelProblem) in
            try Shortcut(id: known?.id ?? .random(), name: name, icon: icon, run: target, confirm: confirm)
        }
        try await state.change(.define(shortcut))
        try show(shortcut)
    }

    private func show(_ shortcut: Shortcut) throws {
        if link { Output.standard.line("tars://run/\(shortcut.id)") }
        guard desktop else { return }
        try entry(of: shortcut).write()
        Output.standard.line(entry(of: shortcut).path)
    }

    /// Its place among the programs of the desktop (T26).
    private func entry(of shortcut: Shortcut) -> DesktopEntry {
        DesktopEntry(
            "tars-\(shortcut.id)", name: shortcut.name,
            words: [
                LocalTools.ownPath, "open", "tars://run/\(shortcut.id)", "--state", URL(filePath: state.folder).path,
            ], comment: "TARS", icon: "input-tablet", keywords: ["tars", "home"])
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
        discussion: """
            Examples: tars do Lamp on · tars do Coffee press 3s · tars do Blinds position 40
            With --times it acts as often, four times a second, and prints how long the
            answers took: half of them, and 99 of 100, within these times.
            """)

    @Argument(help: "The thing and its action.") var words: [String]
    @Option(help: ArgumentHelp("How often, 1 to 10,000.", valueName: "number")) var times = 1
    @OptionGroup var acting: ActingOptions
    @OptionGroup var state: StateOptions

    func run() async throws {
        guard case .view(let view) = try await state.ask(.view) else { return }
        guard case .action(let appliance, let action) = try view.target(of: words) else {
            throw CommandFailure("give a thing and its action; a scene is run by `tars run`", exitStatus: .usage)
        }
        if times > 1 { return try await measure(.act(appliance, action)) }
        try await acting.perform(.act(appliance, action), state)
    }

    func validate() throws {
        guard (1...10_000).contains(times) else { throw ValidationError("--times is \(times): give 1 to 10,000") }
    }

    private func measure(_ order: WatchCommand.Order) async throws {
        var answers: [Int64] = []
        for _ in 0..<times {
            guard case .status(let status) = try await state.ask(.perform(acting.command(order), .random())) else {
                return
            }
            if case .confirmed(let milliseconds) = status { answers.append(milliseconds) }
            // A device that moves is busy.
            try await Task.sleep(for: .milliseconds(250))
        }
        answers.sort()
        guard let last = answers.last else { throw CommandFailure("none of \(times) was confirmed") }
        let (half, most) = (answers[answers.count / 2], answers[answers.count * 99 / 100])
        Output.standard.line(
            "\(answers.count) of \(times) confirmed: half within \(half) ms, 99 of 100 within \(most) ms, all within \(last) ms"
        )
        if answers.count < times { throw ExitCode(1) }
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
        if case .run(let name, let life) = link, !state.phone.isRunning {
            return try await keep(name, within: life ?? acting.life)
        }
        guard case .view(let view) = try await state.ask(.view) else { return }
        switch link {
        case .show: for line in HomeText.lines(view, at: .now) { Output.standard.line(line) }
        case .run(let name, let life):
            try await acting.perform(.run(try view.shortcut(named: name)), within: life, state)
        }
    }

    /// Keeps what the link runs for the next start of the phone (T29); a link by a name waits for it in vain.
    private func keep(_ name: String, within life: Duration) async throws {
        guard let id = Shortcut.ID(name) else {
            throw CommandFailure(
                "no phone runs, and \(Excerpt(name)) is a name, which only the phone knows: start it with `tars phone`, or "
                    + "use the link that `tars shortcut NAME --link` prints", exitStatus: .unreachable)
        }
        try StateHome.make(state.phoneFolder)
        try PendingLink.all(in: state.phoneFolder).keep(PendingLink(acting.command(.run(id), within: life)))
        Output.standard.line("no phone runs: it is run once if one starts within \(DurationText.text(life))")
        throw ExitCode(1)
    }
}

/// How long a command may take, and whether a person confirmed it.
struct ActingOptions: ParsableArguments {
    @Option(name: .customLong("in"), help: ArgumentHelp("How long it may take, 1 to 60 s.", valueName: "duration"))
    var patience = "5s"

    @Flag(name: .customLong("yes"), help: "Confirm it.")
    var isConfirmed = false

    /// How long it may take.
    var life: Duration { DurationText.duration(patience) ?? .seconds(5) }

    func validate() throws {
        guard let life = DurationText.duration(patience) else {
            throw ValidationError("--in is \"\(patience)\", expected \(DurationText.expected)")
        }
        do throws(ModelProblem) {
            try Limit.timeToLive.check(life)
        } catch {
            throw ValidationError(error.description)
        }
    }

    /// The command, from now on.
    func command(_ order: WatchCommand.Order, within life: Duration? = nil) -> WatchCommand {
        let until = Timestamp.now.advanced(byMilliseconds: (life ?? self.life).wholeNanoseconds / 1_000_000)
        return WatchCommand(order, until: until, isConfirmed: isConfirmed)
    }

    func perform(_ order: WatchCommand.Order, within life: Duration? = nil, _ state: StateOptions) async throws {
        let command = command(order, within: life)
        guard case .status(let status) = try await state.ask(.perform(command, .random())) else { return }
        Output.standard.line(status.words(at: .now))
        guard status.exitCode != 0 else { return }
        if !isConfirmed, case .refused(.cancelled) = status {
            Output.errors.line("tars: it asks before it acts; if it may, add --yes")
        }
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

/// The edits that lost.
struct ConflictsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conflicts", abstract: "Lists the edits that lost against newer ones, or settles one.",
        discussion: "What two people edited without seeing the other's edit stays here until it is settled.")

    @Option(help: ArgumentHelp("Bring back what lost, by the first digits of its id.", valueName: "id"))
    var restore: String?
    @Option(help: ArgumentHelp("Forget what lost.", valueName: "id")) var forget: String?
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var state: StateOptions

    func validate() throws {
        if restore != nil, forget != nil { throw ValidationError("give one of --restore and --forget") }
    }

    func run() async throws {
        if let id = restore ?? forget { return try await state.change(.settle(id, restoring: restore != nil)) }
        guard case .conflicts(let all) = try await state.ask(.conflicts) else { return }
        if json { return Output.standard.line(try CanonicalJSON.output(all)) }
        if all.isEmpty { return Output.standard.line("No edit has lost.") }
        for one in all { Output.standard.line("\(one.id.prefix(8))  \(one.words)") }
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

    @OptionGroup var grants: GrantOptions
    @OptionGroup var state: StateOptions

    func run() async throws {
        let changes = try grants.changes(among: [TarsApp.actGrant])
        for change in changes {
            try await state.change(.grant(watch: change.watch, grant: change.grant, isGiven: change.isGiven))
        }
        guard changes.isEmpty, case .watches(let all) = try await state.ask(.watches) else { return }
        GrantOptions.list(all.map { ($0.name, $0.grants) }, rest: "look")
    }
}

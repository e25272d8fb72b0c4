import ArgumentParser
import Commands
import Companion
import Foundation
import Platform
import RidesApp
import RidesModel
import RidesPhone
import RidesWatch
import Service
import Terminal
import Text

/// A person's phone.
struct PhoneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "phone", abstract: "Runs the phone of one person.",
        discussion: "Example: rides phone --as client:12")

    @Option(
        name: .customLong("as"), help: ArgumentHelp("The person, as client:12 or chauffeur:7.", valueName: "person"))
    var person: Person

    @Option(help: ArgumentHelp("Where watches of other machines connect, such as tcp://*:7500.", valueName: "endpoint"))
    var listen: String?

    @OptionGroup var server: ServerOptions
    @OptionGroup var state: StateOptions

    func run() async throws {
        try StateHome.make(state.folder, mode: StateOptions.sharedMode)
        try StateHome.make(state.phoneFolder(person))
        try StateHome.make(state.meetingFolder(person))
        var place = CompanionPlace(folder: state.phoneFolder(person), meetingFolder: state.meetingFolder(person))
        place.endpoint = listen
        place.notice = { Output.standard.line("phone: \($0)") }
        let process = PhoneProcess(
            PhoneProcess.Options(person: person, client: try await server.client(for: person, state), in: place))
        let person = person
        do {
            _ = try await untilStopped { try await process.run { Output.standard.line("phone of \(person) is ready") } }
        } catch {
            throw CommandFailure(error)
        }
    }
}

/// A code for a watch.
struct PairCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pair", abstract: "Prints a code with which a watch of another machine pairs with a phone.")

    @Option(name: .customLong("as"), help: ArgumentHelp("The person whose phone runs here.", valueName: "person"))
    var person: Person

    @OptionGroup var state: StateOptions

    func run() async throws {
        let service = PhoneProcess.service(folder: state.phoneFolder(person), of: person)
        let reply: PhoneReply
        do {
            reply = try await service.exchange(PhoneRequest.invite) { (_: PhoneReply) in nil }
        } catch {
            throw CommandFailure(error)
        }
        switch reply {
        case .code(let code): Output.standard.line(code)
        case .problem(let sentence): throw CommandFailure(sentence)
        }
    }
}

/// What `--do` says, in words.
struct OrderWords {
    /// What can be said.
    static let expected = """
        ask LATITUDE LONGITUDE LATITUDE LONGITUDE, cancel REASON, accept [RIDE], refuse [RIDE], arrived, on-board, \
        complete, available, off-duty or ledger
        """

    /// The command of a text; without a ride's number the first offer is meant.
    ///
    /// - Throws: ``CommandFailure`` for a text that cannot be read, and if there is no offer.
    static func command(_ text: String, _ view: RidesView) throws -> RidesCommand {
        let words = text.split(separator: " ").map(String.init)
        let rest = Array(words.dropFirst())
        let wrong = CommandFailure("\(Excerpt(text)) is no command: give \(expected)", exitStatus: .usage)
        func offer() throws -> Int {
            if let word = rest.first {
                guard let number = Int(word), rest.count == 1 else { throw wrong }
                return number
            }
            guard let first = view.driving?.offres.first?.course else {
                throw CommandFailure("refused: no ride is offered now", exitStatus: ExitStatus(rawValue: 2))
            }
            return first
        }
        switch words.first {
        case "ask":
            let numbers = rest.compactMap { Double($0) }
            guard numbers.count == 4, rest.count == 4 else { throw wrong }
            do throws(LocationError) {
                return .ask(
                    depart: try Location(latitude: numbers[0], longitude: numbers[1]),
                    arrivee: try Location(latitude: numbers[2], longitude: numbers[3]))
            } catch {
                throw CommandFailure(error.description, exitStatus: .usage)
            }
        case "cancel" where !rest.isEmpty: return .cancel(reason: rest.joined(separator: " "))
        case "accept": return .accept(course: try offer())
        case "refuse": return .refuse(course: try offer())
        default: break
        }
        let plain: [String: RidesCommand] = [
            "arrived": .arrived, "on-board": .onBoard, "complete": .complete, "available": .status(isAvailable: true),
            "off-duty": .status(isAvailable: false), "ledger": .ledger,
        ]
        guard let command = plain[text] else { throw wrong }
        return command
    }
}

/// A watch.
struct WatchCommandLine: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Runs a watch of a person: a face, lines, or one answer.",
        discussion: """
            Watches of the phone's machine pair by themselves; one of another machine needs
            the code of `rides pair` once. `--do` acts:
              rides watch --as client:12 --do 'ask -4.33 15.31 -4.38 15.29'
              rides watch --as chauffeur:7 --do accept
            It takes ask, cancel, accept, refuse, arrived, on-board, complete, available,
            off-duty and ledger, and ends with 0 when it was done, 1 when the phone is away,
            2 when it was refused, 3 when its end is not known.
            """)

    @Option(name: .customLong("as"), help: ArgumentHelp("The person of the phone.", valueName: "person"))
    var person: Person
    @OptionGroup var watch: WristOptions
    @Flag(help: "Print lines instead of a face.") var plain = false
    @Flag(help: "Print what is shown once, and end.") var once = false
    @Flag(help: "Print it as JSON.") var json = false
    @Option(name: .customLong("do"), help: ArgumentHelp("Act, and end.", valueName: "words")) var order: String?
    @Option(help: ArgumentHelp("How long to wait for the phone.", valueName: "duration")) var timeout = "20s"
    @OptionGroup var state: StateOptions

    func validate() throws {
        if DurationText.duration(timeout) == nil {
            throw ValidationError("--timeout is \"\(timeout)\", expected \(DurationText.expected)")
        }
    }

    func run() async throws {
        try StateHome.make(state.folder, mode: StateOptions.sharedMode)
        let folder = state.watchFolder(person, watch.name)
        try StateHome.make(folder)
        try StateHome.make(state.meetingFolder(person))
        let wrist: Wrist
        do {
            var place = CompanionPlace(folder: folder, meetingFolder: state.meetingFolder(person))
            place.notice = { Output.errors.line("watch: \($0)") }
            wrist = try Wrist(name: watch.name, in: place, code: watch.code)
        } catch {
            throw CommandFailure(error)
        }
        let run = WristRun(changes: wrist.changes) { try await wrist.run() }
        if once || order != nil { return try await answer(wrist, run) }
        if plain || isatty(STDOUT_FILENO) == 0 {
            let isJSON = json
            return try await run.lines {
                let shown = wrist.shown
                guard let view = shown.view else { return shown.events }
                return shown.events
                    + (isJSON ? [try CanonicalJSON.output(view)] : RidesText.lines(view, at: .now))
            }
        }
        try await run.face { look in
            WristFace(look: look, shown: { wrist.shown }, now: { .now }) { command in
                Task { await wrist.act(command) }
            }
        }
    }

    // MARK: - One answer

    private func answer(_ wrist: Wrist, _ run: WristRun) async throws {
        let command = self
        let failure = CommandFailure(
            "the phone did not answer within \(timeout): start it with `rides phone --as \(person)`, or give a longer "
                + "--timeout", exitStatus: .failure)
        let status = try await run.answer(
            within: DurationText.duration(timeout) ?? .seconds(20), otherwise: failure
        ) { try await command.work(with: wrist) }
        if status != 0 { throw ExitCode(status ?? 1) }
    }

    /// The view of a phone that is reached.
    private func view(of wrist: Wrist) async -> RidesView? {
        await wrist.changes.first {
            let shown = wrist.shown
            return shown.isReachable ? shown.view : nil
        }
    }

    private func work(with wrist: Wrist) async throws -> Int32 {
        guard let view = await view(of: wrist) else { return 1 }
        guard let order else {
            if json {
                Output.standard.line(try CanonicalJSON.output(view))
            } else {
                for line in RidesText.lines(view, at: .now) { Output.standard.line(line) }
            }
            return 0
        }
        let end = WatchEnd(await wrist.send(try OrderWords.command(order, view)))
        if order == "ledger", end.status == 0 {
            let line = await wrist.changes.first { wrist.shown.events.first { $0.hasPrefix("received ") } }
            if let line { Output.standard.line(line) }
        } else {
            Output.standard.line(end.line)
        }
        return end.status
    }
}

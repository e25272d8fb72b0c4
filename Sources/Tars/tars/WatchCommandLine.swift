import Appliances
import ArgumentParser
import Commands
import Companion
import Foundation
import Platform
import Primitives
import TarsApp
import TarsWatch
import Terminal
import Text
import WatchConnectivity

/// A watch.
struct WatchCommandLine: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Runs a watch: a face, lines, or one answer.",
        discussion: """
            Watches of the phone's machine pair by themselves; one of another machine needs
            the code of `tars pair` once. `--once` prints the home; `--do` acts first, and
            ends with 0 when the thing did it, 1 when nothing said so, 2 when it was
            refused, 3 when it came too late or its end is not known. `--rename` works
            without the phone, too, which learns it at the next link; with `--no-wait` it
            ends at once.
            """)

    @OptionGroup var watch: WristOptions
    @Flag(help: "Print lines instead of a face.") var plain = false
    @Flag(help: "Print the home once, and end.") var once = false
    @Flag(help: "Print it as JSON.") var json = false
    @Option(name: .customLong("do"), help: ArgumentHelp("Act, such as 'Lamp on', and end.", valueName: "thing action"))
    var order: String?
    @Option(name: .customLong("run"), help: ArgumentHelp("Run a shortcut, and end.", valueName: "shortcut"))
    var shortcut: String?
    @Flag(name: .customLong("yes"), help: "Confirm it.") var isConfirmed = false
    @Option(help: ArgumentHelp("Rename a thing, and end.", valueName: "thing")) var rename: String?
    @Option(help: ArgumentHelp("Its new name.", valueName: "name")) var to: String?
    @Flag(help: "Do not wait until the phone knows the new name.") var noWait = false
    @Option(help: ArgumentHelp("How long to wait for the phone.", valueName: "duration")) var timeout = "10s"
    @OptionGroup var state: StateOptions

    func validate() throws {
        guard (rename == nil) == (to == nil) else { throw ValidationError("give --rename and --to together") }
        if DurationText.duration(timeout) == nil {
            throw ValidationError("--timeout is \"\(timeout)\", expected \(DurationText.expected)")
        }
    }

    func run() async throws {
        let folder = state.watchFolder(watch.name)
        try StateHome.make(folder)
        try StateHome.make(state.meetingFolder)
        let wrist: Wrist
        do {
            var place = CompanionPlace(folder: folder, meetingFolder: state.meetingFolder)
            place.notice = { Output.errors.line("watch: \($0)") }
            let host = try place.watch(TarsApp.self, name: watch.name, code: watch.code, records: HomeRecords.rules)
            wrist = Wrist(host, records: WCSession.records)
        } catch {
            throw CommandFailure(error)
        }
        let run = WristRun(changes: wrist.changes) { try await wrist.run() }
        if once || order != nil || shortcut != nil || rename != nil { return try await answer(wrist, run) }
        if plain || isatty(STDOUT_FILENO) == 0 {
            let isJSON = json
            return try await run.lines { try Self.lines(wrist.shown, isJSON: isJSON) }
        }
        try await run.face { look in
            WristFace(
                look: look, language: HomeLanguage(environment: ProcessInfo.processInfo.environment),
                shown: { wrist.shown }, now: { .now },
                act: { order, subject, isConfirmed in
                    Task { await wrist.send(order, for: subject, isConfirmed: isConfirmed) }
                },
                rename: { id, name in Task { try await wrist.edit { try $0.edit(id, name: name, room: nil) } } })
        }
    }

    // MARK: - One answer

    private func answer(_ wrist: Wrist, _ run: WristRun) async throws {
        let command = self
        let failure = CommandFailure(
            "the phone did not answer within \(timeout): start it with `tars phone`, or give a longer --timeout",
            exitStatus: .unreachable)
        let found = try await run.answer(
            within: DurationText.duration(timeout) ?? .seconds(10), otherwise: failure
        ) { try await command.work(with: wrist) }
        if let status = found ?? nil {
            Output.standard.line(status.words(at: .now))
            if status.exitCode != 0 { throw ExitCode(status.exitCode) }
        }
    }

    private func work(with wrist: Wrist) async throws -> CommandStatus? {
        if let rename, let to {
            guard let view = await view(of: wrist, where: { _ in true }) else { return nil }
            let id = try view.thing(named: rename).appliance.id
            try await wrist.edit { edits in try edits.edit(id, name: to, room: nil) }
            if !noWait { _ = await self.view(of: wrist) { $0.isReachable && $0.isInStep } }
            let name = wrist.shown.view?.things.first { $0.appliance.id == id }?.appliance.name
            guard noWait || name == to else {
                Output.errors.line(
                    "tars: the phone did not take it: \(wrist.shown.lost.last ?? "see `tars conflicts`")")
                return .refused(.notGranted)
            }
            let phone = noWait ? "the phone learns it at the next link" : "the phone knows it"
            Output.standard.line("\(Excerpt(rename)) is \(Excerpt(to)): \(phone)")
            return nil
        }
        guard let view = await view(of: wrist, where: { $0.isReachable && $0.isInStep }) else { return nil }
        if let order {
            guard case .action(let id, let action) = try view.target(of: order.split(separator: " ").map(String.init))
            else { throw CommandFailure("give a thing and its action; a scene is run by --run", exitStatus: .usage) }
            return await wrist.settled(.act(id, action), for: id.description, isConfirmed: isConfirmed)
        }
        if let shortcut {
            let id = try view.shortcut(named: shortcut)
            return await wrist.settled(.run(id), for: id.description, isConfirmed: isConfirmed)
        }
        if json {
            Output.standard.line(try CanonicalJSON.output(view))
        } else {
            for line in HomeText.lines(view, at: .now) { Output.standard.line(line) }
        }
        return nil
    }

    /// The home, as soon as it is there and all is as wished.
    private func view(of wrist: Wrist, where isSo: (Wrist.Shown) -> Bool) async -> HomeView? {
        await wrist.changes.first {
            let shown = wrist.shown
            return isSo(shown) ? shown.view : nil
        }
    }

    // MARK: - Lines

    private static func lines(_ shown: Wrist.Shown, isJSON: Bool) throws -> [String]? {
        guard let view = shown.view else { return nil }
        var lines = isJSON ? [try CanonicalJSON.output(view)] : HomeText.lines(view, at: view.madeAt)
        lines += shown.lost
        for (subject, status) in shown.statuses.sorted(by: { $0.key < $1.key }) {
            lines.append("\(subject): \(status.words(at: .now))")
        }
        return lines
    }
}

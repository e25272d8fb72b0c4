import ArgumentParser
import Commands
import Companion
import Foundation
import ImtApp
import ImtModel
import ImtWatch
import Platform
import Terminal
import Text

/// A watch.
struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Runs a watch: a face, or lines.",
        discussion: """
            Watches of the phone's machine pair by themselves; one of another machine needs
            the code of `imt pair` once. With --plain it reads commands, one a line:
              page N · find TEXT · open N · show N [VIEW] · fade T · name N PRESET · lock · unlock
            """)

    @OptionGroup var watch: WristOptions
    @Flag(help: "Read commands and print lines instead of a face.") var plain = false
    @Option(help: ArgumentHelp("Lock after so long without a key.", valueName: "duration")) var idle = "2m"
    @OptionGroup var state: StateOptions

    func validate() throws {
        if DurationText.duration(idle) == nil {
            throw ValidationError("--idle is \"\(idle)\", expected \(DurationText.expected)")
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
            wrist = try Wrist.open(name: watch.name, in: place, code: watch.code)
        } catch {
            throw CommandFailure(error)
        }
        let run = WristRun(changes: wrist.changes) { try await wrist.run() }
        if plain || isatty(STDOUT_FILENO) == 0 {
            return try await run.lines(answer: { await Self.perform($0, on: wrist) }) { Self.words(wrist.shown) }
        }
        let idleSeconds = Int((DurationText.duration(idle) ?? .seconds(120)) / .seconds(1))
        let start = ContinuousClock.now
        try await run.face { look in
            WristFace(
                look: look, idleSeconds: idleSeconds, seconds: { Int((ContinuousClock.now - start) / .seconds(1)) },
                shown: { wrist.shown }
            ) { action in
                Task {
                    switch action {
                    case .list(let command): await wrist.list(command)
                    case .open(let row): await wrist.open(row)
                    case .look(let transformation, let view): await wrist.look(at: transformation, view)
                    case .leave: await wrist.leave()
                    case .name(let row, let name): await wrist.name(row, name)
                    case .lock: await wrist.lock()
                    case .unlock: await wrist.unlock()
                    }
                }
            }
        }
    }

    // MARK: - Lines

    /// What is shown, in lines.
    private static func words(_ shown: Wrist.Shown) -> [String] {
        var lines = [shown.isReachable ? "phone near" : "phone out of reach"]
        if shown.isLocked { return lines + ["locked"] }
        if shown.grants != nil, shown.page == nil { lines.append("no list: needs imt.list") }
        if let page = shown.page {
            let rows = page.rows.map { "\($0.given) \($0.initial)".trimmingCharacters(in: .whitespaces) }
            lines.append("list \(page.number + 1)/\(page.pageCount): \(rows.joined(separator: ", "))")
        }
        if let patient = shown.patient {
            let names = shown.transformations.map { "\($0.name ?? "–")\($0.complete.isEmpty ? "" : " ✓")" }
            lines.append("\(patient.given): \(names.joined(separator: ", "))")
        }
        if let progress = shown.progress { lines.append("photos: \(progress.here) of \(progress.all) bytes") }
        if let pair = shown.pair {
            lines.append(
                "pair: \(pair.days.map { $0 ?? "?" }.joined(separator: " → "))\(pair.isAligned ? ", aligned" : "")")
        }
        if let notice = shown.notice { lines.append("notice: \(notice)") }
        return lines
    }

    /// Does what a line says; returns what is answered.
    private static func perform(_ line: String, on wrist: Wrist) async -> String? {
        let parts = line.split(separator: " ", maxSplits: 2).map(String.init)
        let number = parts.count > 1 ? Int(parts[1]).map { $0 &- 1 } ?? -1 : -1
        let shown = wrist.shown
        switch parts.first ?? "" {
        case "page": await wrist.list(.page(max(0, number)))
        case "find": await wrist.list(.find(parts.dropFirst().joined(separator: " ")))
        case "open":
            guard let page = shown.page, page.rows.indices.contains(number) else { return "there is no such row" }
            await wrist.open(page.rows[number])
        case "show":
            guard shown.transformations.indices.contains(number) else { return "there is no such transformation" }
            let view = parts.count > 2 ? FaceView(rawValue: parts[2]) ?? .front : .front
            await wrist.look(at: shown.transformations[number].id, view)
        case "fade":
            guard let pair = shown.pair else { return "no photos are here" }
            let mixed = Comparison.fade(number + 1).picture(before: pair.before, after: pair.after)
            return "fade \(number + 1): \(PictureIntake.hash(mixed.bytes).prefix(16))"
        case "name":
            guard shown.transformations.indices.contains(number), parts.count > 2,
                let preset = PresetName(rawValue: parts[2])
            else { return "give the number and one of " + PresetName.allCases.map(\.rawValue).joined(separator: ", ") }
            await wrist.name(shown.transformations[number], preset)
        case "lock": await wrist.lock()
        case "unlock": await wrist.unlock()
        default: return "write: page N, find TEXT, open N, show N [VIEW], fade T, name N PRESET, lock, unlock"
        }
        return "done: \(line)"
    }
}

import ArgumentParser
import CommandSupport
import Foundation
import Platform
import PoolControl
import PoolHub
import PoolModel
import PoolWatch

extension CommandContext {
    /// The name of the watch that a command is about: the one that is given; else the usual one or, if that is not
    /// paired, the only paired one on this machine.
    ///
    /// - Throws: ``CommandFailure`` if several are paired and none is the usual one.
    var watchName: String {
        get throws {
            let name = try settings.value(of: Catalog.watchName)
            let paired = try folders.pairedWatches
            guard settings.text(of: Catalog.watchName.entry).origin == .fallback, !paired.contains(name) else {
                return name
            }
            guard paired.count < 2 else {
                let names = paired.map { "\"\(PlainText.oneLine($0))\"" }.joined(separator: ", ")
                throw CommandFailure("several watches are paired on this machine: name one of \(names) with --name")
            }
            return paired.first ?? name
        }
    }

    /// Sends a command to a watch on this machine, whether it runs or not.
    ///
    /// - Throws: ``CommandFailure`` with the watch's error.
    ///
    /// - Parameters:
    ///   - command: The command.
    ///   - refusal: The exit code if the watch refuses it.
    /// - Returns: The answer, which is no refusal.
    func askWatch(_ command: WatchCommand, refusal: ExitStatus = .failure) async throws -> WatchAnswer {
        let folders = try folders
        try folders.prepare()
        let name = try watchName
        let path = folders.watch(name)
        guard FileManager.default.fileExists(atPath: path) else {
            throw CommandFailure(
                "there is no watch named \(PlainText.oneLine(name)) on this machine: name one with --name, or pair it "
                    + "with `poolsensors watch pair`", exitStatus: .notFound)
        }
        let answer: WatchAnswer
        do {
            answer = try await WatchClient.perform(command, path: path) {
                Output.errors.line("poolsensors: \(PlainText.oneLine($0))")
            }
        } catch {
            throw CommandFailure(error)
        }
        if case .refused(let sentence) = answer { throw CommandFailure(sentence, exitStatus: refusal) }
        return answer
    }

    /// How long a command waits for the hub to accept a change.
    static let deliveryPatience = Duration.seconds(5)

    /// Makes a change on a watch that names something in its configuration.
    ///
    /// - Parameters:
    ///   - json: The flags of the output.
    ///   - edit: Finds what the person means in the configuration that the watch shows.
    /// - Throws: ``CommandFailure`` with the error of `edit` or of the watch; `ExitCode` if the hub did not accept the
    ///   change.
    func changeOnWatch(json: JSONOptions, _ edit: (WatchConfiguration) throws -> WatchEdit) async throws {
        let report = try await watchReport()
        guard report.revision != nil else { throw CommandFailure(WatchReport.noConfiguration) }
        try await changeOnWatch(try meant { try edit(report.configuration) }, json: json)
    }

    /// Makes a change on a watch, sends it to the hub if the hub answers, and prints the outcome.
    func changeOnWatch(_ edit: WatchEdit, json: JSONOptions) async throws {
        let record: WatchChangeRecord
        switch try await askWatch(.edit(edit)) {
        case .waiting(let note): record = try await delivered(note)
        case .unchanged(let sentence): record = WatchChangeRecord(isChanged: false, text: sentence)
        case .refused, .report, .alerts, .files, .removedFile, .glance, .delivery, .queuedDose, .doseDelivery:
            throw CommandFailure("the watch gave another answer than to a change; is it of another version?")
        }
        if json.isOn {
            try json.write(record)
        } else {
            for line in record.lines(watch: try watchName) {
                Output.standard.line(PlainText.oneLine(line))
            }
        }
        if record.isLost { throw ExitCode(.failure) }
    }

    /// Waits a short time until the hub has an edit.
    private func delivered(_ note: PendingEditSummary) async throws -> WatchChangeRecord {
        var record = WatchChangeRecord(isChanged: true, edit: note, text: note.sentence)
        do {
            let (delivery, isRunning) = try await WatchClient.deliver(
                note.id, path: try folders.watch(watchName),
                options: .init(endpoint: try settings.value(of: Catalog.watchHub), logger: logger),
                patience: Self.deliveryPatience)
            record.isRunning = isRunning
            switch delivery {
            case .reached(let outcome): record.outcome = outcome
            case .waits(let missing): record.waitsFor = missing
            }
        } catch {
            // The edit is durable; only whether the hub has it is not known.
            record.waitsFor = "\(error)"
        }
        return record
    }

    /// The configuration, the edits and the conflicts of a watch.
    func watchReport() async throws -> WatchReport {
        guard case .report(let report) = try await askWatch(.report) else {
            throw CommandFailure("the watch gave another answer than a report; is it of another version?")
        }
        return report
    }

    /// The glance of the process that runs a watch, after it has asked the hub: of the given device, or of the one that
    /// it shows.
    func glanceOfRunningWatch(patience: Duration) async throws -> Glance {
        let command = WatchCommand.glance(
            device: try settings.value(of: Catalog.watchDevice), clock: TimeOfDay(.now).minutes,
            patience: Int(patience / .milliseconds(1)))
        // The only refusal is that of a device that does not exist.
        guard case .glance(let glance) = try await askWatch(command, refusal: .notFound) else {
            throw CommandFailure("the watch gave another answer than a glance; is it of another version?")
        }
        return glance
    }
}

/// The outcome of a change on a watch.
struct WatchChangeRecord: Encodable {
    var isChanged: Bool
    var edit: PendingEditSummary?
    var text: String
    /// The outcome at the hub; nil if the hub does not have the change yet.
    var outcome: EditOutcomeSummary?
    /// What the change waits for; nil if the hub has it.
    var waitsFor: String?
    /// Whether a process that runs the watch sends it to the hub.
    var isRunning: Bool?

    init(isChanged: Bool, edit: PendingEditSummary? = nil, text: String) {
        self.isChanged = isChanged
        self.edit = edit
        self.text = text
    }

    /// Whether the hub has the change and another value is current.
    var isLost: Bool { outcome.map { !$0.isInEffect } ?? false }

    /// The record for a person.
    ///
    /// - Parameter watch: The name of the watch on this machine.
    /// - Returns: The lines.
    func lines(watch: String) -> [String] {
        guard isChanged else { return [text] }
        if let outcome {
            switch outcome.kind {
            case .accepted: return ["changed here and at the hub: \(text)"]
            case .merged: return ["changed here and at the hub: \(text)", outcome.merge ?? ""].filter { !$0.isEmpty }
            case .conflicting, .rejected:
                return [
                    "not changed: \(text)",
                    "The hub keeps it among the conflicts: \(outcome.reason ?? "something else stands there"); see "
                        + "`poolsensors watch conflicts\(PairingAdvice.option(name: watch))`",
                ]
            }
        }
        let way =
            isRunning == true
            ? "The watch that runs here sends it then."
            : "It is not sent while this watch does not run: start "
                + "`poolsensors watch\(PairingAdvice.option(name: watch))` when the hub can be reached."
        let missing = waitsFor ?? "the hub"
        let end = missing.hasSuffix("?") ? "" : "."
        return ["changed here, not yet at the hub: \(text)", "It waits for \(missing)\(end) \(way)"]
    }
}

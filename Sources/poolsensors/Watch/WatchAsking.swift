import Foundation
import PoolHub
import PoolModel
import PoolWatch

extension CommandContext {
    /// Asks a watch of this machine, whether it runs or not.
    ///
    /// - Throws: ``CommandFailure`` with what the watch says against it.
    func askWatch(_ request: WatchRequest) async throws -> WatchAnswer {
        let folders = try folders
        try folders.prepare()
        let name = try settings.value(of: Catalog.watchName)
        let path = folders.watch(name)
        guard FileManager.default.fileExists(atPath: path) else {
            throw CommandFailure(
                "there is no watch named \(PlainText.oneLine(name)) on this machine: name one with --name, or pair it "
                    + "with `poolsensors watch pair`")
        }
        let answer: WatchAnswer
        do {
            answer = try await WatchClient.perform(request, path: path) {
                Output.errors.line("poolsensors: \(PlainText.oneLine($0))")
            }
        } catch {
            throw CommandFailure("\(error)")
        }
        if case .refused(let sentence) = answer { throw CommandFailure(sentence) }
        return answer
    }

    /// Asks a watch for a change, and says what became of it.
    func changeOnWatch(_ request: WatchRequest, json: Bool) async throws {
        let record: WatchChangeRecord
        switch try await askWatch(request) {
        case .waiting(let note): record = WatchChangeRecord(isChanged: true, edit: note, text: note.sentence)
        case .unchanged(let sentence): record = WatchChangeRecord(isChanged: false, text: sentence)
        case .refused, .report, .alerts, .files, .removedFile, .glance:
            throw CommandFailure("the watch gave another answer than to a change; is it of another version?")
        }
        if json { return Output.standard.line(try JSONText.pretty(record)) }
        Output.standard.line(
            PlainText.oneLine(record.isChanged ? "changed here, on its way to the hub: \(record.text)" : record.text))
    }

    /// The edits and the conflicts of a watch.
    func watchReport() async throws -> WatchReport {
        guard case .report(let report) = try await askWatch(.report) else {
            throw CommandFailure("the watch gave another answer than a report; is it of another version?")
        }
        return report
    }

    /// What the process that runs a watch shows: of the device that was asked for, or of the one that it shows.
    func glanceOfRunningWatch() async throws -> Glance {
        let request = WatchRequest.glance(
            device: try settings.value(of: Catalog.watchDevice), clock: TimeOfDay(.now).minutes)
        guard case .glance(let glance) = try await askWatch(request) else {
            throw CommandFailure("the watch gave another answer than a glance; is it of another version?")
        }
        return glance
    }
}

/// What became of a change on a watch, as JSON.
private struct WatchChangeRecord: Encodable {
    var isChanged: Bool
    var edit: PendingNote?
    var text: String
}

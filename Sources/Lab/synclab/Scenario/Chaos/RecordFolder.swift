import CommandSupport
import Foundation
import PoolControl
import SyncSimulation

/// The folder with the journals of the engines of one run.
enum RecordFolder {
    private static let ending = "engine"

    /// Makes the folder; one with journals of another run is refused, since data is only appended to a journal.
    static func make(_ path: String) throws -> String {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw CommandFailure("cannot make the folder \(path): \(SystemErrorText.of(error))")
        }
        guard try journals(path).isEmpty else {
            throw CommandFailure("\(path) holds journals of another run; name another folder, or remove them")
        }
        return path
    }

    private static func journals(_ path: String) throws -> [String] {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: path)
        } catch {
            throw CommandFailure("cannot read the folder \(path): \(SystemErrorText.of(error))")
        }
        return names.filter { URL(filePath: $0).pathExtension == ending }.sorted().map { "\(path)/\($0)" }
    }

    /// Replays the journals of a run that has ended, and adds the promises that they break to its summary.
    ///
    /// Each engine should have a journal. If there is none at all, nothing was replayed, and that is a violation as
    /// well; so is anything that could not be judged.
    ///
    /// A hub that is restored soon after a commit cannot detect it: the guard file beside its folder is written only
    /// from time to time.
    static func replay(_ path: String, into summary: inout ChaosSummary) throws {
        let paths = try journals(path)
        guard !paths.isEmpty else { return summary.violations.append("no engine has kept a journal in \(path)") }
        let report = try JournalSource.replay(paths, mayBePutBack: summary.counts.restores > 0)
        summary.replay = JournalSource.lines(report)
        if !report.isGood { summary.violations.append("the journals of the engines: see above") }
        if !report.notes.isEmpty {
            summary.violations.append("the journals of the engines were not judged to the end: see above")
        }
    }
}

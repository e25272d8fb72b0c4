import CommandSupport
import Foundation
import PoolControl
import SyncCore
import SyncSimulation

/// Reads and replays the journals of real engines, and formats the result.
enum JournalSource {
    /// Reads journals and replays them.
    ///
    /// - Throws: ``CommandFailure`` if one cannot be read, is no journal, or contains no run.
    static func replay(
        _ paths: [String], mayBePutBack: Bool = false,
        each: ((String, Moment, String) -> Void)? = nil
    ) throws -> JournalReport {
        let journals = try paths.map { path in
            do {
                return Array(try Data(contentsOf: URL(filePath: path)))
            } catch {
                throw CommandFailure("cannot read the journal \(path): \(SystemErrorText.of(error))")
            }
        }
        let report: JournalReport
        do throws(JournalMergeError) {
            report = try JournalMerge.replay(
                journals, of: [.scenarios, .pools], mayBeRestored: mayBePutBack, each: each)
        } catch {
            let path = error.journal.map { paths[$0] } ?? paths.joined(separator: ", ")
            throw CommandFailure("\(path): \(JournalErrorFormatter.of(error.fault))")
        }
        for (path, journal) in zip(paths, report.journals) where journal.runCount == 0 {
            throw CommandFailure("\(path) holds no life of an engine, so it shows nothing: leave it out")
        }
        return report
    }

    /// The lines for a person: one for each journal, then the verdict.
    static func lines(_ report: JournalReport) -> [String] {
        var lines = report.journals.map { journal in
            let verdict = journal.difference == nil ? "did the same again" : "did something else"
            let torn = journal.tornByteCount > 0 ? "; cut short by \(journal.tornByteCount) bytes at its end" : ""
            return "\(journal.device?.name ?? "unknown"): \(journal.runCount) lives, \(journal.stepCount) steps, "
                + verdict + torn
        }
        for journal in report.journals {
            guard let difference = journal.difference else { continue }
            lines.append("\(journal.device?.name ?? "unknown"), life \(difference.run), step \(difference.step):")
            lines.append("  input     \(difference.input)")
            lines += difference.expected.map { "  expected  \($0)" }
            lines += difference.got.map { "  got       \($0)" }
        }
        lines += report.notes.map { "note: \($0)" }
        if let violation = report.violation {
            lines.append("BROKEN by \(report.violator ?? "?"): \(violation.rule.rawValue): \(violation.text)")
        } else if report.isGood {
            lines.append("all promises that could be judged held")
        }
        return lines
    }
}

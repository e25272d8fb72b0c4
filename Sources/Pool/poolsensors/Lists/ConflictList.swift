import CommandSupport
import Foundation
import PoolModel

/// Formats conflicts as text.
enum ConflictList {
    /// The rejected and the current value, in one line.
    static func line(_ note: ConflictSummary) -> String {
        "conflict \(note.id.short): \(note.subject): \(words(note.loser)) is not shown, "
            + "\(note.winner.map { words($0) } ?? "nothing") is; \(note.reason)"
    }

    /// A paragraph for each conflict, and how to resolve it.
    ///
    /// - Parameters:
    ///   - notes: The conflicts.
    ///   - command: The command line before `restore` and `dismiss`.
    /// - Returns: The lines.
    static func lines(_ notes: [ConflictSummary], command: String) -> [String] {
        guard !notes.isEmpty else { return ["No conflict is open."] }
        let paragraphs = notes.flatMap { note in
            [
                "\(note.id.short)  \(note.subject)",
                "          not shown: \(words(note.loser, isLong: true))",
                "          shown:     \(note.winner.map { words($0, isLong: true) } ?? "nothing")",
                note.base.map { "          before:    \($0)" },
                "          \(note.reason)",
                note.obstacle.map { "          cannot be restored: \($0)" },
            ].compactMap(\.self)
        }
        return paragraphs.map(PlainText.oneLine) + [
            "", "Restore a value with `\(command) restore CONFLICT`, or dismiss it with `\(command) dismiss CONFLICT`.",
        ]
    }

    private static func words(_ side: ConflictSummary.Side, isLong: Bool = false) -> String {
        let time = isLong ? ", \(MomentText.of(side.at))" : ""
        return "\(side.value ?? "nothing") (\(side.author)\(time))"
    }
}

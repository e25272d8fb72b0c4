import CommandSupport
import Foundation
import PoolModel

/// Formats conflicts as text.
enum ConflictList {
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
                "          not shown: \(words(note.loser))",
                "          shown:     \(note.winner.map { words($0) } ?? "nothing")",
                note.base.map { "          before:    \($0)" },
                "          \(note.reason)",
                note.obstacle.map { "          cannot be restored: \($0)" },
            ].compactMap(\.self)
        }
        return paragraphs.map(PlainText.oneLine) + [
            "", "Restore a value with `\(command) restore CONFLICT`, or dismiss it with `\(command) dismiss CONFLICT`.",
        ]
    }

    private static func words(_ side: ConflictSummary.Side) -> String {
        "\(side.value ?? "nothing") (\(side.author), \(MomentText.of(side.at)))"
    }
}

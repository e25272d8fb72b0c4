/// The parameters and the result of a run.
struct ChaosSummary: Codable, Equatable {
    var counts: Chaos.Counts
    var conflictCount: Int
    /// The broken promises, as text.
    var violations: [String]
    /// The result of replaying the engines' journals, if there are any.
    var replay: [String]?

    /// The lines for a person.
    var lines: [String] {
        [
            "work    \(counts.edits) edits of cells, \(counts.groups) of several cells, \(counts.deletions) deletions; "
                + "\(counts.items) user info, \(counts.files) files, \(counts.questions) questions, of which "
                + "\(counts.replies) were answered; \(counts.declined) orders declined",
            "faults  \(counts.kills) kills, \(counts.stops) stops, \(counts.swarms) swarms of message faults, "
                + "\(counts.cuts) cuts, \(counts.heals) heals; \(counts.restores) restores of the hub, "
                + "\(counts.clones) clones of a watch, \(counts.conflictBursts) piles of conflicts",
            "end     \(conflictCount) conflicts open, \(counts.putAside) were dismissed, "
                + "\(counts.mostConflicts) at most",
        ] + (replay ?? []).map { "replay  \($0)" }
            + (violations.isEmpty
                ? ["all promises held"] : violations.prefix(20).map { "BROKEN  \($0)" })
    }
}

public import PoolModel

/// Reports on a device in sentences: a full report first, then only news.
///
/// This is the mode for screen readers: no sentence is repeated, and nothing is redrawn.
public struct PlainFollower: Sendable {
    /// What counts as news.
    public enum Detail: Sendable {
        /// A changed status, freshness, link, device or limit; the line then includes the value.
        case judgements
        /// These, and any change of a value as it is shown.
        case values
    }

    private let detail: Detail
    private var printed: [PlainLine.Topic: PlainLine] = [:]

    /// Creates a follower that has reported nothing yet.
    public init(_ detail: Detail = .judgements) {
        self.detail = detail
    }

    /// The sentences that are news since the last call; all of them at the first call.
    ///
    /// The passing of time is no news: changed ages, trends and revisions alone give no line.
    public mutating func lines(for glance: Glance) -> [String] {
        var report = PlainLine.report(glance)
        let wasDown = printed[.link].map { $0 != .linked } ?? false
        if wasDown, !report.contains(where: { $0.topic == .link }) { report.insert(.linked, at: 1) }
        var news: [String] = []
        for line in report where isNews(line) {
            news.append(line.text)
            printed[line.topic] = line
        }
        // A topic that disappears from the report is news again when it comes back.
        let topics = Set(report.map(\.topic)).union([.link])
        printed = printed.filter { topics.contains($0.key) }
        return news
    }

    private func isNews(_ line: PlainLine) -> Bool {
        guard let before = printed[line.topic], before.judgement == line.judgement else { return true }
        return detail == .values && before.value != line.value
    }
}

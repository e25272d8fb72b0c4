public import PoolModel

/// Follows a device in sentences: after the first report it says only what is news.
///
/// This is the mode for screen readers: nothing is said twice, nothing is ever repainted.
public struct PlainFollower: Sendable {
    /// What counts as news.
    public enum Detail: Sendable {
        /// A changed judgement, freshness, link, device or limit; the line then tells the value too.
        case judgements
        /// These, and a value that reads differently than before.
        case values
    }

    private let detail: Detail
    private var told: [PlainLine.Topic: PlainLine] = [:]

    /// Creates a follower that has said nothing yet.
    public init(_ detail: Detail = .judgements) {
        self.detail = detail
    }

    /// The sentences that are news since the last call; all of them at the first call.
    ///
    /// That time has passed is no news: ages, trends and revisions alone yield no line.
    public mutating func lines(for glance: Glance) -> [String] {
        var report = PlainLine.report(glance)
        let wasDown = told[.link].map { $0 != .linked } ?? false
        if wasDown, !report.contains(where: { $0.topic == .link }) { report.insert(.linked, at: 1) }
        var news: [String] = []
        for line in report where isNews(line) {
            news.append(line.text)
            told[line.topic] = line
        }
        // A topic that is not mentioned any more is news again when it comes back.
        let topics = Set(report.map(\.topic)).union([.link])
        told = told.filter { topics.contains($0.key) }
        return news
    }

    private func isNews(_ line: PlainLine) -> Bool {
        guard let before = told[line.topic], before.judgement == line.judgement else { return true }
        return detail == .values && before.value != line.value
    }
}

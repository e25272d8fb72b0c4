import PoolModel

/// What came back when a watch asked its hub for news, in one sentence.
struct RefreshSummary: Equatable {
    /// The sentence.
    let sentence: String
    /// Whether it reports a problem.
    let isProblem: Bool

    /// - Parameters:
    ///   - reply: The hub's reply.
    ///   - device: The name of the device.
    ///   - milliseconds: How long it took.
    init(_ reply: NewestReply, device: String, milliseconds: Int) {
        var parts: [String] = []
        var isProblem = false
        let newest = reply.readings?.values.pairs.compactMap(\.value.moment).max()
        if let newest {
            parts.append("newest value \(Self.age(newest, at: reply.now)) old")
        } else {
            parts.append(reply.readings == nil ? "no value of \(device) has been received" : "values of unknown age")
            isProblem = true
        }
        if let server = reply.server, let connection = reply.connection, !connection.isConnected {
            parts.append("\(server) not connected for \(Self.age(connection.since, at: reply.now))")
            isProblem = true
        }
        parts.append("answered in \(milliseconds) ms")
        sentence = parts.joined(separator: ", ")
        self.isProblem = isProblem
    }

    private static func age(_ moment: Timestamp, at now: Timestamp) -> String {
        switch max(0, now.milliseconds(since: moment) / 1000) {
        case let seconds where seconds < 60: "\(seconds) s"
        case let seconds where seconds < 3600: "\(seconds / 60) min"
        case let seconds where seconds < 86_400: "\(seconds / 3600) h"
        case let seconds: "\(seconds / 86_400) d"
        }
    }
}

import CommandSupport

/// The part of a child process in a measurement of delivery.
struct DeliveryTask: Codable, Sendable {
    /// Who brings a message from the broker to a watch.
    enum Side: String, Codable, Sendable, CaseIterable {
        /// A hub and a watch.
        case engine
        /// A bare subscriber with a ROUTER, and a bare DEALER.
        case relay
        /// The same, which commits a row to SQLite before it sends.
        case storingRelay
    }

    /// Which end.
    enum Role: String, Codable, Sendable {
        case hub
        case watch
    }

    var side: Side
    var role: Role
    /// Where the broker is.
    var port: Int
    /// A topic of the run's own: what waits at the broker for the ends of earlier runs costs this one nothing.
    var topic: String
    /// A folder of the end's own.
    var folder: String
    var count: Int
    var messages: IngestMessages
    /// How the watch finds the hub: an invitation, or the endpoint of a bare one; the watch's only.
    var address: String?
}

/// A hub is ready for its watch.
struct DeliveryStart: Codable, Sendable {
    var address: String
}

/// A watch is linked and holds what it must know before the first value.
struct DeliveryReady: Codable, Sendable {
    var isLinked = true
}

/// What a watch saw: at which moments it came to hold which message, counted from 1.
struct DeliveryFindings: Codable, Sendable {
    var numbers: [Int] = []
    /// In seconds of the clock that all processes of this machine share.
    var moments: [Double] = []
}

/// The times of one run.
struct DeliveryTimes {
    /// The times from publishing a message until the watch held it or a newer one, in seconds, sorted.
    let sorted: [Double]
    /// The share of the messages that a newer one overtook.
    let overtaken: Double

    /// Judges a run.
    ///
    /// A message that never came by itself counts until the first newer one came: what is left out is not fast.
    ///
    /// - Parameters:
    ///   - published: When each message was published.
    ///   - findings: What the watch saw.
    ///   - warmUp: How many messages at the start do not count.
    /// - Throws: ``CommandFailure`` if the watch saw older messages after newer ones, or not the last one.
    init(_ published: [Double], _ findings: DeliveryFindings, warmUp: Int) throws {
        guard findings.numbers.count == findings.moments.count, findings.numbers.last == published.count,
            zip(findings.numbers, findings.numbers.dropFirst()).allSatisfy(<)
        else {
            throw CommandFailure(
                "the watch of the benchmark did not see \(published.count) messages in their order, but up to number "
                    + "\(findings.numbers.max() ?? 0)")
        }
        var times: [Double] = []
        var seen = 0
        for (index, start) in published.enumerated() {
            while findings.numbers[seen] < index + 1 { seen += 1 }
            if index >= warmUp { times.append(findings.moments[seen] - start) }
        }
        guard let shortest = times.min(), shortest > 0 else {
            throw CommandFailure("a message came before it was published: the clocks of the benchmark differ")
        }
        sorted = times.sorted()
        overtaken = 1 - Double(findings.numbers.count) / Double(published.count)
    }

    /// The time that a share of the messages did not exceed.
    func quantile(_ share: Double) -> Double { sorted[Int(Double(sorted.count - 1) * share)] }
}

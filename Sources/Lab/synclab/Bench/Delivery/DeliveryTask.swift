import CommandSupport

/// The part of a child process in a measurement of delivery.
struct DeliveryTask: Codable, Sendable {
    /// The program that forwards messages from the broker to a watch.
    enum Side: String, Codable, Sendable, CaseIterable {
        /// A hub and a watch.
        case engine
        /// A bare subscriber with a ROUTER, and a bare DEALER.
        case relay
        /// The same, which commits a row to SQLite before it sends.
        case storingRelay
    }

    /// The end of the measured path.
    enum Role: String, Codable, Sendable {
        case hub
        case watch
    }

    var side: Side
    var role: Role
    /// The port of the broker.
    var port: Int
    /// A topic that only this run uses: messages that wait at the broker for earlier runs do not affect this one.
    var topic: String
    /// A separate folder for this end.
    var folder: String
    var count: Int
    var messages: IngestMessages
    /// How the watch finds the hub: an invitation, or the endpoint of a bare hub; nil for the hub itself.
    var address: String?
}

/// A hub is ready for its watch.
struct DeliveryStart: Codable, Sendable {
    var address: String
}

/// A watch is linked and has everything that it needs before the first value.
struct DeliveryReady: Codable, Sendable {
    var isLinked = true
}

/// The times at which a watch received each message, counted from 1.
struct DeliveryFindings: Codable, Sendable {
    var numbers: [Int] = []
    /// In seconds of the clock that all processes of this machine share.
    var moments: [Double] = []
}

/// The times of one run.
struct DeliveryTimes {
    /// The times from publishing a message until the watch had it or a newer one, in seconds, sorted.
    let sorted: [Double]
    /// The share of the messages that a newer one overtook.
    let overtaken: Double

    /// Evaluates a run.
    ///
    /// A message that the watch skipped counts until the next newer one arrived, so that skipped messages do not count
    /// as fast.
    ///
    /// - Parameters:
    ///   - published: When each message was published.
    ///   - findings: What the watch observed.
    ///   - warmUp: How many messages at the start do not count.
    /// - Throws: ``CommandFailure`` if the watch received older messages after newer ones, or did not receive the last
    ///   one.
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

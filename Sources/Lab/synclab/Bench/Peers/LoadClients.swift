import CommandSupport
import Foundation
import PoolControl
import SyncCore
import ZeroMQ

/// The watches of a run: many sockets on one thread, with as little work for each watch as possible.
///
/// All handle each message in the same way, whichever side sent it, so that the hub is what is measured.
struct LoadClients {
    /// The number of watches from which on all sockets are read at fixed times: polling that many costs more.
    private static let manyCount = 50
    private static let lookMicroseconds: UInt32 = 2000
    /// How many watches join at the same time.
    ///
    /// All are one process, and what it cannot do within the five seconds of a handshake begins anew: of 4096 at once most would
    /// never be done.
    private static let joiningMax = 512
    /// The interval at which the engine's deadlines are checked.
    private static let tick = 0.1

    private let workload: Workload
    private let endpoint: Endpoint

    init(_ workload: Workload, endpoint: String) throws {
        self.workload = workload
        self.endpoint = try Endpoint(endpoint)
    }

    func run() throws {
        let context = try Context(maxSockets: workload.watchCount + 64)
        let options = try (0..<workload.watchCount).map { try BenchSockets.watch($0, isRaw: workload.side != .engine) }
        let started = ProcessFacts.now
        var watches: [LoadClient] = []
        var poller = Poller()
        var tally = LoadCounts()
        for (number, one) in options.enumerated() {
            let watch = try LoadClient(context, one, endpoint, isRaw: workload.side != .engine, seed: UInt64(number))
            watch.add(to: &poller)
            watches.append(watch)
            guard watches.count % Self.joiningMax == 0 || watches.count == options.count else { continue }
            try serve(watches, &poller, &tally) { $0.currentCount == watches.count }
        }
        var report = LoadFindings(joinSeconds: ProcessFacts.now - started)
        tally = LoadCounts()
        switch workload.work {
        case .flood:
            try serve(watches, &poller, &tally) { $0.endedCount == watches.count }
        case .rest(let milliseconds):
            let end = ProcessFacts.now + Double(milliseconds) / 1000 + 0.4
            try serve(watches, &poller, &tally) { _ in ProcessFacts.now > end }
        case .ask(let count):
            report.roundTrips = try watches[0].ask(count, &poller)
        case .converse(let count):
            report.roundTrips = try watches[0].converse(count, &poller)
        // Files use other watches.
        case .file: break
        }
        report.deliveryCount = tally.deliveryCount
        report.byteCount = tally.byteCount
        report.seconds = tally.seconds
        PartReport.send(report)
        // A watch that stopped now would make work for the hub, which may still be measuring.
        try serve(watches, &poller, &tally) { _ in false }
    }

    /// Receives for all until something is reached.
    private func serve(
        _ watches: [LoadClient], _ poller: inout Poller, _ tally: inout LoadCounts,
        until isReached: (LoadCounts) -> Bool
    ) throws {
        var nextTick = ProcessFacts.now
        while !isReached(tally) {
            var isQuiet = true
            for watch in watches where try watch.receive(&tally) { isQuiet = false }
            if nextTick < ProcessFacts.now {
                nextTick = ProcessFacts.now + Self.tick
                for watch in watches { try watch.timeReached(&tally) }
            }
            if watches.count >= Self.manyCount {
                usleep(Self.lookMicroseconds)
            } else if isQuiet, !isReached(tally) {
                _ = try poller.wait(timeout: .milliseconds(20))
            }
        }
    }
}

/// What all watches received.
struct LoadCounts {
    /// The times that a watch became current.
    var currentCount = 0
    /// The watches that have seen the end of the flood.
    var endedCount = 0
    private(set) var deliveryCount = 0
    private(set) var byteCount = 0
    private var first: Double?
    private var last = 0.0

    /// The time from the first to the last message.
    var seconds: Double { first.map { last - $0 } ?? 0 }

    /// Notes that some messages of the work came to one watch.
    mutating func delivered(_ count: Int, byteCount: Int) {
        guard count > 0 else { return }
        let now = ProcessFacts.now
        first = first ?? now
        last = now
        deliveryCount += count
        self.byteCount += byteCount
    }
}

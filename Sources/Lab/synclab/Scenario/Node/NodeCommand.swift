import ArgumentParser
import CommandSupport
import Foundation
import Platform
import PoolControl
import SyncCore
import SyncSimulation
import SyncTransport

/// Runs a bare hub or watch, controlled by scenarios and chaos tests.
struct NodeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "node", abstract: "A bare hub or watch for scenarios and chaos.", shouldDisplay: false)

    @Argument(help: "hub or watch")
    var kind: String

    @OptionGroup
    var options: NodeOptions

    func validate() throws {
        guard ["hub", "watch"].contains(kind) else {
            throw ValidationError("the kind is \"\(kind)\", expected hub or watch")
        }
    }

    func run() async throws {
        WallClockOffset.milliseconds = options.clockOffset
        // Orders that come before the node is ready wait.
        let orders = Self.orders()
        let journal = try NodeJournal(path: options.journal)
        let notes = try NodeJournal.notes(path: options.journal)
        try journal.write(NodeJournal.Note(.began))
        if kind == "hub" {
            let hub = try NodeHub(options, journal: journal, notes: notes)
            try await Self.serve(orders, run: { try await hub.run { Self.tell(NodeReport(ready: $0)) } }) {
                try await hub.carryOut($0)
            }
        } else {
            let watch = try await NodeWatch(options, journal: journal, notes: notes)
            Self.tell(NodeReport(ready: "watch"))
            try await Self.serve(orders, run: { try await watch.run() }) { try await watch.carryOut($0) }
        }
    }

    /// Carries out one order after the other until the input ends, which is when the controlling process has ended.
    private static func serve(
        _ orders: AsyncStream<NodeOrder>, run: @escaping @Sendable () async throws -> Void,
        carryOut: @escaping @Sendable (NodeOrder) async throws -> NodeReport
    ) async throws {
        try await withThrowingTaskGroup { group in
            group.addTask { try await run() }
            group.addTask {
                for await order in orders {
                    do {
                        tell(try await carryOut(order))
                    } catch {
                        tell(NodeReport(id: order.id, failure: "\(error)"))
                    }
                }
                throw CancellationError()
            }
            do {
                try await group.waitForAll()
            } catch is CancellationError {
                group.cancelAll()
            }
        }
    }

    private static func tell(_ report: NodeReport) {
        do {
            Output.standard.line(try JSONText.message(report))
        } catch {
            Output.errors.line("synclab: a report cannot be written: \(error)")
        }
    }

    private static func orders() -> AsyncStream<NodeOrder> {
        let (orders, source) = AsyncStream<NodeOrder>.makeStream()
        Thread.detachNewThread {
            let decoder = JSONDecoder()
            while let line = readLine() {
                // A line that is no order has no number for a report.
                guard let order = try? decoder.decode(NodeOrder.self, from: Data(line.utf8)) else { continue }
                source.yield(order)
            }
            source.finish()
        }
        return orders
    }
}

/// The options of a node.
struct NodeOptions: ParsableArguments {
    @Option(help: "The state folder.")
    var state: String

    @Option(help: "The journal.")
    var journal: String

    @Option(help: "The journal of its engine; none without it.")
    var record: String?

    @Option(help: "The milliseconds that its wall clock is ahead.")
    var clockOffset: Int64 = 0

    @Option(help: "Where a hub listens.")
    var endpoint: String?

    @Option(help: "The name of a watch.")
    var name: String?

    @Option(help: "An invitation to accept first.")
    var invitation: String?

    @Option(help: "The oldest version of the records that it reads.")
    var oldest = ScenarioSchema.versions.lowerBound

    @Option(help: "The newest version of the records that it reads.")
    var newest = ScenarioSchema.versions.upperBound

    @Option(help: "The application that a watch names; none if it is empty.")
    var app = ScenarioSchema.app.text

    @Flag(help: "Lose the messages to the hub.")
    var losesOutgoing = false

    @Flag(help: "Lose the messages from the hub.")
    var losesIncoming = false

    /// The versions of the records.
    var versions: ClosedRange<UInt32> {
        get throws {
            guard oldest <= newest else { throw CommandFailure("no version lies between \(oldest) and \(newest)") }
            return oldest...newest
        }
    }

    /// The application name of a watch; nil for none.
    var appName: AppName? {
        get throws {
            if app.isEmpty { return nil }
            guard let name = AppName(app) else { throw CommandFailure("\"\(app)\" is not an application name") }
            return name
        }
    }

    /// The messages to lose from the start; nil for none.
    var cutOrder: NodeOrder? {
        guard losesOutgoing || losesIncoming else { return nil }
        var order = NodeOrder(.cut)
        (order.losesOutgoing, order.losesIncoming) = (losesOutgoing, losesIncoming)
        return order
    }
}

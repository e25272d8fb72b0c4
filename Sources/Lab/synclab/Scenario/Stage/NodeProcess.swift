import CommandSupport
import Foundation
import Platform
import PoolControl

/// A node as a child process, with its orders and reports.
final class NodeProcess: Sendable {
    /// The name of the device.
    let name: String
    private let process: LineProcess
    private let lastOrder = Lock(0)

    /// Starts a node.
    ///
    /// - Parameters:
    ///   - name: The name of the device.
    ///   - program: The path of this program.
    ///   - arguments: The arguments of the command `node`.
    ///   - patience: The time limit for its start, and for an order.
    /// - Throws: ``CommandFailure`` if it cannot be started.
    init(
        name: String, program: String, _ arguments: [String], patience: Duration = LineProcess.usualPatience
    ) throws {
        self.name = name
        process = try LineProcess(
            program, ["node"] + arguments,
            environment: LocalTools.childEnvironment(ProcessInfo.processInfo.environment, of: .poolsensors),
            patience: patience)
    }

    /// Waits until it is ready; only one caller may wait.
    ///
    /// Returns the endpoint of a hub.
    ///
    /// - Throws: ``NodeLoss`` if it ends before, or takes too long.
    func ready() async throws -> String {
        try await report(to: "start") { $0.ready != nil }.ready ?? ""
    }

    /// Gives an order and waits for its report.
    ///
    /// - Throws: ``CommandFailure`` with the node's error; ``NodeLoss`` if it has ended, or takes too long.
    @discardableResult
    func tell(_ order: NodeOrder) async throws -> NodeReport {
        let number = lastOrder.withLock { last in
            last += 1
            return last
        }
        var order = order
        order.id = number
        process.tell(try JSONText.message(order))
        let report = try await report(to: order.action.rawValue) { $0.id == number }
        if let failure = report.failure { throw CommandFailure("\(name): \(failure)") }
        return report
    }

    private func report(
        to question: String, where isWanted: @escaping @Sendable (NodeReport) -> Bool
    ) async throws -> NodeReport {
        do {
            return try await process.answer { line in
                // A line that is no report is ignored.
                let report = try? JSONDecoder().decode(NodeReport.self, from: Data(line.utf8))
                return report.flatMap { isWanted($0) ? $0 : nil }
            }
        } catch let loss as LineProcess.Loss {
            throw NodeLoss(loss, of: name, to: question)
        }
    }

    /// Whether it is suspended.
    var isSuspended: Bool { process.isSuspended }

    /// Suspends it; it is not expected to answer before it continues.
    func suspend() { process.suspend() }

    /// Lets it continue.
    func resume() { process.resume() }

    /// Kills it and waits for its end.
    ///
    /// - Returns: How it had ended by itself before; nil if this call ended it.
    @discardableResult
    func kill() async -> ChildProcess.End? { await process.kill() }
}

import ArgumentParser
import CommandSupport
import PoolControl
import PoolModel

/// The flag of commands that test a connection before they store it.
struct ServerTrialOptions: ParsableArguments {
    @Flag(help: "Do not test the connection first.")
    var noTest = false

    /// Tests the connection that a server would have after a patch.
    ///
    /// - Parameters:
    ///   - server: The server; nil for one that is to be added.
    ///   - patch: The patch.
    ///   - context: The command.
    /// - Throws: ``CommandFailure`` if it does not work; with the exit code of `server test`.
    func test(_ server: Server?, _ patch: ServerPatch, in context: CommandContext) async throws {
        guard !noTest else { return }
        let tried = try context.meant {
            try server.map { patch.applied(to: $0) } ?? patch.server(id: ServerID(high: 0, low: 0))
        }
        let address = tried.address
        if Output.errors.isTerminal { Output.errors.line(PlainText.oneLine("testing the connection to \(address) …")) }
        let result: ServerTestResult
        do {
            result = try await context.ask(.tryServer(server?.id, patch))
        } catch let failure as CommandFailure where failure.description == HubReply.unknownCommandWords {
            // A hub of an earlier version still runs.
            return Output.errors.line("poolsensors: the connection was not tested: \(failure)")
        }
        guard result.code != .success else { return }
        let report = ServerTestReport(server: address, result)
        let cause = result.code == .failed ? result.reason ?? report.sentence : report.sentence
        let (done, way) = server == nil ? ("added", "add") : ("changed", "change")
        throw CommandFailure(
            "the test of \(address) failed (\(cause)), so the server \"\(server?.name ?? tried.name)\" was not "
                + "\(done): correct what is wrong, or \(way) it untested with --no-test",
            exitStatus: report.exitStatus)
    }
}

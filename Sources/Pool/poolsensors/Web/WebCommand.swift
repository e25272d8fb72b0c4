import ArgumentParser
import CommandSupport
import Foundation

/// Starts the page, which is a program of its own.
struct WebCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "web", abstract: "The page for browsers: serves it, and manages its accounts and certificate.",
        discussion: """
            It runs `poolsensors-web`, which lies beside this program, with the same
            options. See `poolsensors web --help`, `poolsensors web account --help` and
            `poolsensors web certificate --help`.

            Example:
              poolsensors web
              poolsensors web account list
            """)

    /// The program of the page.
    static let program = "poolsensors-web"

    @Argument(
        parsing: .captureForPassthrough, help: ArgumentHelp("As `poolsensors-web` takes them.", valueName: "options"))
    var arguments: [String] = []

    func run() async throws {
        let path = try LocalTools.path(beside: Self.program)
        let context = try CommandContext(flags: [:], config: nil, environment: ProcessInfo.processInfo.environment)
        // The page reads no configuration file.
        let root = try context.folders.root
        _ = unsafe setenv("POOLSENSORS_STATE", root, 1)
        if let units = context.settings.text(of: Catalog.units.entry).text {
            _ = unsafe setenv(Catalog.units.entry.variable, units, 1)
        }
        var words: [UnsafeMutablePointer<CChar>?] = unsafe ([Self.program] + arguments).map { unsafe strdup($0) }
        unsafe words.append(nil)
        // It returns only if it fails; the copies of the words belong to the new program.
        _ = unsafe execv(path, words)
        throw CommandFailure("\(path) cannot be started: \(SystemErrorText.of(number: errno))")
    }
}

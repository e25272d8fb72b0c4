import ArgumentParser
import CommandSupport
import PoolControl
import Testing

@testable import poolsensors

@Suite struct ReportTests {
    private func error(of arguments: [String]) throws -> any Error {
        try #require(throws: (any Error).self) { _ = try PoolSensors.parseAsRoot(arguments) }
    }

    @Test(arguments: [
        ["bogus"], ["server", "add"], ["probe", "--count", "0"], ["watch", "--once", "--follow"], ["device", "select"],
        ["hub", "--nonsense"], ["demo", "--for", "soon"], ["server", "test"],
    ])
    func `a wrong command line ends with 64 and one line that says what is wrong`(arguments: [String]) throws {
        let report = Report(try error(of: arguments))

        #expect(report.exitStatus == 64)
        #expect(report.output == nil)
        let line = try #require(report.error)
        #expect(line.hasPrefix("poolsensors: "))
        #expect(!line.contains("\n"))
    }

    @Test(arguments: [
        (["server", "add"], "Missing expected argument '--name <name>'; see `poolsensors server add --help`"),
        (["hub", "--lisen"], "Unknown option '--lisen'. Did you mean '--listen'? See `poolsensors hub --help`"),
        (
            ["server", "add", "--name", "x", "--host", "y", "--password", "swordfish"],
            "Unknown option '--password': use --password-file or --password-stdin, because every user of the machine can "
                + "read arguments; see `poolsensors server add --help`"
        ),
        (
            ["server", "test", "--host", "y", "--password=swordfish"],
            "Unknown option '--password': use --password-file or --password-stdin, because every user of the machine can "
                + "read arguments; see `poolsensors server test --help`"
        ),
        (
            ["config", "export", "x", "--passphrase", "swordfish"],
            "Unknown option '--passphrase': use --passphrase-file or --passphrase-stdin, because every user of the machine "
                + "can read arguments; see `poolsensors config export --help`"
        ),
        (
            ["alerts", "settings", "--secret", "swordfish"],
            "Unknown option '--secret': use --webhook-secret-file or --webhook-secret-stdin, "
                + "because every user of the machine can read arguments; see `poolsensors alerts settings --help`"
        ),
        (
            ["server", "add", "--name", "x", "--host", "y", "--user", "me"],
            "Unknown option '--user': use --username; see `poolsensors server add --help`"
        ),
        (
            ["server", "add", "--name", "x", "--host", "y", "--cert", "me.pem"],
            "Unknown option '--cert': use --client-cert; see `poolsensors server add --help`"
        ),
        (
            ["history", "export", "--file", "x.csv"],
            "Unknown option '--file': use --out; see `poolsensors history export --help`"
        ),
        (
            ["history", "list", "--since", "2026-06-01"],
            "Unknown option '--since': use --from or --last; see `poolsensors history list --help`"
        ),
        (
            ["server", "test", "--host", "y", "--pass", "swordfish"],
            "Unknown option '--pass': use --password-file or --password-stdin, because every user of the machine can read "
                + "arguments; see `poolsensors server test --help`"
        ),
        (
            ["limits", "set", "ph", "6.8", "7", "7.6", "7.8", "Lagoon"],
            "The value 'Lagoon' is invalid for '<number>': expected a number in digits, such as 7.2; did you mean --device "
                + "Lagoon or --pool Lagoon?"
        ),
        (
            ["device", "add", "Lagoon", "--name", "x", "--topic", "y"],
            "Unexpected argument 'Lagoon'; did you mean --pool Lagoon or --server Lagoon or --name Lagoon? See `poolsensors device add --help`"
        ),
        (["device", "list", "x"], "Unexpected argument 'x'; see `poolsensors device list --help`"),
        (["device", "show"], "Missing expected argument '<device>'; see `poolsensors device show --help`"),
        (["alerts", "--log", "-3"], "--log has no value: -3 looks like an option; write --log=-3 if it is the value"),
        (
            ["config", "restore", "x"],
            "The value 'x' is invalid for '<revision>'; see `poolsensors config restore --help`"
        ),
        (["alerts", "--log"], "Missing value for '--log <count>'; see `poolsensors alerts list --help`"),
        (["alerts", "--log=-3"], "the log has 0 to 10000 notices, not -3"),
        (["limits", "set", "ph", "6.8", "7", "76", "78", "--device", "x"], "a limit of pH is 76, expected 0 to 14"),
        (
            ["limits", "set", "ph", "7", "6.8", "7.6", "7.8", "--device", "x"],
            "the limits of pH would be 7, 6.8, 7.6, 7.8: they must rise, critical low ≤ low < high ≤ critical high"
        ),
        (["watch", "limits", "x", "chlorine", "--low", "-5"], "a limit of Chlorine is -5, expected 0 to 40"),
        (
            ["pool", "add", "--name", "x", "--volume", "much"],
            "The value 'much' is invalid for '--volume <volume>': expected a number in digits, such as 7.2"
        ),
    ])
    func `a wrong command line is answered with the thing, the value and the way out`(
        arguments: [String], text: String
    ) throws {
        #expect(Report(try error(of: arguments), arguments: arguments).error == "poolsensors: \(text)")
    }

    @Test func `help is what was asked for, on standard output`() throws {
        var command = try PoolSensors.parseAsRoot(["hub", "--help"])
        let report = Report(try #require(throws: (any Error).self) { try command.run() })

        #expect(report.exitStatus == 0)
        #expect(report.error == nil)
        #expect(try #require(report.output).hasPrefix("OVERVIEW: Runs the hub"))
    }

    @Test func `a failure is one line and ends with 1`() {
        let report = Report(CommandFailure("the pool\nis empty"))

        #expect(report.exitStatus == 1)
        #expect(report.error == "poolsensors: the pool\u{FFFD}is empty")
    }

    @Test func `a status alone says nothing`() {
        let report = Report(ExitCode(3))

        #expect(report.exitStatus == 3)
        #expect(report.error == nil)
        #expect(report.output == nil)
    }

    @Test func `a wrong flag is a usage error, a wrong variable is not`() throws {
        func report(flags: [String: String], _ environment: [String: String]) throws -> Report {
            let settings = Settings(flags: flags, environment: environment, file: nil)
            return Report(try #require(throws: SettingError.self) { _ = try settings.value(of: Catalog.logLevel) })
        }

        #expect(try report(flags: ["log.level": "x"], [:]).exitStatus == 64)
        #expect(try report(flags: [:], ["POOLSENSORS_LOG_LEVEL": "x"]).exitStatus == 1)
    }

    @Test(arguments: [
        (["statsu"], "`poolsensors` has no command `statsu`; did you mean `poolsensors status`?"),
        (["help", "statsu"], "`poolsensors` has no command `statsu`; did you mean `poolsensors status`?"),
        (["device", "lst"], "`poolsensors device` has no command `lst`; did you mean `poolsensors device list`?"),
        (["alerts", "acq", "1"], "`poolsensors alerts` has no command `acq`; did you mean `poolsensors alerts ack`?"),
        (["watch", "pear"], "`poolsensors watch` has no command `pear`; did you mean `poolsensors watch pair`?"),
        (["pool", "something"], "`poolsensors pool` has no command `something`; there are: add, edit, list, remove"),
        (["bench"], "`bench` is a command of another program now, which lies beside this one: `synclab bench`"),
    ])
    func `a command that does not exist is answered with the nearest one`(arguments: [String], text: String) throws {
        let failure = try #require(throws: CommandFailure.self) { _ = try CommandLines.completed(arguments) }
        #expect(failure.description == text && failure.exitStatus == .usage)
    }

    @Test func `an error is an object where JSON is wanted`() {
        let report = Report(CommandFailure("no \"Nope\"\nhere", exitStatus: .notFound)).inJSON
        #expect(report.error == "{\"error\":{\"code\":5,\"message\":\"no \\\"Nope\\\"\u{FFFD}here\"}}")
        #expect(report.exitStatus == 5)
        #expect(Report(ExitCode(3)).inJSON.error == nil)
    }

    @Test func `the own options of a command come before those that it shares`() {
        let head = "OVERVIEW: x\n\nUSAGE: y\n\nARGUMENTS:\n  <a>\n\n"
        let (shared, own) = ("COMMON OPTIONS:\n  --state\n\n", "OPTIONS:\n  --own\n\n")
        let tail = "SUBCOMMANDS:\n  s\n"
        #expect(HelpText.arranged(head + shared + own + tail) == head + own + shared + tail)
        #expect(HelpText.arranged("OVERVIEW: x\n") == "OVERVIEW: x\n")
    }

    @Test(arguments: [
        (["watch", "--help"], ["watch", "run", "--help"]), (["watch", "run", "-h"], ["watch", "run", "-h"]),
        (["watch", "pair", "--help"], ["watch", "pair", "--help"]), (["watch", "--once"], ["watch", "--once"]),
        (["watch", "rename", "--help"], ["watch", "rename", "--help"]),
        (["watch", "alerts", "list", "-h"], ["watch", "alerts", "list", "-h"]),
        (["hub", "--help"], ["hub", "run", "--help"]), (["hub", "backup", "-h"], ["hub", "backup", "-h"]), ([], []),
        (["calibrate", "Lagoon", "ph"], ["calibrate", "Lagoon", "ph"]),
        (["alerts", "acknowledge", "1"], ["alerts", "acknowledge", "1"]),
        (["config", "--", "x"], ["config", "--", "x"]),
    ])
    func `the help of hub and of watch is the help of what they do`(arguments: [String], completed: [String]) throws {
        #expect(try CommandLines.completed(arguments) == completed)
    }
}

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
        (["watch", "--help"], ["watch", "run", "--help"]), (["watch", "run", "-h"], ["watch", "run", "-h"]),
        (["watch", "pair", "--help"], ["watch", "pair", "--help"]), (["watch", "--once"], ["watch", "--once"]),
        (["watch", "rename", "--help"], ["watch", "rename", "--help"]),
        (["watch", "alerts", "list", "-h"], ["watch", "alerts", "list", "-h"]),
        (["hub", "--help"], ["hub", "--help"]), ([], []),
    ])
    func `the help of watch is the help of what it does`(arguments: [String], completed: [String]) throws {
        #expect(try CommandLines.completed(arguments) == completed)
    }
}

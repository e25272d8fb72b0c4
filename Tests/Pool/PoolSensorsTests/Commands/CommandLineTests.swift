import ArgumentParser
import CommandSupport
import Foundation
import PoolControl
import PoolModel
import ProgramFixture
import TestSupport
import Testing

@testable import poolsensors

/// Every command line in the documentation.
@Suite struct CommandLineTests {
    private let commands = PageCommands(of: "poolsensors")

    @Test func `the pages name commands`() throws {
        #expect(try commands.inPages.count > 80)
        #expect(PageCommands.words(#"poolsensors a 'b c' "d"  # e"#) == ["poolsensors", "a", "b c", "d"])
    }

    @Test func `P98 the pages say on what the program runs, by which library and under which licence`() throws {
        let page = try String(contentsOf: Repository.url("README.md"), encoding: .utf8)
        for word in ["Swift 6.3 on Linux", "libmosquitto", "MIT licence"] { #expect(page.contains(word), "\(word)") }
        let package = try String(contentsOf: Repository.url("Package.swift"), encoding: .utf8)
        #expect(package.hasPrefix("// swift-tools-version: 6.3"))
        let licence = try String(contentsOf: Repository.url("LICENSE"), encoding: .utf8)
        #expect(licence.hasPrefix("MIT License"))
    }

    @Test func `the version is one of semantic versioning, and is asked for by a flag`() throws {
        let error = #expect(throws: (any Error).self) { _ = try PoolSensors.parseAsRoot(["--version"]) }
        let report = Report(try #require(error))
        #expect(report.output == Release.version && report.exitStatus == 0)
        #expect(Release.version.wholeMatch(of: /\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?/) != nil)
    }

    @Test func `each command line in the pages is one that the program takes`() throws {
        for line in try commands.inPages {
            guard let arguments = PageCommands.arguments(line) else { continue }
            do {
                _ = try PoolSensors.parseAsRoot(arguments)
            } catch {
                // One that asks for the version or a completion ends the parsing, and well.
                #expect(PoolSensors.exitCode(for: error) == .success, "\(line)")
            }
        }
    }

    @Test func `each command line for the service is one that the program takes`() throws {
        let lines = try GuidePage.names.flatMap { try GuidePage(named: $0).blocks }
            .filter { $0.kind == .needs(.systemd) }.flatMap(\.lines).filter { $0.hasPrefix("pool ") }
        #expect(lines.count > 8)
        for line in lines {
            let arguments = try #require(PageCommands.arguments(line), "\(line)")
            #expect(throws: Never.self, "\(line)") { _ = try PoolSensors.parseAsRoot(arguments) }
        }
    }

    @Test func `each example in the help of a command is one that the program takes`() throws {
        let all = commands.inHelp(of: PoolSensors.self)

        #expect(all.count > 40)
        for line in all {
            guard let arguments = PageCommands.arguments(line) else { continue }
            #expect(throws: Never.self, "\(line)") { _ = try PoolSensors.parseAsRoot(arguments) }
        }
    }
}

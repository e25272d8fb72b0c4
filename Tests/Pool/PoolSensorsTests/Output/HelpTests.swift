import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import poolsensors

/// The help of each command, as it is shown on a terminal of 80 columns; BLESS=1 in the environment rewrites the files.
@Suite struct HelpTests {
    /// A command and the words that lead to it, with dashes between them.
    struct Entry {
        var name: String
        var command: any ParsableCommand.Type
    }

    /// All commands that are shown, found by going through the tree from the root.
    static let commands: [Entry] =
        [Entry(name: "poolsensors", command: PoolSensors.self)] + entries(below: PoolSensors.self, path: [])

    private static func entries(below parent: any ParsableCommand.Type, path: [String]) -> [Entry] {
        var entries: [Entry] = []
        for command in parent.configuration.subcommands where command.configuration.shouldDisplay {
            let words = path + [command.configuration.commandName ?? "\(command)"]
            entries.append(Entry(name: words.joined(separator: "-"), command: command))
            entries += Self.entries(below: command, path: words)
        }
        return entries
    }

    @Test(arguments: commands.map(\.name))
    func `the help is as it was agreed`(name: String) throws {
        let command = try #require(Self.commands.first { $0.name == name }).command
        let help = PoolSensors.helpMessage(for: command, columns: 80) + "\n"
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Snapshots/\(name).txt")
        if ProcessInfo.processInfo.environment["BLESS"] == "1" {
            try help.write(to: file, atomically: true, encoding: .utf8)
        }

        #expect(help == (try String(contentsOf: file, encoding: .utf8)))
    }

    @Test func `no file is left of a command that is gone`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Snapshots")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)

        #expect(Set(files) == Set(Self.commands.map { "\($0.name).txt" }))
    }
}

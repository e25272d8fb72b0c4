import ArgumentParser
import CommandSupport
import Foundation
import ProgramFixture
import TestSupport
import Testing

@testable import poolsensors

/// What all commands have in common, found by going through the tree from the root.
@Suite struct CommandTreeTests {
    /// The commands that print no JSON, and why.
    private static let withoutJSON = [
        "demo": "it is watched",
        "console": "it has only screens",
        "calibrate wizard": "it asks a person; `calibrate add` is its form for programs",
        "guard": "it prints nothing of its own",
        "web": "it becomes another program, whose commands have their own options",
    ]

    @Test func `each command that prints something or changes something prints JSON, in one line or in several`() {
        let leaves = CommandLeaf.all(of: PoolSensors.self)
        #expect(leaves.count > 60)
        for leaf in leaves where Self.withoutJSON[leaf.path] == nil {
            let help = PoolSensors.helpMessage(for: leaf.command, includeHidden: true)
            for flag in JSONOptions.names { #expect(help.contains("  \(flag) "), "\(leaf.path) has no \(flag)") }
        }
        let paths = Set(leaves.map(\.path))
        for path in Self.withoutJSON.keys { #expect(paths.contains(path), "\(path) does not exist") }
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `completions are written for each command`(shell: String) async throws {
        let folder = try TemporaryFolder()
        let (end, lines) = try await Program.run(["--generate-completion-script", shell], in: folder)
        #expect(end == .exited(0))
        let script = lines.joined(separator: "\n")
        for page in HelpPage.all(of: PoolSensors.self) {
            // zsh and bash name a function by the words of the command, fish lists them.
            let word = page.name.split(separator: "-").last.map(String.init) ?? ""
            let name = shell == "fish" ? word : page.name.replacing("-", with: "_")
            #expect(script.contains(name), "\(page.name)")
        }
        guard shell == "bash" else { return }
        try script.write(toFile: folder.path("script"), atomically: true, encoding: .utf8)
        let check = try await Program.run(["-n", folder.path("script")], in: folder, program: "/bin/bash")
        #expect(check.end == .exited(0), "\(check.lines)")
    }

    @Test func `the tool for man pages is told of each command, with what it does`() async throws {
        struct Command: Decodable {
            var commandName: String
            var abstract: String?
            var subcommands: [Command]?

            /// The commands below this one and itself, with the words that lead to them.
            func all(below path: [String] = []) -> [(path: [String], command: Command)] {
                let words = path + [commandName]
                return [(words, self)] + (subcommands ?? []).flatMap { $0.all(below: words) }
            }
        }
        struct Tree: Decodable { var command: Command }

        let folder = try TemporaryFolder()
        let (end, lines) = try await Program.run(["--experimental-dump-help"], in: folder)
        #expect(end == .exited(0))
        let tree = try JSONDecoder().decode(Tree.self, from: Data(lines.joined(separator: "\n").utf8))
        let told = tree.command.all()
        for (path, command) in told where path.last != "help" {
            #expect(command.abstract?.isEmpty == false, "\(path) does not say what it does")
        }
        let paths = Set(told.map { $0.path.dropFirst().joined(separator: " ") })
        for leaf in CommandLeaf.all(of: PoolSensors.self) { #expect(paths.contains(leaf.path), "\(leaf.path)") }
    }
}

/// A command without commands below it.
struct CommandLeaf {
    /// The words that lead to it.
    var path: String
    /// It.
    var command: any ParsableCommand.Type

    /// All below a command.
    static func all(of parent: any ParsableCommand.Type, path: [String] = []) -> [CommandLeaf] {
        parent.configuration.subcommands.flatMap { command -> [CommandLeaf] in
            let words = path + [command._commandName]
            guard command.configuration.subcommands.isEmpty else { return all(of: command, path: words) }
            return [CommandLeaf(path: words.joined(separator: " "), command: command)]
        }
    }
}

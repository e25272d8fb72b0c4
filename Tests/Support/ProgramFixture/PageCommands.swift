package import ArgumentParser
import Foundation
import TestSupport

/// The command lines of a program that pages and helps name.
package struct PageCommands {
    private let program: String

    /// - Parameter program: The name of the program.
    package init(of program: String) {
        self.program = program
    }

    /// The command lines in the code blocks of README.md and of the pages in Docs and its folders.
    ///
    /// Those of sessions (`console`) are not among them: some are wrong on purpose. The guide's are run, see ``GuidePage``.
    package var inPages: [String] {
        get throws {
            let docs = Repository.url("Docs")
            let pages = try FileManager.default.subpathsOfDirectory(atPath: docs.path).filter { $0.hasSuffix(".md") }
                .sorted().map { docs.appending(path: $0) }
            return try ([Repository.url("README.md")] + pages).flatMap { page in
                commands(
                    in: try String(contentsOf: page, encoding: .utf8).replacing(/(?s)```console\n.*?\n```/, with: ""))
            }
        }
    }

    /// The command lines in the help of a command and of those below it.
    package func inHelp(of command: any ParsableCommand.Type) -> [String] {
        commands(in: command.configuration.discussion)
            + command.configuration.subcommands.flatMap { inHelp(of: $0) }
    }

    /// The lines of a text that are commands; one that goes on after a backslash is one.
    private func commands(in text: String) -> [String] {
        text.replacing(/\\\n */, with: "").split(separator: "\n").compactMap { line in
            let command = line.drop { $0 == " " || $0 == "$" }
            return command.hasPrefix("\(program) ") ? String(command) : nil
        }
    }

    /// What the program gets of a command line; nil where a part of it only stands for something else.
    package static func arguments(_ line: String) -> [String]? {
        // What follows is for the shell, or a remark.
        let words = words(line).dropFirst().prefix { !["|", "||", "<", ">", "&&"].contains($0) && !$0.hasPrefix("(") }
        return words.contains { $0.contains("…") || $0.contains("$(") } ? nil : Array(words)
    }

    /// The words of a command line as a shell passes them: quotation marks and a comment at the end are understood.
    package static func words(_ line: String) -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        for character in line {
            if let open = quote {
                if character == open { quote = nil } else { word = (word ?? "") + String(character) }
            } else if character == "'" || character == "\"" {
                quote = character
                word = word ?? ""
            } else if character == " " {
                if let complete = word { words.append(complete) }
                word = nil
            } else if character == "#", word == nil {
                return words
            } else {
                word = (word ?? "") + String(character)
            }
        }
        return words + [word].compactMap(\.self)
    }
}

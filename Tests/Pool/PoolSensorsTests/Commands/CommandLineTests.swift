import ArgumentParser
import Foundation
import PoolModel
import TestSupport
import Testing

@testable import poolsensors

/// Every command line that the pages name.
@Suite struct CommandLineTests {
    static let root = Repository.url

    /// The command lines in the code blocks of README.md and of the pages in Docs.
    static var lines: [String] {
        get throws {
            let docs = root.appending(path: "Docs")
            let pages = try FileManager.default.contentsOfDirectory(atPath: docs.path).filter { $0.hasSuffix(".md") }
                .sorted().map { docs.appending(path: $0) }
            return try ([root.appending(path: "README.md")] + pages).flatMap { page in
                commands(in: try String(contentsOf: page, encoding: .utf8))
            }
        }
    }

    /// The lines of a text that are commands; one that goes on after a backslash is one.
    static func commands(in text: String) -> [String] {
        text.replacing(/\\\n */, with: "").split(separator: "\n").compactMap { line in
            let command = line.drop { $0 == " " || $0 == "$" }
            return command.hasPrefix("poolsensors ") ? String(command) : nil
        }
    }

    /// What the program gets of a command line; nil where a part of it only stands for something else.
    static func arguments(_ line: String) -> [String]? {
        // What follows is for the shell, or a remark.
        let words = words(line).dropFirst().prefix { !["|", "||", ">", "&&"].contains($0) && !$0.hasPrefix("(") }
        return words.contains { $0.contains("…") || $0.contains("$(") } ? nil : Array(words)
    }

    /// The words of a command line as a shell passes them: quotation marks and a comment at the end are understood.
    static func words(_ line: String) -> [String] {
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

    @Test func `the pages name commands`() throws {
        #expect(try Self.lines.count > 15)
        #expect(Self.words(#"poolsensors a 'b c' "d"  # e"#) == ["poolsensors", "a", "b c", "d"])
    }

    @Test func `P98 the pages say on what the program runs, by which library and under which licence`() throws {
        let page = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
        for word in ["Swift 6.3 on Linux", "libmosquitto", "MIT licence"] { #expect(page.contains(word), "\(word)") }
        let package = try String(contentsOf: Self.root.appending(path: "Package.swift"), encoding: .utf8)
        #expect(package.hasPrefix("// swift-tools-version: 6.3"))
        let licence = try String(contentsOf: Self.root.appending(path: "LICENSE"), encoding: .utf8)
        #expect(licence.hasPrefix("MIT License"))
    }

    @Test func `the version is one of semantic versioning, and is asked for by a flag`() throws {
        let error = #expect(throws: (any Error).self) { _ = try PoolSensors.parseAsRoot(["--version"]) }
        let report = Report(try #require(error))
        #expect(report.output == Release.version && report.exitStatus == 0)
        #expect(Release.version.wholeMatch(of: /\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?/) != nil)
    }

    @Test func `each command line in the pages is one that the program takes`() throws {
        for line in try Self.lines {
            guard let arguments = Self.arguments(line) else { continue }
            #expect(throws: Never.self, "\(line)") { _ = try PoolSensors.parseAsRoot(arguments) }
        }
    }

    @Test func `each example in the help of a command is one that the program takes`() throws {
        func examples(of command: any ParsableCommand.Type) -> [String] {
            Self.commands(in: command.configuration.discussion)
                + command.configuration.subcommands.flatMap { examples(of: $0) }
        }
        let all = examples(of: PoolSensors.self)

        #expect(all.count > 40)
        for line in all {
            guard let arguments = Self.arguments(line) else { continue }
            #expect(throws: Never.self, "\(line)") { _ = try PoolSensors.parseAsRoot(arguments) }
        }
    }
}

import Foundation
import TestSupport

/// A page of Docs/guide: what it begins with, and its blocks of code from top to bottom.
///
/// The word behind three backquotes says what a block is:
///
/// | block | what the tests do with it |
/// |---|---|
/// | `sh` | they run it; it must end with 0 |
/// | `sh terminal` | each line is a command that runs on, in a terminal of its own |
/// | `sh stopped` | they end all terminals, then run it |
/// | `sh watch-machine` | they run it in another home, as on another machine; files of the first one are there |
/// | `sh needs-…` | they only read it: it needs what ``Need`` names |
/// | `console` | they type each line with `$` and look for the lines below it in what is printed |
/// | `text`, `json`, `yaml`, `ini`, `csv` | nothing: it holds no command |
///
/// A page that builds on another one says so in a line that begins with `Before this page:`.
package struct GuidePage: Sendable {
    /// What a command needs that no test has.
    package enum Need: String, CaseIterable, Sendable {
        case administrator, compiler
        case homeAssistant = "home-assistant"
        case network, person, systemd
    }

    /// What is done with a block.
    package enum Kind: Equatable, Sendable {
        case run, terminal, stopped, watchMachine, session, text
        case needs(Need)
    }

    /// A block of code.
    package struct Block: Sendable {
        /// What is done with it.
        package var kind: Kind
        /// The number of its first line of code in the page.
        package var line: Int
        /// Its lines.
        package var lines: [String]
    }

    /// A command of a session, with the lines that it prints.
    package struct Step: Equatable, Sendable {
        /// What is typed.
        package var command: String
        /// What is printed; `…` stands for anything.
        package var printed: [String]

        /// Creates a step.
        package init(command: String, printed: [String]) {
            self.command = command
            self.printed = printed
        }
    }

    /// What is wrong with a page.
    package struct Fault: Error, CustomStringConvertible {
        /// The page, the line, and what is wrong there.
        package let description: String
    }

    /// The programs whose command lines belong into blocks.
    private static let programs = ["poolsensors", "tars", "rides", "imt", "mosquitto_pub", "mosquitto_sub"]

    /// The name of its file.
    package let name: String
    /// The page on which it builds; nil for none.
    package let before: String?
    /// Its blocks.
    package let blocks: [Block]
    /// The command lines that stand in no block that the tests know.
    package let strayCommands: [String]

    /// The names of all pages of the guide.
    package static var names: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: Repository.url("Docs/guide").path)
                .filter { $0.hasSuffix(".md") }.sorted()
        }
    }

    /// Reads a page of the guide.
    ///
    /// - Throws: ``Fault`` if a block is of no known kind; what is wrong with the file.
    package init(named name: String) throws {
        try self.init(
            named: name, text: String(contentsOf: Repository.url("Docs/guide/\(name)"), encoding: .utf8))
    }

    /// Reads the text of a page.
    ///
    /// - Throws: ``Fault`` if a block is of no known kind, or has no end.
    package init(named name: String, text: String) throws {
        self.name = name
        before = text.firstMatch(of: /(?m)^Before this page: .*\]\(([a-z-]+\.md)\)/).map { String($0.1) }
        var blocks: [Block] = []
        var stray: [String] = []
        var open: Block?
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.hasPrefix("```") {
                if let block = open {
                    blocks.append(block)
                    open = nil
                } else {
                    let word = line.dropFirst(3).trimmingCharacters(in: .whitespaces)
                    guard let kind = Self.kind(word) else {
                        throw Fault(description: "\(name):\(index + 1): \"\(word)\" is no kind of block")
                    }
                    open = Block(kind: kind, line: index + 2, lines: [])
                }
            } else if open != nil {
                open?.lines.append(String(line))
            }
            if open?.kind ?? .text == .text, Self.isCommand(line) { stray.append(String(line)) }
        }
        if let open { throw Fault(description: "\(name):\(open.line - 1): the block has no end") }
        (self.blocks, strayCommands) = (blocks, stray)
    }

    private static func kind(_ word: String) -> Kind? {
        switch word {
        case "sh": .run
        case "sh terminal": .terminal
        case "sh stopped": .stopped
        case "sh watch-machine": .watchMachine
        case "console": .session
        case "text", "json", "yaml", "ini", "csv": .text
        default: word.hasPrefix("sh needs-") ? Need(rawValue: String(word.dropFirst(9))).map { .needs($0) } : nil
        }
    }

    private static func isCommand(_ line: Substring) -> Bool {
        let text = line.drop { $0 == " " || $0 == "$" }
        return programs.contains { text.hasPrefix("\($0) ") }
    }
}

extension GuidePage.Block {
    /// The commands of a session with what they print.
    package var steps: [GuidePage.Step] {
        var steps: [GuidePage.Step] = []
        for line in lines {
            if line.hasPrefix("$ ") {
                steps.append(GuidePage.Step(command: String(line.dropFirst(2)), printed: []))
            } else if let last = steps.indices.last {
                steps[last].printed.append(line)
            }
        }
        return steps
    }
}

extension String {
    fileprivate func trimming(suffix: String) -> String { hasSuffix(suffix) ? String(dropLast(suffix.count)) : self }
}

extension GuidePage.Step {
    /// The first line that is not among those that were printed, in this order; nil if all are.
    ///
    /// The lines of CSV end with a carriage return, which is not looked at.
    package func missing(in lines: [String]) -> String? {
        var rest = lines[...]
        for wanted in printed {
            guard let index = rest.firstIndex(where: { Self.matches($0.trimming(suffix: "\r"), wanted) }) else {
                return wanted
            }
            rest = rest[(index + 1)...]
        }
        return nil
    }

    private static func matches(_ line: String, _ pattern: String) -> Bool {
        let parts = pattern.components(separatedBy: "…")
        guard parts.count > 1, let first = parts.first, let last = parts.last else { return line == pattern }
        guard line.hasPrefix(first), line.hasSuffix(last), line.count >= first.count + last.count else { return false }
        var rest = line.dropFirst(first.count).dropLast(last.count)
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let range = rest.range(of: part) else { return false }
            rest = rest[range.upperBound...]
        }
        return true
    }
}

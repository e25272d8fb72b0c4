package import ArgumentParser
import CommandSupport
package import Foundation

/// The help of a command as it was agreed: a file with what a terminal of 80 columns shows.
///
/// BLESS=1 in the environment rewrites the files.
package struct HelpPage {
    /// The words that lead to the command, with dashes between them.
    package let name: String
    private let command: any ParsableCommand.Type

    /// The pages of all commands that are shown, found by going through the tree from the root.
    package static func all(of root: any ParsableCommand.Type) -> [HelpPage] {
        [HelpPage(name: root._commandName, command: root)] + pages(below: root, path: [])
    }

    private static func pages(below parent: any ParsableCommand.Type, path: [String]) -> [HelpPage] {
        var pages: [HelpPage] = []
        for command in parent.configuration.subcommands where command.configuration.shouldDisplay {
            let words = path + [command._commandName]
            pages.append(HelpPage(name: words.joined(separator: "-"), command: command))
            pages += Self.pages(below: command, path: words)
        }
        return pages
    }

    /// The help of a command as it is, and as it was agreed.
    ///
    /// - Parameters:
    ///   - root: The root of the commands.
    ///   - folder: The folder of the files.
    /// - Returns: Both texts.
    /// - Throws: What is wrong if there is no file.
    package func texts(
        from root: any ParsableCommand.Type, agreedIn folder: URL
    ) throws -> (shown: String, agreed: String) {
        let help = HelpText.arranged(root.helpMessage(for: command, columns: 80) + "\n")
        let file = folder.appending(path: "\(name).txt")
        if ProcessInfo.processInfo.environment["BLESS"] == "1" {
            try help.write(to: file, atomically: true, encoding: .utf8)
        }
        return (help, try String(contentsOf: file, encoding: .utf8))
    }
}

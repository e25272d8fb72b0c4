import Foundation
import Platform

/// One command of an app among the programs of the desktop, whose menu and search suggest it.
///
/// Source: freedesktop.org, "Desktop Entry Specification" 1.5. The same identity has the same file, so that nothing is there
/// twice.
package struct DesktopEntry {
    /// What people call it.
    package var name: String
    /// The app, for the tooltip.
    package var comment: String
    /// The words of the command.
    package var words: [String]
    /// An icon of the desktop's theme.
    package var icon: String
    /// The words by which a search finds it.
    package var keywords: [String]
    /// The path of its file.
    package let path: String

    /// Names an entry.
    ///
    /// - Parameters:
    ///   - identity: Its name in the folder of entries, such as `app-42`.
    ///   - name: What people call it.
    ///   - words: The words of the command.
    ///   - comment: The app, for the tooltip.
    ///   - icon: An icon of the desktop's theme.
    ///   - keywords: The words by which a search finds it.
    ///   - environment: Where the folder of entries is found.
    package init(
        _ identity: String, name: String, words: [String], comment: String, icon: String, keywords: [String],
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        let base =
            environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
            ?? "\(environment["HOME"] ?? NSHomeDirectory())/.local/share"
        path = "\(base)/applications/\(identity).desktop"
        (self.name, self.words, self.comment, self.icon, self.keywords) = (name, words, comment, icon, keywords)
    }

    /// The lines of the file.
    package var text: String {
        """
        [Desktop Entry]
        Type=Application
        Name=\(Self.escaped(name))
        Comment=\(Self.escaped(comment))
        Exec=\(words.map(Self.quoted).joined(separator: " "))
        Icon=\(icon)
        Terminal=false
        Categories=Utility;
        Keywords=\(keywords.map { "\($0);" }.joined())

        """
    }

    /// Writes the file, or replaces it.
    package func write() throws {
        try FileManager.default.createDirectory(
            atPath: URL(filePath: path).deletingLastPathComponent().path, withIntermediateDirectories: true)
        try NewFile.write(Array(text.utf8), to: path)
    }

    /// Removes the file, if there is one.
    package func remove() throws {
        if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
    }

    private static func escaped(_ text: String) -> String { text.replacing("\\", with: "\\\\") }

    /// A word of the command: in quotation marks, with what has a meaning there escaped, and then escaped as any text.
    private static func quoted(_ word: String) -> String {
        let inner = word.map { "\"`$\\".contains($0) ? "\\\($0)" : $0 == "%" ? "%%" : "\($0)" }.joined()
        return escaped("\"\(inner)\"")
    }
}

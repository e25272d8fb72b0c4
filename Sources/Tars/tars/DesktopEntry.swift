import Commands
import Foundation
import Platform
import TarsApp
import TarsModel

/// A shortcut among the programs of the desktop, whose menu and search suggest it (T26).
///
/// Source: freedesktop.org, "Desktop Entry Specification" 1.5. The same shortcut has the same file, so that none is there twice.
struct DesktopEntry {
    /// The path of its file.
    let path: String
    private let shortcut: Shortcut
    private let state: String

    /// Names the entry of a shortcut.
    ///
    /// - Parameters:
    ///   - shortcut: The shortcut.
    ///   - state: The folder of the home that it belongs to.
    ///   - environment: Where the folder of entries is found.
    init(_ shortcut: Shortcut, state: String, environment: [String: String] = ProcessInfo.processInfo.environment) {
        let base =
            environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
            ?? "\(environment["HOME"] ?? NSHomeDirectory())/.local/share"
        path = "\(base)/applications/tars-\(shortcut.id).desktop"
        self.shortcut = shortcut
        self.state = URL(filePath: state).path
    }

    /// The lines of the file.
    var text: String {
        let words = [LocalTools.ownPath, "open", "tars://run/\(shortcut.id)", "--state", state]
        return """
            [Desktop Entry]
            Type=Application
            Name=\(Self.escaped(shortcut.name))
            Comment=TARS
            Exec=\(words.map(Self.quoted).joined(separator: " "))
            Icon=input-tablet
            Terminal=false
            Categories=Utility;
            Keywords=tars;home;

            """
    }

    /// Writes the file, or replaces it.
    func write() throws {
        try FileManager.default.createDirectory(
            atPath: URL(filePath: path).deletingLastPathComponent().path, withIntermediateDirectories: true)
        try NewFile.write(Array(text.utf8), to: path)
    }

    /// Removes the file, if there is one.
    func remove() throws {
        if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
    }

    private static func escaped(_ text: String) -> String { text.replacing("\\", with: "\\\\") }

    /// A word of the command: in quotation marks, with what has a meaning there escaped, and then escaped as any text.
    private static func quoted(_ word: String) -> String {
        let inner = word.map { "\"`$\\".contains($0) ? "\\\($0)" : $0 == "%" ? "%%" : "\($0)" }.joined()
        return escaped("\"\(inner)\"")
    }
}

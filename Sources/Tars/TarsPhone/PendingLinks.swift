import Foundation
import Platform
package import TarsApp
package import TarsModel
import Text

/// Links that were followed while the phone was down: each runs once at the next start, if it is still valid then (T29).
package struct PendingLinks: Sendable {
    /// One link.
    package struct Link: Hashable, Codable, Sendable {
        /// What it runs.
        package var command: WatchCommand
        /// The identity of the command.
        package var id: TarsModel.Command.ID
    }

    /// How many links may wait.
    private static let countMax = 64

    private let path: String

    /// Names the file, `links.json` in the phone's folder.
    package init(folder: String) { path = "\(folder)/links.json" }

    /// Keeps a link; when this returns, it survives a power cut.
    ///
    /// - Throws: ``HomeProblem`` if too many wait, and the file's errors.
    package func keep(_ command: WatchCommand) throws {
        // Those whose time is over stay, too: people learn at the start that they did not run.
        let waiting = try read()
        guard waiting.count < Self.countMax else {
            throw HomeProblem("\(waiting.count) links wait for the phone already: start it with `tars phone`")
        }
        try NewFile.write(try CanonicalJSON.encode(waiting + [Link(command: command, id: .random())]), to: path)
    }

    /// The links, which are forgotten: what ends before it ran does not run later.
    package func take() throws -> [Link] {
        let waiting = try read()
        if !waiting.isEmpty { try NewFile.write(try CanonicalJSON.encode([Link]()), to: path) }
        return waiting
    }

    private func read() throws -> [Link] {
        guard let bytes = FileManager.default.contents(atPath: path) else { return [] }
        do {
            return try CanonicalJSON.decode([Link].self, from: Array(bytes))
        } catch {
            throw HomeProblem("\(path) is damaged (\(error)): remove it; the links in it are lost")
        }
    }
}

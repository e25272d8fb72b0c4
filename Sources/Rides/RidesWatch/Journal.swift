import Foundation
import Platform
package import RidesApp

/// The events that a watch has taken, each once and in order: a file of lines that survives a power cut.
package final class Journal: Sendable {
    private let path: String
    private let last: Lock<RideEvent.Position>

    /// Opens the file, and creates it if it does not exist; a line that was cut off is dropped, since its event comes again.
    ///
    /// - Throws: What is wrong with the file.
    package init(path: String) throws {
        self.path = path
        var text = try FileManager.default.fileExists(atPath: path) ? String(contentsOfFile: path, encoding: .utf8) : ""
        if !text.isEmpty, !text.hasSuffix("\n") {
            text = text.split(separator: "\n").dropLast().map { $0 + "\n" }.joined()
            try NewFile.write(Array(text.utf8), to: path)
        }
        let position = text.split(separator: "\n").last?.split(separator: " ").first
        last = Lock(position.flatMap { RideEvent.Position(String($0)) } ?? .start)
    }

    /// Takes an event; durable when this returns.
    ///
    /// - Returns: Whether it is new.
    /// - Throws: What the file system says; the event is not taken then.
    package func take(_ event: RideEvent) throws -> Bool {
        try last.withLock { last in
            guard event.position > last else { return false }
            if !FileManager.default.fileExists(atPath: path) { try NewFile.write([], to: path) }
            let file = try FileHandle(forWritingTo: URL(filePath: path))
            defer { try? file.close() }
            try file.seekToEnd()
            try file.write(contentsOf: Data("\(event.position.text) \(RidesText.line(event))\n".utf8))
            try file.synchronize()
            last = event.position
            return true
        }
    }
}

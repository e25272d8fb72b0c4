import Foundation
import Primitives

/// The folder for files that arrived; a file in it is complete.
struct InboxFolder: Sendable {
    let url: URL

    /// Creates the folder if necessary.
    init(_ url: URL) throws {
        self.url = url
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    /// Takes a file in under a name that no other file has.
    ///
    /// The original stays for the session, which removes it: if the process ends in between, it comes again.
    ///
    /// - Returns: The name.
    func take(_ file: URL, id: [UInt8]) throws -> String {
        let name = Hexadecimal.text(id) + "-" + file.lastPathComponent
        let place = url.appendingPathComponent(name)
        // Left by a process that ended before it had noted the file.
        if FileManager.default.fileExists(atPath: place.path) { try FileManager.default.removeItem(at: place) }
        do {
            try FileManager.default.linkItem(at: file, to: place)
        } catch {
            try FileManager.default.copyItem(at: file, to: place)
        }
        try? FileHandle(forReadingFrom: place).synchronize()
        return name
    }

    /// The place of a file; nil if it is not there any more.
    func place(of name: String) -> URL? {
        let place = url.appendingPathComponent(name)
        return FileManager.default.fileExists(atPath: place.path) ? place : nil
    }

    /// Removes a file that nobody wants.
    func remove(_ name: String) {
        try? FileManager.default.removeItem(at: url.appendingPathComponent(name))
    }
}

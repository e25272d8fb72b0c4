import Crypto
import Platform
package import SyncStore
package import Text

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// What opens a sealed file that comes, or is here.
package struct SealedTicket: Hashable, Codable, Sendable {
    /// The identity of the file, of letters, digits and hyphens.
    package var id: String
    /// The key that opens it.
    package var key: Data
    /// The bytes of the sealed file.
    package var byteCount: Int
    /// The SHA-256 of its contents, in hexadecimal digits.
    package var hash: String

    package init(id: String, key: Data, byteCount: Int, hash: String) {
        self.id = id
        self.key = key
        self.byteCount = byteCount
        self.hash = hash
    }
}

/// Sealed files that a device gets and keeps for a while, and a list of them that is sealed with the device's own key.
///
/// Nothing of them is on the disk in clear. What is too much or too old goes, the oldest first.
package struct SealedShelf<Label: Codable & Sendable> {
    /// A file that is here, or that was promised.
    private struct Entry: Codable {
        var ticket: SealedTicket
        var label: Label
        /// When it must be gone, in milliseconds since 1970.
        var end: Int64
        var isHere = false
    }

    private let folder: StateFolder
    private let keys: KeyWrap
    private let byteCountMax: Int
    private var entries: [Entry] = []

    /// Opens the shelf of a folder; what does not fit its list is removed.
    ///
    /// - Parameters:
    ///   - folder: The folder of the files and of the list.
    ///   - keys: The folder of the device's key, which is another one.
    ///   - byteCountMax: The most bytes of sealed files.
    ///   - now: The time.
    /// - Throws: `FolderError`, and what is wrong with the key.
    package init(folder: StateFolder, keys: StateFolder, byteCountMax: Int, at now: Timestamp) throws {
        self.folder = folder
        self.byteCountMax = byteCountMax
        self.keys = try KeyWrap(keys: keys, mayCreate: true)
        if let sealed = try folder.readSecret(Self.listName),
            let bytes = try? self.keys.unwrap(sealed, for: Self.listName)
        {
            entries = (try? CanonicalJSON.decode([Entry].self, from: bytes)) ?? []
        }
        for index in entries.indices { entries[index].isHere = FileSystem.isThere(path(of: entries[index].ticket.id)) }
        try sweep(at: now)
    }

    private static var listName: String { "shelf" }
    private static var ending: String { ".sealed" }
    /// A file whose ticket has not come yet: nothing opens it before, and nothing after a minute.
    private static var earlyEnding: String { ".early" }
    private static var earlyCountMax: Int { 16 }
    private static var earlySeconds: Double { 60 }

    private func path(of id: String) -> String { folder.path(of: "\(id)\(Self.ending)") }

    private func earlyPath(of id: String) -> String { folder.path(of: "\(id)\(Self.earlyEnding)") }

    private func removeEarly(_ isToGo: (String) -> Bool) {
        for name in FileSystem.names(in: folder.path) ?? [] where name.hasSuffix(Self.earlyEnding) && isToGo(name) {
            try? FileManager.default.removeItem(atPath: folder.path(of: name))
        }
    }

    /// Notes files that were promised; those that they take the place of go.
    ///
    /// - Parameters:
    ///   - files: The tickets, with what each file is.
    ///   - end: When they must be gone.
    ///   - isReplaced: Whether a file of this label goes, unless it is among them.
    /// - Throws: `FolderError`.
    package mutating func expect(
        _ files: [(ticket: SealedTicket, label: Label)], until end: Timestamp, replacing isReplaced: (Label) -> Bool
    ) throws {
        let wanted = Set(files.map(\.ticket.id))
        entries.removeAll { isReplaced($0.label) && !wanted.contains($0.ticket.id) }
        let known = Set(entries.map(\.ticket.id))
        for file in files where !known.contains(file.ticket.id) {
            entries.append(Entry(ticket: file.ticket, label: file.label, end: end.milliseconds))
        }
        try settle()
        for id in wanted.sorted() where FileSystem.isThere(earlyPath(of: id)) {
            _ = try take(URL(fileURLWithPath: earlyPath(of: id)), as: id)
        }
    }

    /// Takes in a file; one that is here or damaged is deleted, one without a ticket waits for it, sealed.
    ///
    /// - Returns: Whether it can be opened now.
    /// - Throws: `FolderError`, and what Foundation says.
    package mutating func take(_ file: URL, as id: String) throws -> Bool {
        defer { try? FileManager.default.removeItem(at: file) }
        guard let index = entries.firstIndex(where: { $0.ticket.id == id }) else {
            // A file may overtake the answer that promises it.
            let early = (FileSystem.names(in: folder.path) ?? []).count { $0.hasSuffix(Self.earlyEnding) }
            guard early < Self.earlyCountMax, !FileSystem.isThere(earlyPath(of: id)) else { return false }
            try FileManager.default.moveItem(atPath: file.path, toPath: earlyPath(of: id))
            return false
        }
        guard !entries[index].isHere else { return false }
        let ticket = entries[index].ticket
        guard let bytes = try? SealedFile.read(file.path, key: Array(ticket.key)),
            Hexadecimal.text(SHA256.hash(data: bytes)) == ticket.hash
        else {
            entries.remove(at: index)
            try settle()
            return false
        }
        try FileManager.default.moveItem(atPath: file.path, toPath: path(of: id))
        try StateFolder.settle(nameOf: path(of: id))
        entries[index].isHere = true
        var count = entries.filter(\.isHere).reduce(0) { $0 + $1.ticket.byteCount }
        while count > byteCountMax, let oldest = entries.firstIndex(where: \.isHere), oldest != index {
            count -= entries.remove(at: oldest).ticket.byteCount
        }
        try settle()
        return true
    }

    /// Of how many files with such labels how many bytes are here, and how many there are in all.
    package func progress(where isWanted: (Label) -> Bool) -> (files: Int, here: Int, all: Int) {
        let wanted = entries.filter { isWanted($0.label) }
        let here = wanted.filter(\.isHere).reduce(0) { $0 + $1.ticket.byteCount }
        return (wanted.count, here, wanted.reduce(0) { $0 + $1.ticket.byteCount })
    }

    /// The contents of the first file that is here and has such a label; nil if there is none.
    ///
    /// - Throws: `FolderError`, and ``SealedFileError``.
    package func contents(where isWanted: (Label) -> Bool) throws -> (bytes: [UInt8], label: Label)? {
        guard let found = entries.first(where: { $0.isHere && isWanted($0.label) }) else { return nil }
        return (try SealedFile.read(path(of: found.ticket.id), key: Array(found.ticket.key)), found.label)
    }

    /// Deletes files by their identities; returns whether one was here or promised.
    package mutating func remove(_ ids: Set<String>) throws -> Bool {
        let count = entries.count
        for id in ids { try? FileManager.default.removeItem(atPath: earlyPath(of: id)) }
        entries.removeAll { ids.contains($0.ticket.id) }
        guard entries.count < count else { return false }
        try settle()
        return true
    }

    /// Deletes what is too old; returns whether something was.
    @discardableResult
    package mutating func sweep(at now: Timestamp) throws -> Bool {
        let count = entries.count
        removeEarly { name in
            let facts = try? FileManager.default.attributesOfItem(atPath: folder.path(of: name))
            let written = (facts?[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
            return Double(now.milliseconds) / 1000 - written > Self.earlySeconds
        }
        entries.removeAll { $0.end <= now.milliseconds }
        try settle()
        return entries.count < count
    }

    /// Deletes everything.
    package mutating func clear() throws {
        entries = []
        removeEarly { _ in true }
        try settle()
    }

    /// Writes the list, then removes every file that is not in it.
    private func settle() throws {
        try folder.writeSecret(Self.listName, keys.wrap(try CanonicalJSON.encode(entries), for: Self.listName))
        let kept = Set(entries.map { "\($0.ticket.id)\(Self.ending)" })
        for name in FileSystem.names(in: folder.path) ?? [] where name.hasSuffix(Self.ending) && !kept.contains(name) {
            try SealedFile.remove(folder.path(of: name))
        }
    }
}

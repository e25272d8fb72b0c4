package import Foundation
package import ImtApp
package import ImtModel
import Platform
package import SyncStore
import Vault

/// The photos that a watch has: sealed files, and a list of them that is sealed with the watch's own key (IMT35, IMT36).
///
/// No picture is on the disk in clear. At most ``byteCountMax`` bytes are kept, and nothing longer than a day.
package struct Album {
    /// The most bytes of sealed files; the oldest go first.
    package static let byteCountMax = 32 * 1024 * 1024

    /// A photo that is here, or that was promised.
    private struct Entry: Codable {
        var ticket: WristReply.Ticket
        var transformation: Transformation.ID
        var view: FaceView
        /// When it must be gone, in milliseconds since 1970.
        var end: Int64
        var isHere = false
    }

    private let folder: StateFolder
    private let keys: KeyWrap
    private var entries: [Entry] = []

    /// Opens the album of a folder; what does not fit its list is removed.
    ///
    /// - Throws: `FolderError`, and what is wrong with the key.
    package init(folder: StateFolder, keys: StateFolder, at now: Timestamp) throws {
        self.folder = folder
        self.keys = try KeyWrap(keys: keys, mayCreate: true)
        if let sealed = try folder.readSecret(Self.listName),
            let bytes = try? self.keys.unwrap(sealed, for: Self.listName)
        {
            entries = (try? CanonicalJSON.decode([Entry].self, from: bytes)) ?? []
        }
        for index in entries.indices {
            entries[index].isHere = FileSystem.isThere(path(of: entries[index].ticket.copy))
        }
        try sweep(at: now)
    }

    private static let listName = "album"
    private static let ending = ".photo"
    /// A file whose ticket has not come yet: nothing opens it before, and nothing after a minute.
    private static let earlyEnding = ".early"
    private static let earlyCountMax = 16

    private func path(of copy: PhotoCopy.ID) -> String { folder.path(of: "\(copy)\(Self.ending)") }

    private func earlyPath(of copy: PhotoCopy.ID) -> String { folder.path(of: "\(copy)\(Self.earlyEnding)") }

    private func removeEarly(_ isToGo: (String) -> Bool) {
        for name in FileSystem.names(in: folder.path) ?? [] where name.hasSuffix(Self.earlyEnding) && isToGo(name) {
            try? FileManager.default.removeItem(atPath: folder.path(of: name))
        }
    }

    // MARK: - Photos

    /// Notes the photos that the phone promised; another pair of the transformation goes.
    package mutating func expect(
        _ tickets: [WristReply.Ticket], of transformation: Transformation.ID, _ view: FaceView, at now: Timestamp
    ) throws {
        let known = Set(tickets.map(\.copy))
        entries.removeAll { $0.transformation == transformation && $0.view == view && !known.contains($0.ticket.copy) }
        let end = now.advanced(byMilliseconds: Int64(PhotoCopy.lifetime / .milliseconds(1)))
        for ticket in tickets where !entries.contains(where: { $0.ticket.copy == ticket.copy }) {
            entries.append(
                Entry(ticket: ticket, transformation: transformation, view: view, end: end.milliseconds))
        }
        try settle()
        for ticket in tickets where FileSystem.isThere(earlyPath(of: ticket.copy)) {
            _ = try take(URL(filePath: earlyPath(of: ticket.copy)), as: ticket.copy)
        }
    }

    /// Takes in a file of the phone; one that is here or damaged is deleted, one without a ticket waits for it, sealed.
    ///
    /// - Returns: Whether it is a photo that can be shown now.
    package mutating func take(_ file: URL, as copy: PhotoCopy.ID) throws -> Bool {
        defer { try? FileManager.default.removeItem(at: file) }
        guard let index = entries.firstIndex(where: { $0.ticket.copy == copy }) else {
            // A file may overtake the answer that promises it.
            let early = (FileSystem.names(in: folder.path) ?? []).count { $0.hasSuffix(Self.earlyEnding) }
            guard early < Self.earlyCountMax, !FileSystem.isThere(earlyPath(of: copy)) else { return false }
            try FileManager.default.moveItem(atPath: file.path, toPath: earlyPath(of: copy))
            return false
        }
        guard !entries[index].isHere else { return false }
        let ticket = entries[index].ticket
        guard let bytes = try? SealedFile.read(file.path, key: Array(ticket.key)),
            PictureIntake.hash(bytes) == ticket.hash
        else {
            entries.remove(at: index)
            try settle()
            return false
        }
        try FileManager.default.moveItem(atPath: file.path, toPath: path(of: copy))
        try StateFolder.settle(nameOf: path(of: copy))
        entries[index].isHere = true
        var count = entries.filter(\.isHere).reduce(0) { $0 + $1.ticket.byteCount }
        while count > Self.byteCountMax, let oldest = entries.firstIndex(where: \.isHere), oldest != index {
            count -= entries.remove(at: oldest).ticket.byteCount
        }
        try settle()
        return true
    }

    /// How much of a pair is here, and how much it is in all; nil if it was not asked for.
    package func progress(_ transformation: Transformation.ID, _ view: FaceView) -> (here: Int, all: Int)? {
        let pair = entries.filter { $0.transformation == transformation && $0.view == view }
        guard pair.count == Side.allCases.count else { return nil }
        let here = pair.filter(\.isHere).reduce(0) { $0 + $1.ticket.byteCount }
        return (here, pair.reduce(0) { $0 + $1.ticket.byteCount })
    }

    /// A photo that is here, with its day; nil if it is not.
    package func picture(
        _ transformation: Transformation.ID, _ view: FaceView, _ side: Side
    ) throws -> (bytes: [UInt8], day: String?)? {
        let found = entries.first {
            $0.transformation == transformation && $0.view == view && $0.ticket.side == side && $0.isHere
        }
        guard let ticket = found?.ticket else { return nil }
        return (try SealedFile.read(path(of: ticket.copy), key: Array(ticket.key)), ticket.day)
    }

    /// Deletes what is recalled; returns whether something was here or promised.
    package mutating func revoke(_ copies: [PhotoCopy.ID]) throws -> Bool {
        let count = entries.count
        for copy in copies { try? FileManager.default.removeItem(atPath: earlyPath(of: copy)) }
        entries.removeAll { copies.contains($0.ticket.copy) }
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
            return Double(now.milliseconds) / 1000 - written > 60
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
        let kept = Set(entries.map { "\($0.ticket.copy)\(Self.ending)" })
        for name in FileSystem.names(in: folder.path) ?? [] where name.hasSuffix(Self.ending) && !kept.contains(name) {
            try SealedFile.remove(folder.path(of: name))
        }
    }
}

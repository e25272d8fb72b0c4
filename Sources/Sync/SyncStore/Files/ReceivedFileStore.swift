internal import Platform
package import SyncCore

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// The received files that an application keeps, in a state folder.
///
///     shared/⟨transfer⟩/⟨name⟩   the file
///     shared/⟨transfer⟩/.note    its description
///
/// A file is taken over by one rename of its folder. So after a crash it is complete, either here or where it was
/// received. The folder is named after the transfer, so a transfer that is reported twice is kept once, and no file
/// replaces another. The file has the sender's name, with all characters replaced that a shell or a terminal could
/// misinterpret.
///
/// The store has limits and never removes files to make room. ``reserve(_:)`` declines a file that would not fit before
/// its first byte is requested, and the sender is notified.
///
/// The methods can be called on any thread; each of them waits for the disk.
package final class ReceivedFileStore: Sendable {
    /// The limits of the store.
    package struct Limits: Hashable, Sendable {
        /// The maximum number of files; 64 by default.
        package var countMax: Int
        /// The maximum size of all files together, in bytes; 256 MiB by default.
        package var byteCountMax: UInt64

        /// Creates limits.
        package init(countMax: Int = 64, byteCountMax: UInt64 = 268_435_456) {
            self.countMax = countMax
            self.byteCountMax = byteCountMax
        }
    }

    /// A file in the store.
    package struct Entry: Hashable, Sendable {
        /// The transfer that brought it.
        package var id: RandomID
        /// Its name in the store, which is safe to print and to type.
        package var name: String
        /// The path of the file.
        package var path: String
        /// Its size in bytes.
        package var byteCount: UInt64
        /// The metadata of the sender's application; empty if there is none.
        package var metadata: [UInt8]
        /// When it was taken over, in milliseconds since 1970.
        package var tookAtMilliseconds: Int64
        /// Its number in the order of arrival: later files have greater numbers, and no number is used twice.
        ///
        /// It is 0 if the description of the file is lost.
        package var number: UInt64
    }

    private struct Contents {
        /// In the order of arrival.
        var entries: [Entry] = []
        /// The greatest number that was ever used.
        var lastNumber: UInt64 = 0
        /// The errors of the parts of the folder that are not listed.
        var troubles: [FileStoreError] = []
        /// The sizes in bytes of the files that are being received.
        var reserved: [RandomID: UInt64] = [:]
    }

    private static let folderName = "shared"
    /// The name of the secret that holds the greatest number used.
    private static let counterName = "shelf"
    private let limits: Limits
    /// Keeps the folder locked as long as the store exists.
    private let state: StateFolder
    private let folder: OpenFile
    private let contents = Lock(Contents())

    /// Opens the store in a folder.
    ///
    /// Creates it if it does not exist.
    ///
    /// - Parameters:
    ///   - folder: The state folder. The store keeps it locked.
    ///   - limits: The limits of the store.
    /// - Throws: ``FileStoreError``.
    package init(in folder: StateFolder, limits: Limits = Limits()) throws(FileStoreError) {
        self.limits = limits
        state = folder
        self.folder = try filing { () throws(FolderError) in
            let opened = try folder.folder.subfolder(Self.folderName)
            try folder.folder.sync()
            return opened
        }
        let loaded = try load()
        contents.withLock { $0 = loaded }
    }

    /// The files in the order of arrival.
    package var entries: [Entry] { contents.withLock(\.entries) }

    /// The errors of the parts of the folder that are not listed in ``entries``; they are left as they are.
    package var troubles: [FileStoreError] { contents.withLock(\.troubles) }

    // MARK: - Reservations

    /// Reserves room for a file that is about to be received.
    ///
    /// - Returns: The reason to report to the sender if there is no room; nil if there is.
    package func reserve(_ offer: FileOffer) -> FileFailure? {
        contents.withLock { contents in
            guard !contents.entries.contains(where: { $0.id == offer.id }) else { return nil }
            let others = contents.reserved.filter { $0.key != offer.id }
            let count = contents.entries.count + others.count
            guard count < limits.countMax else {
                return FileFailure(.full, "\(count) files are kept there already, the most that may: take some out")
            }
            let sizes = contents.entries.map(\.byteCount) + others.values
            let used = sizes.reduce(0) { $0 + min($1, limits.byteCountMax) }
            let free = limits.byteCountMax - min(used, limits.byteCountMax)
            guard offer.byteCount <= free else {
                return FileFailure(
                    .full,
                    "\(offer.byteCount) bytes are needed and \(free) are free of those kept for files: take some out")
            }
            contents.reserved[offer.id] = offer.byteCount
            return nil
        }
    }

    /// Releases the room of a file that will not be received.
    package func release(_ id: RandomID) {
        contents.withLock { _ = $0.reserved.removeValue(forKey: id) }
    }

    // MARK: - Taking over

    /// Takes over a received file.
    ///
    /// The file is durable when this returns.
    ///
    /// - Parameters:
    ///   - offer: The file, as the exchange reports it.
    ///   - store: The store that received the file.
    ///   - moment: When it arrived, in milliseconds since 1970.
    /// - Returns: The file; nil if it was taken over before, even if it was removed since.
    /// - Throws: ``FileStoreError``; the file stays in `store` in that case.
    package func take(
        _ offer: FileOffer, from store: FileStore, atMilliseconds moment: Int64
    ) throws(FileStoreError) -> Entry? {
        try contents.withLock { (contents) throws(FileStoreError) in
            let isKept = contents.entries.contains { $0.id == offer.id }
            let entry = isKept ? nil : try move(offer, from: store, moment, &contents.lastNumber)
            contents.reserved[offer.id] = nil
            if let entry { contents.entries.append(entry) }
            return entry
        }
    }

    private func move(
        _ offer: FileOffer, from store: FileStore, _ moment: Int64, _ lastNumber: inout UInt64
    ) throws(FileStoreError) -> Entry? {
        let id = offer.id.hexadecimal
        let entry = Entry(
            id: offer.id, name: Self.safeName(offer.name), path: "\(folder.path(of: id))/\(Self.safeName(offer.name))",
            byteCount: offer.byteCount, metadata: offer.metadata, tookAtMilliseconds: moment, number: lastNumber + 1)
        return try filing { () throws(FolderError) in
            guard try store.received.has(id) else { return nil }
            let source = try store.received.subfolder(id)
            // After a crash in this method the file may already have its new name, and the note may hold the old one.
            if try !source.has(entry.name) {
                guard try source.has(offer.name) else { return nil }
                try source.rename(offer.name, to: entry.name, in: source)
            }
            // Written before the file gets the number, so that the number is never used again.
            try state.writeSecret(Self.counterName, Array("\(entry.number)".utf8))
            lastNumber = entry.number
            let note = try OpenFile(name: FileDescription.name, in: source, flags: O_WRONLY | O_CREAT | O_TRUNC)
            try note.setPermissions(0o600)
            try note.write(FileDescription(entry).bytes)
            try note.sync()
            try source.sync()
            try store.received.rename(id, to: id, in: folder)
            try folder.sync()
            try store.received.sync()
            return entry
        }
    }

    // MARK: - Removing

    /// Removes a file from the store.
    ///
    /// It is no error if the file does not exist.
    ///
    /// - Throws: ``FileStoreError``, such as ``FileStoreError/notAlone(path:others:)`` before anything was removed; the
    ///   file stays listed in that case.
    package func remove(_ entry: Entry) throws(FileStoreError) {
        try contents.withLock { (contents) throws(FileStoreError) in
            let id = entry.id.hexadecimal
            let place = try filing { () throws(FolderError) in try folder.subfolder(id) }
            let others = try filing { () throws(FolderError) in
                try place.names().filter { $0 != entry.name && $0 != FileDescription.name }
            }
            guard others.isEmpty else { throw .notAlone(path: place.path, others: others.sorted()) }
            try filing { () throws(FolderError) in
                try place.removeFile(entry.name)
                try place.removeFile(FileDescription.name)
                try folder.removeFolder(id)
                try folder.sync()
            }
            contents.entries.removeAll { $0.id == entry.id }
        }
    }

    // MARK: - Contents of the folder

    /// Reads the folders.
    ///
    /// A file that a user removed by hand is not in the result.
    private func load() throws(FileStoreError) -> Contents {
        var contents = Contents()
        for name in try filing({ () throws(FolderError) in try folder.names().sorted() }) {
            guard let id = RandomID(hexadecimal: name) else { continue }
            do throws(FileStoreError) {
                if let entry = try entry(id) { contents.entries.append(entry) }
            } catch {
                // An error in one folder does not hide the others.
                contents.troubles.append(error)
            }
        }
        contents.entries.sort { ($0.number, $0.id) < ($1.number, $1.id) }
        contents.lastNumber = max(contents.entries.last?.number ?? 0, givenNumber())
        return contents
    }

    /// The greatest number that was used, as far as it is known.
    private func givenNumber() -> UInt64 {
        // Without it, numbering continues after the greatest number of the files that are there.
        let bytes = try? state.readSecret(Self.counterName)
        return bytes.flatMap { UInt64(String(decoding: $0, as: UTF8.self)) } ?? 0
    }

    /// The file in the folder of a transfer; nil if it is gone.
    private func entry(_ id: RandomID) throws(FileStoreError) -> Entry? {
        let place = try filing { () throws(FolderError) in
            try OpenFile(name: id.hexadecimal, in: folder, flags: O_RDONLY | O_DIRECTORY)
        }
        let names = try filing { () throws(FolderError) in try place.names() }
        // No safe name begins with a dot, but the hidden files of editors and file managers do.
        guard let name = names.filter({ !$0.hasPrefix(".") }).min() else {
            if names.allSatisfy({ $0 == FileDescription.name }) { removeRest(of: id, place) }
            return nil
        }
        let (facts, note) = try filing { () throws(FolderError) in
            (try OpenFile(name: name, in: place, flags: O_RDONLY | O_NONBLOCK).facts(), try FileDescription(in: place))
        }
        guard facts.isPlainFile else { throw .notAPlainFile(path: place.path(of: name)) }
        return Entry(
            id: id, name: name, path: place.path(of: name), byteCount: UInt64(facts.byteCount),
            metadata: note?.metadata ?? [], tookAtMilliseconds: note?.tookAtMilliseconds ?? 0,
            number: note?.number ?? 0)
    }

    /// Removes the remains of a file that is gone.
    private func removeRest(of id: RandomID, _ place: borrowing OpenFile) {
        do throws(FolderError) {
            try place.removeFile(FileDescription.name)
            try folder.removeFolder(id.hexadecimal)
        } catch {
            // The next start tries again.
        }
    }
}

/// The description that is stored beside a file.
private struct FileDescription {
    /// A safe name never begins with a dot, so this one is free.
    static let name = ".note"

    var metadata: [UInt8]
    var tookAtMilliseconds: Int64
    var number: UInt64

    init(_ entry: ReceivedFileStore.Entry) {
        metadata = entry.metadata
        tookAtMilliseconds = entry.tookAtMilliseconds
        number = entry.number
    }

    /// Reads the note in a folder; nil if it cannot be read, because the file itself is more important.
    init?(in place: borrowing OpenFile) throws(FolderError) {
        guard try place.has(Self.name) else { return nil }
        let bytes = try OpenFile(name: Self.name, in: place, flags: O_RDONLY | O_NONBLOCK)
            .read(at: 0, byteCount: FileOffer.metadataByteCountMax + 1024)
        guard case .dictionary(let members)? = try? PropertyList(decoding: bytes),
            case .data(let metadata)? = members["metadata"], case .integer(let moment)? = members["at"],
            case .integer(let number)? = members["number"], number >= 0
        else { return nil }
        self.metadata = metadata
        tookAtMilliseconds = moment
        self.number = UInt64(number)
    }

    var bytes: [UInt8] {
        let list = PropertyList.dictionary([
            "metadata": .data(metadata), "at": .integer(tookAtMilliseconds),
            "number": .integer(Int64(clamping: number)),
        ])
        // Encoding fails only if a byte limit is set, and none is.
        return (try? list.encoded()) ?? []
    }
}

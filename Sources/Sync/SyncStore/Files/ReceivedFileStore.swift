internal import FoundationEssentials
internal import Platform
public import SyncCore

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
///     shared/⟨transfer⟩/.note    what was told of it
///
/// A file comes here by one rename of its folder, so that a crash leaves it where it was received or here, whole; and the
/// folder has the name of the transfer, so that a transfer that is told twice is kept once and no file takes the place of
/// another. The file's name is the sender's with all that a shell or a terminal could take for something else replaced.
///
/// A shelf has limits and never makes room by itself: ``reserve(_:)`` declines what would not fit before its first byte is
/// asked for, and the sender is told so.
///
/// Its functions may be called on any thread; each waits for the disk.
public final class ReceivedFileStore: Sendable {
    /// How much a shelf keeps.
    public struct Limits: Hashable, Sendable {
        /// The most files; 64 by default.
        public var countMax: Int
        /// The most bytes of all files together; 256 MiB by default.
        public var byteCountMax: UInt64

        /// Creates limits.
        public init(countMax: Int = 64, byteCountMax: UInt64 = 268_435_456) {
            self.countMax = countMax
            self.byteCountMax = byteCountMax
        }
    }

    /// A file that is kept.
    public struct Entry: Hashable, Sendable {
        /// The transfer with which it came.
        public var id: RandomID
        /// Its name here, which is safe to print and to type.
        public var name: String
        /// Where it is.
        public var path: String
        /// Its bytes.
        public var byteCount: UInt64
        /// What the sender's application said about it; empty for nothing.
        public var metadata: [UInt8]
        /// When it came, in milliseconds since 1970.
        public var tookAtMilliseconds: Int64
        /// Its place among the files of the shelf: a later one has a greater number, and none is given twice; 0 if what
        /// was told of the file is lost.
        public var number: UInt64
    }

    private struct Contents {
        /// In the order in which they came.
        var entries: [Entry] = []
        /// The greatest number that was ever given.
        var lastNumber: UInt64 = 0
        /// Why parts of the folder are not listed.
        var troubles: [FileStoreError] = []
        /// The bytes of the files that are on their way here.
        var reserved: [RandomID: UInt64] = [:]
    }

    private static let folderName = "shared"
    /// The name of the secret that holds the greatest number that was given.
    private static let counterName = "shelf"
    private let limits: Limits
    /// Held as long as the shelf lives.
    private let state: StateFolder
    private let folder: OpenFile
    private let contents = Lock(Contents())

    /// Opens the shelf of a folder, and creates it if it does not exist.
    ///
    /// - Parameters:
    ///   - folder: The folder; it stays held as long as the shelf lives.
    ///   - limits: How much is kept.
    /// - Throws: ``FileStoreError``.
    public init(in folder: StateFolder, limits: Limits = Limits()) throws(FileStoreError) {
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

    /// The files, in the order in which they came.
    public var entries: [Entry] { contents.withLock(\.entries) }

    /// Why something in the folder is not among the files; it is left as it is.
    public var troubles: [FileStoreError] { contents.withLock(\.troubles) }

    // MARK: - Room

    /// Keeps room for a file that is about to be received.
    ///
    /// - Returns: Why there is none, for the sender; nil if there is.
    public func reserve(_ offer: FileOffer) -> FileFailure? {
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

    /// Gives back the room of a file that does not come after all.
    public func release(_ id: RandomID) {
        contents.withLock { _ = $0.reserved.removeValue(forKey: id) }
    }

    // MARK: - Taking in

    /// Takes a received file over; when it returns, the file survives a crash of the machine here.
    ///
    /// - Parameters:
    ///   - offer: The file, as the exchange tells it.
    ///   - store: Where it was received.
    ///   - moment: When it came, in milliseconds since 1970.
    /// - Returns: The file; nil if it was taken over before, and is here or was removed since.
    /// - Throws: ``FileStoreError``; the file is where it was received then.
    public func take(
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
            // After a crash in the middle of this it has the name already, and the note may have the one that it had.
            if try !source.has(entry.name) {
                guard try source.has(offer.name) else { return nil }
                try source.rename(offer.name, to: entry.name, in: source)
            }
            // Before the file has the number: no other one may ever get it.
            try state.writeSecret(Self.counterName, Array("\(entry.number)".utf8))
            lastNumber = entry.number
            let note = try OpenFile(name: Note.name, in: source, flags: O_WRONLY | O_CREAT | O_TRUNC)
            try note.setPermissions(0o600)
            try note.write(Note(entry).bytes)
            try note.sync()
            try source.sync()
            try store.received.rename(id, to: id, in: folder)
            try folder.sync()
            try store.received.sync()
            return entry
        }
    }

    // MARK: - Taking out

    /// Removes a file from the shelf; one that is gone already is no error.
    ///
    /// - Throws: ``FileStoreError``, ``FileStoreError/notAlone(path:others:)`` among them, before anything was removed;
    ///   the file is listed still.
    public func remove(_ entry: Entry) throws(FileStoreError) {
        try contents.withLock { (contents) throws(FileStoreError) in
            let id = entry.id.hexadecimal
            let place = try filing { () throws(FolderError) in try folder.subfolder(id) }
            let others = try Self.names(in: place.path).filter { $0 != entry.name && $0 != Note.name }
            guard others.isEmpty else { throw .notAlone(path: place.path, others: others.sorted()) }
            try filing { () throws(FolderError) in
                try place.removeFile(entry.name)
                try place.removeFile(Note.name)
                try folder.removeFolder(id)
                try folder.sync()
            }
            contents.entries.removeAll { $0.id == entry.id }
        }
    }

    // MARK: - What is there

    /// What the folders say; a file that a person took away by hand is not there any more.
    private func load() throws(FileStoreError) -> Contents {
        var contents = Contents()
        for name in try Self.names(in: folder.path).sorted() {
            guard let id = RandomID(hexadecimal: name) else { continue }
            do throws(FileStoreError) {
                if let entry = try entry(id) { contents.entries.append(entry) }
            } catch {
                // The others matter more.
                contents.troubles.append(error)
            }
        }
        contents.entries.sort { ($0.number, $0.id) < ($1.number, $1.id) }
        contents.lastNumber = max(contents.entries.last?.number ?? 0, givenNumber())
        return contents
    }

    /// The greatest number that was given, as far as it is known.
    private func givenNumber() -> UInt64 {
        // Without it, numbers go on after the files that are there, as if no later one had ever been.
        let bytes = try? state.readSecret(Self.counterName)
        return bytes.flatMap { UInt64(String(decoding: $0, as: UTF8.self)) } ?? 0
    }

    /// The file of a transfer's folder; nil if it is gone.
    private func entry(_ id: RandomID) throws(FileStoreError) -> Entry? {
        let place = try filing { () throws(FolderError) in
            try OpenFile(name: id.hexadecimal, in: folder, flags: O_RDONLY | O_DIRECTORY)
        }
        let names = try Self.names(in: place.path)
        // No safe name begins with a dot, but those do that editors and file managers leave beside a file.
        guard let name = names.filter({ !$0.hasPrefix(".") }).min() else {
            if names.allSatisfy({ $0 == Note.name }) { removeRest(of: id, place) }
            return nil
        }
        let (facts, note) = try filing { () throws(FolderError) in
            (try OpenFile(name: name, in: place, flags: O_RDONLY | O_NONBLOCK).facts(), try Note(in: place))
        }
        guard facts.isPlainFile else { throw .notAPlainFile(path: place.path(of: name)) }
        return Entry(
            id: id, name: name, path: place.path(of: name), byteCount: UInt64(facts.byteCount),
            metadata: note?.metadata ?? [], tookAtMilliseconds: note?.tookAtMilliseconds ?? 0,
            number: note?.number ?? 0)
    }

    /// Removes what a file that is gone has left.
    private func removeRest(of id: RandomID, _ place: borrowing OpenFile) {
        do throws(FolderError) {
            try place.removeFile(Note.name)
            try folder.removeFolder(id.hexadecimal)
        } catch {
            // The next start tries again.
        }
    }

    private static func names(in path: String) throws(FileStoreError) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: path)
        } catch {
            throw .folder(.failed(function: "readdir", path: path, number: EIO))
        }
    }
}

/// What is written beside a file.
private struct Note {
    /// No safe name begins with a dot.
    static let name = ".note"

    var metadata: [UInt8]
    var tookAtMilliseconds: Int64
    var number: UInt64

    init(_ entry: ReceivedFileStore.Entry) {
        metadata = entry.metadata
        tookAtMilliseconds = entry.tookAtMilliseconds
        number = entry.number
    }

    /// Reads the note of a folder; nil if none can be read: the file matters more.
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
        // It fails only at a limit of bytes, and there is none.
        return (try? list.encoded()) ?? []
    }
}

extension OpenFile {
    /// Whether this folder has a file or a folder of a name.
    fileprivate func has(_ name: String) throws(FolderError) -> Bool {
        do throws(FolderError) {
            try perform("faccessat", on: path(of: name)) { unsafe faccessat(descriptor, name, F_OK, 0) }
            return true
        } catch {
            guard case .failed(_, _, ENOENT) = error else { throw error }
            return false
        }
    }
}

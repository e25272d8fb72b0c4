internal import FoundationEssentials
public import SyncCore
internal import Synchronization

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
public final class FileShelf: Sendable {
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
        /// Its place among the files of the shelf: a later one has a greater number.
        public var number: UInt64
    }

    private struct Contents {
        /// In the order in which they came.
        var entries: [Entry] = []
        /// The bytes of the files that are on their way here.
        var reserved: [RandomID: UInt64] = [:]
    }

    private static let folderName = "shared"
    private let limits: Limits
    /// Held as long as the shelf lives.
    private let state: StateFolder
    private let folder: OpenFile
    private let contents = Mutex(Contents())

    /// Opens the shelf of a folder, and creates it if there is none.
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
        let entries = try load()
        contents.withLock { $0.entries = entries }
    }

    /// The files, in the order in which they came.
    public var entries: [Entry] { contents.withLock(\.entries) }

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
            let entry = isKept ? nil : try move(offer, from: store, moment, contents.entries.last?.number ?? 0)
            contents.reserved[offer.id] = nil
            if let entry { contents.entries.append(entry) }
            return entry
        }
    }

    private func move(
        _ offer: FileOffer, from store: FileStore, _ moment: Int64, _ lastNumber: UInt64
    ) throws(FileStoreError) -> Entry? {
        let id = offer.id.hexadecimal
        let entry = Entry(
            id: offer.id, name: Self.safeName(offer.name), path: "\(folder.path(of: id))/\(Self.safeName(offer.name))",
            byteCount: offer.byteCount, metadata: offer.metadata, tookAtMilliseconds: moment, number: lastNumber + 1)
        return try filing { () throws(FolderError) in
            guard try store.received.has(id) else { return nil }
            let source = try store.received.subfolder(id)
            // After a crash in the middle of this it has the name already.
            if offer.name != entry.name, try source.has(offer.name) {
                try source.rename(offer.name, to: entry.name, in: source)
            }
            guard try source.has(entry.name) else { return nil }
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

    /// Copies a file to a place of the person's own; it gets its name when it is complete and on the disk.
    ///
    /// - Parameters:
    ///   - file: Where the file is, as its entry says.
    ///   - path: Where to, with the name that it is to have there.
    ///   - replaces: Whether a file of this name may be replaced.
    /// - Throws: ``FileStoreError``, ``FileStoreError/exists(path:)`` among them; nothing is there then that was not.
    public static func copy(_ file: String, to path: String, replaces: Bool) throws(FileStoreError) {
        if !replaces, unsafe access(path, F_OK) == 0 { throw .exists(path: path) }
        let original = try OpenFile.plainFile(file)
        let newPath = path + ".partial"
        // What a crash left is not ours to write into. Most often there is nothing.
        _ = unsafe unlink(newPath)
        defer { _ = unsafe unlink(newPath) }
        try filing { () throws(FolderError) in
            let copy = try OpenFile.create(newPath)
            var offset: UInt64 = 0
            while true {
                let bytes = try original.read(at: offset, byteCount: FileStore.blockByteCount)
                if bytes.isEmpty { break }
                try copy.write(bytes, at: offset)
                offset += UInt64(bytes.count)
            }
            try copy.sync()
        }
        try name(newPath, path, replaces: replaces)
    }

    /// Gives a file its name, and the name to nobody else's file.
    private static func name(_ newPath: String, _ path: String, replaces: Bool) throws(FileStoreError) {
        do throws(FolderError) {
            if replaces {
                try perform("rename", on: path) { unsafe rename(newPath, path) }
            } else {
                try perform("link", on: path) { unsafe link(newPath, path) }
            }
        } catch {
            guard case .failed(_, _, EEXIST) = error else { throw .folder(error) }
            throw .exists(path: path)
        }
        let parent = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        try filing { () throws(FolderError) in
            try OpenFile(path: parent, flags: O_RDONLY | O_DIRECTORY).sync()
        }
    }

    /// Removes a file from the shelf; one that is gone already is no error.
    ///
    /// - Throws: ``FileStoreError``; the file is listed still.
    public func remove(_ entry: Entry) throws(FileStoreError) {
        try contents.withLock { (contents) throws(FileStoreError) in
            try filing { () throws(FolderError) in
                let id = entry.id.hexadecimal
                let place = try folder.subfolder(id)
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
    private func load() throws(FileStoreError) -> [Entry] {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        } catch {
            throw .folder(.failed(function: "readdir", path: folder.path, number: EIO))
        }
        var entries: [Entry] = []
        for name in names.sorted() {
            guard let id = RandomID(hexadecimal: name) else { continue }
            let path = folder.path(of: name)
            // A folder that cannot be listed has nothing that could be given out.
            let files = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
            guard let file = files.filter({ $0 != Note.name }).sorted().first else {
                // What is left of one goes with it; the next start tries again.
                try? FileManager.default.removeItem(atPath: path)
                continue
            }
            entries.append(try entry(id, file))
        }
        return entries.sorted { ($0.number, $0.id) < ($1.number, $1.id) }
    }

    private func entry(_ id: RandomID, _ name: String) throws(FileStoreError) -> Entry {
        try filing { () throws(FolderError) in
            let place = try OpenFile(name: id.hexadecimal, in: folder, flags: O_RDONLY | O_DIRECTORY)
            let file = try OpenFile(name: name, in: place, flags: O_RDONLY | O_NONBLOCK)
            let note = try Note(in: place)
            return Entry(
                id: id, name: name, path: place.path(of: name), byteCount: UInt64(try file.facts().byteCount),
                metadata: note?.metadata ?? [], tookAtMilliseconds: note?.tookAtMilliseconds ?? 0,
                number: note?.number ?? 0)
        }
    }
}

extension FileShelf {
    /// The most bytes of a name on a shelf.
    static let nameByteCountMax = 120

    /// A name that a shell and a terminal take for nothing but a name, for any name of one component of a path.
    ///
    /// Letters and digits of all scripts stay, and a few signs; everything else is `_`. It does not begin with a dot, a
    /// hyphen or a space, and has at most ``nameByteCountMax`` bytes, of which a short ending stays.
    static func safeName(_ name: String) -> String {
        var safe = String.UnicodeScalarView()
        for scalar in name.unicodeScalars { safe.append(isPlain(scalar) ? scalar : "_") }
        if let first = safe.first, [".", "-", " "].contains(first) { safe.insert("_", at: safe.startIndex) }
        let ending = safe.lastIndex(of: ".").map { String(safe[$0...]) } ?? ""
        let kept = ending.utf8.count <= 16 ? ending : ""
        var stem = String(safe).unicodeScalars.dropLast(kept.unicodeScalars.count)
        while String(stem).utf8.count + kept.utf8.count > nameByteCountMax { stem.removeLast() }
        return String(stem) + kept
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .nonspacingMark, .spacingMark:
            true
        default: [" ", "-", "_", ".", ",", "+", "=", "@"].contains(scalar)
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

    init(_ entry: FileShelf.Entry) {
        metadata = entry.metadata
        tookAtMilliseconds = entry.tookAtMilliseconds
        number = entry.number
    }

    /// Reads the note of a folder; nil if there is none that can be read: the file matters more.
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

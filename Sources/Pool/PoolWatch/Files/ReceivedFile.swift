public import PoolModel
internal import SyncCore
internal import SyncStore

/// A file that a watch keeps.
public struct ReceivedFile: Codable, Hashable, Sendable {
    /// Its number on this watch, greater for later files.
    public var number: UInt64
    /// The identifier of its transfer: 32 hexadecimal digits.
    public var id: String
    /// Its name on this watch.
    public var name: String
    /// Its size in bytes.
    public var byteCount: UInt64
    /// When it arrived, by the hub's clock.
    public var at: Timestamp
    /// Its path.
    public var path: String
    /// What the hub says about an export; nil if the file is not one.
    public var export: ExportMetadata?

    /// Copies the file to another place; it gets its name there only when it is complete and on the disk.
    ///
    /// - Parameters:
    ///   - path: The destination, including the name.
    ///   - replaces: Whether an existing file may be replaced.
    /// - Throws: `FileStoreError`, in words for a person; then an existing file is unchanged.
    public func copy(to path: String, replaces: Bool) throws {
        try ReceivedFileStore.copy(self.path, to: path, replaces: replaces)
    }
}

extension ReceivedFile {
    init(_ entry: ReceivedFileStore.Entry) {
        self.init(
            number: entry.number, id: entry.id.hexadecimal, name: entry.name, byteCount: entry.byteCount,
            at: Timestamp(milliseconds: entry.tookAtMilliseconds), path: entry.path,
            export: ExportMetadata(metadata: entry.metadata))
    }
}

extension ReceivedFile {
    /// Why a text does not identify exactly one file.
    public enum MatchError: Error, Equatable, Sendable, CustomStringConvertible {
        /// None of the files has this name, number or id.
        case missing(String)
        /// Several have this name.
        case ambiguous(String, numbers: [UInt64])
        /// Several have this name or number, and numbers do not tell them apart.
        case alike(String, ids: [String])

        /// The error, and what to do about it.
        public var description: String {
            switch self {
            case .missing(let text):
                "this watch has no file \"\(text)\": list them with `poolsensors watch files`"
            case .ambiguous(let text, let numbers):
                "\(numbers.count) files are called \"\(text)\": choose one by its number, "
                    + numbers.map(String.init).joined(separator: ", ")
            case .alike(let text, let ids):
                "\(ids.count) files go by \"\(text)\": choose one by its id, \(ids.joined(separator: ", "))"
            }
        }
    }

    /// The file with a given number, name, or start of its id.
    public static func matching(_ text: String, among files: [ReceivedFile]) throws(MatchError) -> ReceivedFile {
        if let exact = files.first(where: { $0.id == text }) { return exact }
        let ways: [(ReceivedFile) -> Bool] = [
            { "\($0.number)" == text }, { $0.name == text }, { text.count >= 4 && $0.id.hasPrefix(text.lowercased()) },
        ]
        let found = ways.lazy.map { files.filter($0) }.first { !$0.isEmpty } ?? []
        guard let file = found.first else { throw .missing(text) }
        guard found.count > 1 else { return file }
        let numbers = found.map(\.number)
        guard Set(numbers).count == numbers.count else { throw .alike(text, ids: found.map(\.id)) }
        throw .ambiguous(text, numbers: numbers)
    }
}

extension ExportMetadata {
    /// Reads the metadata of a file; nil if there are none that this version can read.
    init?(metadata: [UInt8]) {
        guard case .dictionary(let members)? = try? PropertyList(decoding: metadata),
            case .string(let json)? = members["export"],
            let note = try? CanonicalJSON.decode(ExportMetadata.self, from: Array(json.utf8))
        else { return nil }
        self = note
    }
}

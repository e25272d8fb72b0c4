/// Why a property list cannot be encoded, or bytes are not a property list.
///
/// `path` is the place from the top, such as `entries[3].name`; it is empty at the top.
@nonexhaustive
public enum PropertyListError: Error, Equatable, Sendable {
    /// The bytes end inside the value at `path`.
    case truncated(path: String)
    /// Bytes follow the value, from `offset` on.
    case trailing(offset: Int)
    /// No value has this tag.
    case unknownTag(UInt8, path: String)
    /// The value at `path` does not have its only valid encoding: a number in too many bytes or out of range, or keys
    /// that are not in ascending order.
    case notCanonical(path: String)
    /// A text or key at `path` that is not UTF-8.
    case notText(path: String)
    /// More than ``PropertyList/depthMax`` levels.
    case tooDeep(path: String)
    /// More bytes than the caller allows.
    case tooLarge(byteCount: Int, byteCountMax: Int)
}

extension PropertyListError: CustomStringConvertible {
    /// The error, where it is, and what to do about it.
    public var description: String {
        switch self {
        case .truncated(let path): "The property list ends inside \(Self.name(path)): send the whole of it."
        case .trailing(let offset): "The property list ends at byte \(offset), but more bytes follow: send one value."
        case .unknownTag(let tag, let path):
            "\(Self.name(path)) has the tag \(tag), which no value has: the sender is newer, or the bytes are damaged."
        case .notCanonical(let path):
            "\(Self.name(path)) is not in its canonical form: encode it as the table of PropertyList says."
        case .notText(let path): "\(Self.name(path)) is not UTF-8: send texts in UTF-8, and other bytes as data."
        case .tooDeep(let path):
            "\(Self.name(path)) lies more than \(PropertyList.depthMax) levels deep: nest less."
        case .tooLarge(let byteCount, let byteCountMax):
            "The property list takes \(byteCount) bytes, and \(byteCountMax) are allowed: send less, or a file."
        }
    }

    private static func name(_ path: String) -> String { path.isEmpty ? "The value" : "The value at \(path)" }
}

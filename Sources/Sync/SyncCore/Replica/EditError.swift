/// Why a watch does not accept an edit; nothing was changed.
public enum EditError: Error, Hashable, Sendable {
    /// The maximum number of edits already waits for the hub.
    case full(waiting: Int)
    /// The edit changes more than ``Edit/changeCountMax`` cells.
    case tooManyChanges(Int)
    /// A value is longer than ``Edit/valueByteCountMax``.
    case valueTooLarge(CellKey, byteCount: Int)
    /// The name of a kind or of a group is empty or longer than 64 bytes.
    case badName(String)
    /// No open conflict has this identifier.
    case unknownConflict(RandomID)
    /// The store could not write it, for this reason.
    case notStored(String)
    /// Too many edits wait for the store; try again later.
    case busy
}

extension EditError: CustomStringConvertible {
    /// The error, and what to do about it.
    public var description: String {
        switch self {
        case .full(let waiting):
            "\(waiting) edits wait for the hub already, the most that may: connect the watch to its hub first"
        case .tooManyChanges(let count):
            "an edit of \(count) values is too large, at most \(Edit.changeCountMax) go together: change less at a time"
        case .valueTooLarge(let key, let byteCount):
            "the value of \(key.kind)/\(key.group) has \(byteCount) bytes, at most \(Edit.valueByteCountMax) are possible"
        case .badName(let name): "\(name) is not a valid name: names have 1 to 64 bytes"
        case .unknownConflict: "the conflict has just been settled"
        case .notStored(let reason): "it could not be stored, and was not changed: \(reason)"
        case .busy: "too many edits are being stored: try again"
        }
    }
}

/// Why a watch does not take an edit; nothing was changed.
public enum EditFault: Error, Hashable, Sendable {
    /// This many edits wait for the hub already, the most that may.
    case full(waiting: Int)
    /// An edit changes at most ``Edit/changeCountMax`` cells.
    case tooManyChanges(Int)
    /// A value is longer than ``Edit/valueByteCountMax``.
    case valueTooLarge(CellKey, byteCount: Int)
    /// The name of a kind or of a group is empty or longer than 64 bytes.
    case badName(String)
    /// No open conflict has this name.
    case unknownConflict(RandomID)
    /// The store could not keep it.
    case notStored(String)
    /// Too many edits wait for the store; try again later.
    case busy
}

extension EditFault: CustomStringConvertible {
    /// What is wrong, and the way out.
    public var description: String {
        switch self {
        case .full(let waiting):
            "\(waiting) edits wait for the hub already, the most that may: bring the watch to its hub first"
        case .tooManyChanges(let count):
            "an edit of \(count) values is too large, at most \(Edit.changeCountMax) go together: change less at a time"
        case .valueTooLarge(let key, let byteCount):
            "the value of \(key.kind)/\(key.group) has \(byteCount) bytes, at most \(Edit.valueByteCountMax) are possible"
        case .badName(let name): "\(name) is no name of a value: names have 1 to 64 bytes"
        case .unknownConflict: "the conflict has just been settled"
        case .notStored(let reason): "it could not be stored, and was not changed: \(reason)"
        case .busy: "too many edits are being stored: try again"
        }
    }
}

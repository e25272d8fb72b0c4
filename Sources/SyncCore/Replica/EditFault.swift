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

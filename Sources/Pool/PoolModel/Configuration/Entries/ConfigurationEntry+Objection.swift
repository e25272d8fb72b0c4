extension ConfigurationEntry {
    /// Why a value that a watch wrote is not accepted, in words; nil if it is accepted.
    ///
    /// The value is read exactly as ``PoolConfiguration/init(entries:problems:)`` reads it later, but only by itself.
    /// Whether the records that it refers to exist depends on all other entries; ``PoolConfiguration/repairs(of:)``
    /// handles that.
    ///
    /// - Parameters:
    ///   - value: The value; nil deletes the entry.
    ///   - key: The key of the entry.
    /// - Returns: The reason; always the same for the same arguments.
    public static func objection(to value: [UInt8]?, at key: Key) -> String? {
        guard let group = EntryGroup(kind: key.kind, group: key.group) else {
            return "\(key.kind)/\(key.group) is not known at this hub"
        }
        guard let value else {
            return group.isRequired ? "a \(group.kind) cannot be without its \(group.group)" : nil
        }
        do {
            try group.check(value, key)
            return nil
        } catch let error as CanonicalJSON.Failure {
            return "the \(group.group) of a \(group.kind) cannot be read: \(error.reason)"
        } catch {
            return "\(error)"
        }
    }
}

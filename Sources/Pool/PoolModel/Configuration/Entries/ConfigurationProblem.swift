/// A problem in stored or received entries that was ignored or repaired.
///
/// No problem stops a program.
@nonexhaustive
public enum ConfigurationProblem: Hashable, Sendable {
    /// The kind or the group is unknown here; the entry was left out, and no edit deletes it.
    case unknownEntry(ConfigurationEntry.Key)
    /// Two entries have the same key; the first one counts.
    case repeatedEntry(ConfigurationEntry.Key)
    /// The value is not the JSON that the group requires; the entry was left out.
    case unreadableEntry(ConfigurationEntry.Key, reason: String)
    /// The value breaks a rule; it was replaced by the default if there is one.
    case invalidEntry(ConfigurationEntry.Key, ConfigurationError)
    /// A record lacks a required group; the whole record was left out.
    case incompleteRecord(kind: String, record: ConfigurationEntry.Record, missingGroup: String)
    /// The server of a device does not exist; the device is kept.
    case serverMissing(DeviceID, deviceName: String, ServerID)
    /// The pool of a device does not exist; the device is treated as having none.
    case poolMissing(DeviceID, PoolID)
    /// Two devices of a server have the same topic; readings are assigned to the first.
    case topicShared(String, DeviceID, DeviceID)
    /// The selection referred to records that do not exist or do not belong together, and was repaired.
    case selectionRepaired(stored: Selection, repaired: Selection)
}

extension ConfigurationProblem: CustomStringConvertible {
    /// One sentence for a person.
    public var description: String {
        switch self {
        case .unknownEntry(let key): "The entry \(key) is of a kind that this version does not know: it was left alone."
        case .repeatedEntry(let key): "The entry \(key) is there twice: the first one counts."
        case .unreadableEntry(let key, let reason): "The entry \(key) cannot be read (\(reason)): it was left out."
        case .invalidEntry(let key, let error): "The entry \(key) is not valid. \(error)"
        case .incompleteRecord(let kind, let record, let group):
            "The \(kind) \(record) has no readable \(group): it was left out."
        case .serverMissing(let device, let name, let server):
            "The server \(server) of the device \(Excerpt(name)) (\(device)) does not exist: "
                + "give the device another server, or remove it."
        case .poolMissing(let device, let pool):
            "The pool \(pool) of the device \(device) does not exist: the device has none for now."
        case .topicShared(let topic, let first, let second):
            "The devices \(first) and \(second) have the same topic \(Excerpt(topic)): its readings go to the first."
        case .selectionRepaired(let stored, let repaired):
            "The selection (\(Self.text(stored))) does not exist as stored: now it is \(Self.text(repaired))."
        }
    }

    private static func text(_ selection: Selection) -> String {
        let server = selection.serverID.map { "server \($0)" } ?? "no server"
        let device = selection.deviceID.map { "device \($0)" } ?? "no device"
        return "\(server), \(device)"
    }
}

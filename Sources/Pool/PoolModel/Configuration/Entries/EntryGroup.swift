/// A group of fields that is one entry: its place, who may see and change it, how it is checked, and its words.
struct EntryGroup: Sendable {
    /// What watches may do with a group.
    enum Access {
        /// They never get it.
        case hidden
        /// They get it, and only the hub changes it.
        case seen
        /// They get it, and people may change it on a watch.
        case changed
    }

    /// The kind of its records.
    let kind: String
    /// Its name among the groups of the kind.
    let group: String
    /// What it is in a list of changes, without its record.
    let subject: String
    private let access: Access
    /// The first record version in which watches see the group.
    let firstVersion: UInt32
    /// Whether a record of the kind requires it.
    let isRequired: Bool
    /// Whether values have so many parts that a comparison of two of them only describes the differences.
    let isRaw: Bool
    /// The only record of a group of preferences; nil for groups with many records.
    let onlyRecord: ConfigurationEntry.Record?
    /// Checks a value at a key by itself.
    let check: @Sendable (_ value: [UInt8], _ key: ConfigurationEntry.Key) throws -> Void
    /// A value in words.
    let words: @Sendable (_ value: [UInt8], EntryFormatter) throws -> String

    init(
        kind: String, group: String, subject: String, access: Access, firstVersion: UInt32 = 1,
        isRequired: Bool = false,
        isRaw: Bool = false, onlyRecord: ConfigurationEntry.Record? = nil,
        check: @escaping @Sendable ([UInt8], ConfigurationEntry.Key) throws -> Void,
        words: @escaping @Sendable ([UInt8], EntryFormatter) throws -> String
    ) {
        self.kind = kind
        self.group = group
        self.subject = subject
        self.access = access
        self.firstVersion = firstVersion
        self.isRequired = isRequired
        self.isRaw = isRaw
        self.onlyRecord = onlyRecord
        self.check = check
        self.words = words
    }

    /// A group whose value has a type of its own.
    private init<Value: Decodable & SendableMetatype>(
        _ kind: String, _ group: String, _ subject: String, _ access: Access, firstVersion: UInt32 = 1,
        isRaw: Bool = false, onlyRecord: ConfigurationEntry.Record? = nil, holding type: Value.Type,
        check: @escaping @Sendable (Value, ConfigurationEntry.Key) throws -> Void = { _, _ in },
        words: @escaping @Sendable (Value, EntryFormatter) -> String
    ) {
        self.init(
            kind: kind, group: group, subject: subject, access: access, firstVersion: firstVersion, isRaw: isRaw,
            onlyRecord: onlyRecord
        ) { bytes, key in
            try check(try CanonicalJSON.decode(type, from: bytes), key)
        } words: { bytes, formatter in
            words(try CanonicalJSON.decode(type, from: bytes), formatter)
        }
    }

    /// Whether watches get it.
    var isVisibleToWatches: Bool { access != .hidden }
    /// Whether a person may change it on a watch; only the hub changes the others.
    var isEditableOnWatches: Bool { access == .changed }
    /// Whether its records are preferences of the hub or answers, which belong to no record of a person.
    var isOfNoRecord: Bool { kind == Self.preferenceKind || kind == Self.alertKind }

    static let alertKind = "alert"
    static let preferenceKind = "pref"

    static let allCases: [EntryGroup] =
        Server.cells.map(\.group) + Device.cells.map(\.group) + Pool.cells.map(\.group)
        + [selection, history, export, alerts, alertAnswer]

    private static let byKey = Dictionary(uniqueKeysWithValues: allCases.map { ("\($0.kind)/\($0.group)", $0) })

    init?(kind: String, group: String) {
        guard let found = Self.byKey["\(kind)/\(group)"] else { return nil }
        self = found
    }

    /// The group of a record's name, which all kinds of records have.
    static let nameGroup = "name"

    static var deviceName: EntryGroup { known(Device.kind, nameGroup) }
    static var devicePool: EntryGroup { known(Device.kind, "pool") }
    static var poolName: EntryGroup { known(Pool.kind, nameGroup) }
    static func deviceLimits(_ quantity: Quantity) -> EntryGroup { known(Device.kind, limits(quantity)) }

    static func limits(_ quantity: Quantity) -> String { "limits-\(quantity.rawValue)" }

    private static func known(_ kind: String, _ group: String) -> EntryGroup {
        guard let known = EntryGroup(kind: kind, group: group) else { preconditionFailure("no cell \(kind)/\(group)") }
        return known
    }

    // MARK: - Preferences and answers

    static let selection = EntryGroup(
        preferenceKind, "selection", "selected device", .changed, onlyRecord: ConfigurationEntry.selectionRecord,
        holding: EntryFields.SelectedRecords.self,
        check: { _, key in
            guard key.record == ConfigurationEntry.selectionRecord else {
                throw CanonicalJSON.Failure(
                    reason: "there is one selection only, of the record \(ConfigurationEntry.selectionRecord)")
            }
        },
        words: { fields, formatter in
            fields.deviceID.map { formatter.name(of: $0.as(ConfigurationEntry.self)) } ?? "none"
        })

    static let history = EntryGroup(
        preferenceKind, "history", "time that the history is kept", .hidden,
        onlyRecord: ConfigurationEntry.Record(high: 0, low: 2), holding: HistorySettings.self,
        words: { settings, _ in "\(settings.rawDays) days, summaries \(settings.summaryDays) days" })

    static let export = EntryGroup(
        preferenceKind, "export", "export of the history", .hidden,
        onlyRecord: ConfigurationEntry.Record(high: 0, low: 3), holding: ExportSettings.self,
        words: { settings, _ in
            "\(settings.period.rawValue) \(settings.format.rawValue) to \(Excerpt(settings.folder))"
        })

    static let alerts = EntryGroup(
        kind: preferenceKind, group: "alerts", subject: "settings of alerts", access: .hidden, isRaw: true,
        onlyRecord: ConfigurationEntry.Record(high: 0, low: 4)
    ) { bytes, _ in
        _ = try CanonicalJSON.decode(AlertSettings.self, from: bytes)
    } words: { bytes, _ in
        EntryFormatter.unknown(bytes)
    }

    static let alertAnswer = EntryGroup(
        alertKind, "answer", "answer to an alert", .changed, firstVersion: 2, holding: AlertAnswer.self,
        check: { answer, key in
            guard key.record == AlertAnswer.record(of: answer.key) else {
                throw CanonicalJSON.Failure(reason: "the answer to \(answer.key.text) belongs to another record")
            }
        },
        words: { answer, _ in
            (answer.isAcknowledged ? "acknowledged" : answer.snoozedUntil == nil ? "none" : "snoozed")
                + " (\(answer.key.text))"
        })

    // MARK: - Entries

    /// The entry of a group of preferences, which has only one record.
    func onlyEntry(_ fields: some Encodable) -> ConfigurationEntry {
        guard let onlyRecord else { preconditionFailure("\(kind)/\(group) has a record for each thing") }
        return entry(of: onlyRecord, fields: fields)
    }

    /// The entry of this group with these fields.
    func entry(of record: ConfigurationEntry.Record, fields: some Encodable) -> ConfigurationEntry {
        ConfigurationEntry(
            key: ConfigurationEntry.Key(kind: kind, record: record, group: group),
            value: CanonicalJSON.bytes(ofEncodable: fields))
    }
}

/// Groups are the same if their places are.
extension EntryGroup: Hashable {
    static func == (group: EntryGroup, other: EntryGroup) -> Bool {
        group.kind == other.kind && group.group == other.group
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(group)
    }
}

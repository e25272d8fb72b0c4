/// The merge of another hub's configuration into this hub's configuration.
///
/// The two are compared entry by entry, see ``ConfigurationEntry``; records are the same if their identifiers are
/// equal.
///
/// | | the other one has it | the other one does not |
/// |---|---|---|
/// | this hub has it | it stays; where the two differ, ``Policy/keep`` decides | it stays, or goes if ``Policy/removesOthers`` |
/// | this hub does not | it is added | |
///
/// Default settings count as absent, and so does an empty selection. Answers to alerts are not merged, because only
/// the hub with the alerts can use them. A merge changes nothing by itself.
public struct ConfigurationMerge: Sendable {
    /// One of the two configurations.
    public enum Side: String, Hashable, Codable, CaseIterable, Sendable {
        /// The configuration of this hub.
        case mine
        /// The configuration of the other hub.
        case theirs
    }

    /// The rules of a merge.
    public struct Policy: Hashable, Codable, Sendable {
        /// Whose value is kept if the two differ; nil if undecided, in which case this hub's value stays for now.
        public var keep: Side?
        /// Whether records that only this hub has are removed.
        public var removesOthers: Bool

        /// Creates a policy; by default nothing is decided and nothing is removed.
        public init(keep: Side? = nil, removesOthers: Bool = false) {
            self.keep = keep
            self.removesOthers = removesOthers
        }
    }

    /// The result for an item that differs between the two sides.
    public enum Outcome: String, Hashable, Codable, CaseIterable, Sendable {
        /// Both have it and differ, and it is undecided whose is kept.
        case undecided
        /// Both have it and differ; this hub's is kept.
        case mine
        /// Both have it and differ; the other hub's is kept.
        case theirs
        /// Only the other hub has it, and it is added.
        case added
        /// Only this hub has it, and it is removed.
        case removed
        /// Only this hub has it, and it stays.
        case stays
    }

    /// An item that differs between the two sides: a whole server, device or pool if only one side has it, otherwise
    /// an entry.
    public struct Row: Hashable, Codable, Sendable {
        /// The result for it.
        public var outcome: Outcome
        /// The subject, such as `name of the device "Lagoon"`.
        public var subject: String
        /// The value here, in words; nil if it does not exist here.
        public var mine: String?
        /// The other hub's value, in words; nil if it does not exist there.
        public var theirs: String?

        private enum CodingKeys: String, CodingKey {
            case outcome = "fate"
            case subject
            case mine
            case theirs
        }

        /// Creates a row.
        public init(outcome: Outcome, subject: String, mine: String?, theirs: String?) {
            self.outcome = outcome
            self.subject = subject
            self.mine = mine
            self.theirs = theirs
        }
    }

    /// The configuration of this hub.
    public let mine: PoolConfiguration
    /// The configuration of the other hub.
    public let theirs: PoolConfiguration
    /// The rules of the merge.
    public let policy: Policy
    /// The merged configuration; it satisfies all rules of a configuration, except those that ``clashes`` reports.
    public let merged: PoolConfiguration
    /// The items that differ, in the order of the results, then sorted by kind and record.
    public let rows: [Row]
    /// The number of entries that are the same on both sides.
    public let sameCount: Int

    /// Merges; nothing is changed.
    public init(_ theirs: PoolConfiguration, into mine: PoolConfiguration, by policy: Policy) {
        self.mine = mine
        self.theirs = theirs
        self.policy = policy
        let (before, offered) = (Self.values(of: mine), Self.values(of: theirs))
        var table = MergeTable(mine: mine, theirs: theirs)
        var entries = mine.answers.map(\.entry)
        var sameCount = 0
        for key in Set(before.keys).union(offered.keys).sorted() {
            let (own, other) = (before[key], offered[key])
            if own == other { sameCount += 1 }
            let outcome = Self.outcome(hasMine: own != nil, hasTheirs: other != nil, policy)
            let value: [UInt8]? =
                switch outcome {
                case .undecided, .mine, .stays: own
                case .theirs, .added: other
                case .removed: nil
                }
            if let value { entries.append(ConfigurationEntry(key: key, value: value)) }
            if own != other { table.add(outcome, key, mine: own, theirs: other) }
        }
        merged = PoolConfiguration(entries: entries)
        rows = table.rows
        self.sameCount = sameCount
    }

    /// The changes from this hub's configuration to the merged one, sorted by key; none if they are equal.
    public var changes: [ConfigurationChange] { merged.entries(changing: mine) }

    private static func outcome(hasMine: Bool, hasTheirs: Bool, _ policy: Policy) -> Outcome {
        switch (hasMine, hasTheirs) {
        case (false, _): return .added
        case (true, false): return policy.removesOthers ? .removed : .stays
        case (true, true):
            switch policy.keep {
            case .mine: return .mine
            case .theirs: return .theirs
            case nil: return .undecided
            }
        }
    }

    private static func values(of configuration: PoolConfiguration) -> [ConfigurationEntry.Key: [UInt8]] {
        Dictionary(configuration.sharedEntries.map { ($0.key, $0.value) }) { first, _ in first }
    }
}

extension PoolConfiguration {
    /// The entries that two hubs can share, sorted by key: all except answers to alerts and an empty selection.
    public var sharedEntries: [ConfigurationEntry] {
        entries().filter { entry in
            let group = EntryGroup(kind: entry.key.kind, group: entry.key.group)
            return group != .alertAnswer && (group != .selection || selection != .none)
        }
    }
}

/// Collects the rows of a merge.
private struct MergeTable {
    private let mine: [RecordName: String]
    private let theirs: [RecordName: String]
    private let words: EntryFormatter
    private var collected: [ConfigurationMerge.Row] = []

    init(mine: PoolConfiguration, theirs: PoolConfiguration) {
        self.mine = mine.sketches
        self.theirs = theirs.sketches
        words = EntryFormatter(mine.entries() + theirs.entries())
    }

    /// The rows, in the order of their results.
    var rows: [ConfigurationMerge.Row] {
        ConfigurationMerge.Outcome.allCases.flatMap { outcome in collected.filter { $0.outcome == outcome } }
    }

    mutating func add(
        _ outcome: ConfigurationMerge.Outcome, _ key: ConfigurationEntry.Key, mine own: [UInt8]?, theirs other: [UInt8]?
    ) {
        let record = RecordName(kind: key.kind, record: key.record)
        let (here, there) = (mine[record], theirs[record])
        if (here == nil) != (there == nil) {
            // A record that only one side has gets one row, for its name.
            guard key.group == EntryGroup.nameGroup else { return }
            collected.append(
                ConfigurationMerge.Row(outcome: outcome, subject: words.record(of: key), mine: here, theirs: there))
            return
        }
        var sides = (words.value(own, of: key), words.value(other, of: key))
        if let own, let other, sides.0 == sides.1 || words.isRaw(key), let difference = JSONDifference(own, other) {
            sides = (difference.first, difference.second)
        }
        collected.append(
            ConfigurationMerge.Row(outcome: outcome, subject: words.subject(of: key), mine: sides.0, theirs: sides.1))
    }
}

extension PoolConfiguration {
    /// A short description of each server, device and pool.
    fileprivate var sketches: [RecordName: String] {
        var all: [RecordName: String] = [:]
        for server in servers {
            let name = RecordName(kind: Server.kind, record: server.id.as(ConfigurationEntry.self))
            all[name] = server.address
        }
        for device in devices {
            let name = RecordName(kind: Device.kind, record: device.id.as(ConfigurationEntry.self))
            all[name] = "on \(Excerpt(device.topic))"
        }
        for pool in pools {
            let name = RecordName(kind: Pool.kind, record: pool.id.as(ConfigurationEntry.self))
            all[name] = pool.volume.map { DisplayUnits.current.text(volume: $0) } ?? "of unknown volume"
        }
        return all
    }
}

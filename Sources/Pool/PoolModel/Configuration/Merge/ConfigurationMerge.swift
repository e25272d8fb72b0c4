/// What becomes of a hub's configuration when that of another hub is taken in.
///
/// Both are compared entry by entry, see ``ConfigurationEntry``; records are the same if their identities are.
///
/// | | the other one has it | the other one does not |
/// |---|---|---|
/// | this hub has it | it stays; where the two differ, ``Policy/keep`` decides | it stays, or goes if ``Policy/removesOthers`` |
/// | this hub does not | it is added | |
///
/// Settings that are the default count as not there, and so does a selection of nothing. Answers to alerts are no part
/// of it: only the hub that alerts has the alerts that they answer. A merge changes nothing by itself.
public struct ConfigurationMerge: Sendable {
    /// One of the two configurations.
    public enum Side: String, Hashable, Codable, CaseIterable, Sendable {
        /// That of this hub.
        case mine
        /// That which is taken in.
        case theirs
    }

    /// What decides.
    public struct Policy: Hashable, Codable, Sendable {
        /// Whose value is kept where the two differ; nil while nobody has said, and this hub's stays for now.
        public var keep: Side?
        /// Whether what only this hub has goes.
        public var removesOthers: Bool

        /// Creates a policy; by default nothing is decided and nothing goes.
        public init(keep: Side? = nil, removesOthers: Bool = false) {
            self.keep = keep
            self.removesOthers = removesOthers
        }
    }

    /// What becomes of one thing that is not the same on both sides.
    public enum Fate: String, Hashable, Codable, CaseIterable, Sendable {
        /// Both have it and differ, and nobody has said whose is kept.
        case undecided
        /// Both have it and differ; this hub's is kept.
        case mine
        /// Both have it and differ; the other one's is kept.
        case theirs
        /// Only the other one has it, and it is added.
        case added
        /// Only this hub has it, and it goes.
        case removed
        /// Only this hub has it, and it stays.
        case stays
    }

    /// One thing that is not the same on both sides: a whole server, device or pool where only one side has it, else an
    /// entry.
    public struct Row: Hashable, Codable, Sendable {
        /// What becomes of it.
        public var fate: Fate
        /// What it is, such as `name of the device "Lagoon"`.
        public var subject: String
        /// What it is here, in words; nil if it is not there.
        public var mine: String?
        /// What the other one has, in words; nil if it has not.
        public var theirs: String?

        /// Creates a row.
        public init(fate: Fate, subject: String, mine: String?, theirs: String?) {
            self.fate = fate
            self.subject = subject
            self.mine = mine
            self.theirs = theirs
        }
    }

    /// The configuration of this hub.
    public let mine: PoolConfiguration
    /// The configuration that is taken in.
    public let theirs: PoolConfiguration
    /// What decides.
    public let policy: Policy
    /// What comes of the two, with every rule of a configuration kept but those that ``clashes`` names.
    public let merged: PoolConfiguration
    /// What is not the same on both sides, in the order of the fates, and then sorted by kind and record.
    public let rows: [Row]
    /// How many entries are the same on both sides.
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
            let fate = Self.fate(hasMine: own != nil, hasTheirs: other != nil, policy)
            let value: [UInt8]? =
                switch fate {
                case .undecided, .mine, .stays: own
                case .theirs, .added: other
                case .removed: nil
                }
            if let value { entries.append(ConfigurationEntry(key: key, value: value)) }
            if own != other { table.add(fate, key, mine: own, theirs: other) }
        }
        merged = PoolConfiguration(entries: entries)
        rows = table.rows
        self.sameCount = sameCount
    }

    /// The changes that make this hub's configuration the merged one, sorted by key; none if it is that already.
    public var changes: [ConfigurationChange] { merged.entries(changing: mine) }

    private static func fate(hasMine: Bool, hasTheirs: Bool, _ policy: Policy) -> Fate {
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
    /// The entries that two hubs can share, sorted by key: all but the answers to alerts, and a selection of nothing.
    public var sharedEntries: [ConfigurationEntry] {
        entries().filter { entry in
            switch EntryGroup(kind: entry.key.kind, group: entry.key.group) {
            case .alertAnswer: false
            case .selection: selection != .none
            case .serverName, .serverEndpoint, .deviceName, .deviceMembership, .deviceSource, .deviceTiming,
                .deviceLimits, .devicePool, .deviceMapping, .deviceCalibration, .serverAnnouncement, .poolName,
                .poolWater, .poolLimits, .history, .export, .alerts, nil:
                true
            }
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

    /// The rows, in the order of their fates.
    var rows: [ConfigurationMerge.Row] {
        ConfigurationMerge.Fate.allCases.flatMap { fate in collected.filter { $0.fate == fate } }
    }

    mutating func add(
        _ fate: ConfigurationMerge.Fate, _ key: ConfigurationEntry.Key, mine own: [UInt8]?, theirs other: [UInt8]?
    ) {
        let record = RecordName(kind: key.kind, record: key.record)
        let (here, there) = (mine[record], theirs[record])
        if (here == nil) != (there == nil) {
            // A record that only one side has is one row, that of its name.
            guard key.group == EntryGroup.deviceName.group else { return }
            collected.append(
                ConfigurationMerge.Row(fate: fate, subject: words.record(of: key), mine: here, theirs: there))
            return
        }
        var sides = (words.value(own, of: key), words.value(other, of: key))
        if let own, let other, sides.0 == sides.1 || words.isRaw(key), let difference = JSONDifference(own, other) {
            sides = (difference.first, difference.second)
        }
        collected.append(
            ConfigurationMerge.Row(fate: fate, subject: words.subject(of: key), mine: sides.0, theirs: sides.1))
    }
}

extension PoolConfiguration {
    /// What each server, device and pool is, in a few words.
    fileprivate var sketches: [RecordName: String] {
        var all: [RecordName: String] = [:]
        for server in servers {
            let host = server.host.contains(":") ? "[\(server.host)]" : server.host
            let name = RecordName(kind: EntryGroup.serverKind, record: server.id.as(ConfigurationEntry.self))
            all[name] = "\(host):\(server.port)"
        }
        for device in devices {
            let name = RecordName(kind: EntryGroup.deviceKind, record: device.id.as(ConfigurationEntry.self))
            all[name] = "on \(Excerpt(device.topic))"
        }
        for pool in pools {
            let name = RecordName(kind: EntryGroup.poolKind, record: pool.id.as(ConfigurationEntry.self))
            all[name] = pool.volume.map { "\(EntryFormatter.text($0)) m³" } ?? "of unknown volume"
        }
        return all
    }
}

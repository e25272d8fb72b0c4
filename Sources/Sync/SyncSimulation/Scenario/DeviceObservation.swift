public import SyncCore

/// What can be seen of one device from outside.
public struct DeviceObservation: Hashable, Codable, Sendable {
    /// Whether its process runs and is not stopped.
    public var isRunning = true
    /// The version of what it shows, nil before the first.
    public var version: String?
    /// The histories that it knows, with those that it has left.
    public var epochCount = 1
    /// The values that it shows, by cell.
    public var cells: [String: String] = [:]
    /// The open conflicts that it knows.
    public var conflicts: [ConflictObservation] = []
    /// The edits that the hub has not confirmed.
    public var waitingEditCount = 0
    /// The link: `waiting`, `linked`, `lost`, `refused`, `notAdmitted`; without meaning at a hub.
    public var link = "waiting"
    /// The watches with which a hub has a session in which frames go both ways, by the names under which it knows them.
    public var linkedWatches: [String] = []
    /// The code of the refusal, if it is refused.
    public var refusal: String?
    /// The user info that its application has received, in order.
    public var items: [ItemObservation] = []
    /// The files that its application has received, or is receiving.
    public var files: [FileObservation] = []
    /// What a hub has warned of.
    public var warnings: [WarningObservation] = []

    /// Creates the observation of a device of which nothing is known.
    public init() {}

    /// Whether it has left a history.
    var hasForked: Bool { epochCount > 1 }

    /// An open conflict.
    public struct ConflictObservation: Hashable, Codable, Sendable {
        /// The cell.
        public var cell: String
        /// The name by which it is settled.
        public var id: String
        /// The value that lost, nil for a deletion.
        public var loser: String?
        /// The value that won, nil for a deletion.
        public var winner: String?
        /// The rule.
        public var rule: String

        /// Creates an open conflict.
        public init(cell: String, id: String, loser: String?, winner: String?, rule: String) {
            self.cell = cell
            self.id = id
            self.loser = loser
            self.winner = winner
            self.rule = rule
        }
    }

    /// User info that arrived.
    public struct ItemObservation: Hashable, Codable, Sendable {
        /// Its text.
        public var text: String
        /// The name of the watch that sent it; nil at a watch.
        public var from: String?
        /// Whether it came with priority.
        public var isUrgent: Bool

        /// Creates received user info.
        public init(text: String, from: String?, isUrgent: Bool) {
            self.text = text
            self.from = from
            self.isUrgent = isUrgent
        }
    }

    /// A file that arrives or arrived.
    public struct FileObservation: Hashable, Codable, Sendable {
        /// Its name.
        public var name: String
        /// The bytes that have arrived.
        public var byteCount: UInt64 = 0
        /// Whether it is complete, and has the right bytes.
        public var isWhole = false
        /// Whether the bytes that had arrived became fewer at some time.
        public var hasShrunk = false

        /// Creates a file of which nothing has arrived.
        public init(name: String) {
            self.name = name
        }

        /// This many bytes have arrived.
        public mutating func arrived(_ byteCount: UInt64) {
            if byteCount < self.byteCount { hasShrunk = true }
            self.byteCount = byteCount
        }
    }

    /// A warning.
    public struct WarningObservation: Hashable, Codable, Sendable {
        /// The watch.
        public var watch: String
        /// What it is about, one of ``ScenarioWarning``.
        public var kind: String

        /// Creates a warning.
        public init(watch: String, kind: ScenarioWarning) {
            self.watch = watch
            self.kind = kind.rawValue
        }
    }
}

extension DeviceObservation {
    /// Shows a version.
    public mutating func show(_ version: Version?) {
        self.version = version.map { "\($0.epoch.number).\($0.revision).\($0.chain)" }
    }

    /// Shows open conflicts.
    public mutating func show(_ conflicts: [Conflict]) {
        self.conflicts = conflicts.compactMap { conflict in
            guard let cell = CellName(conflict.key) else { return nil }
            return ConflictObservation(
                cell: cell.text, id: conflict.id.hexadecimal, loser: conflict.loser.value,
                winner: conflict.winner?.value, rule: conflict.rule.rawValue)
        }
    }

    /// Shows the state of a watch's link.
    public mutating func show(_ link: WatchEngine.Link) {
        switch link {
        case .waiting: self.link = "waiting"
        case .linked: self.link = "linked"
        case .lost: self.link = "lost"
        case .refused(let refusal):
            self.link = "refused"
            self.refusal = refusal.code.rawValue
        }
    }

    /// Shows the cells of a hub.
    public mutating func show(_ cells: SortedMap<CellKey, Cell>) {
        for (key, cell) in cells.pairs {
            if let name = CellName(key), let value = cell.value { self.cells[name.text] = value }
        }
    }

    /// Shows the cells of a watch.
    public mutating func show(_ cells: SortedMap<CellKey, VisibleCell>) {
        for (key, cell) in cells.pairs {
            if let name = CellName(key), let value = cell.value { self.cells[name.text] = value }
        }
    }
}

// MARK: - Agreement

extension DeviceObservation {
    /// Looks whether every watch that runs is linked, has no edit left to send, and shows what the hub shows.
    ///
    /// - Parameters:
    ///   - observations: The devices, by name; the hub is `hub`.
    ///   - versions: The versions of the records that a device reads, unless it reads all.
    /// - Returns: Why they do not agree, as text; nil if they do.
    public static func disagreement(
        _ observations: [String: DeviceObservation], reading versions: [String: ClosedRange<UInt32>] = [:]
    ) -> String? {
        func newest(_ device: String) -> UInt32 { (versions[device] ?? ScenarioSchema.versions).upperBound }
        guard let hub = observations["hub"] else { return "there is no hub" }
        for (name, seen) in observations.sorted(by: { $0.key < $1.key }) where name != "hub" && seen.isRunning {
            guard seen.link == "linked" else { return "\(name)'s link is \(seen.link)" }
            guard seen.waitingEditCount == 0 else { return "\(seen.waitingEditCount) edits of \(name) wait" }
            guard seen.version == hub.version else {
                return "\(name) holds version \(seen.version ?? "none"), the hub \(hub.version ?? "none")"
            }
            let read = min(newest(name), newest("hub"))
            let projected = hub.cells.filter { pair in
                CellName(pair.key).map { ScenarioSchema.projects($0, to: read) } ?? false
            }
            let cells = Set(projected.keys).union(seen.cells.keys).sorted()
            if let cell = cells.first(where: { projected[$0] != seen.cells[$0] }) {
                let shown = [seen, hub].map { $0.cells[cell] ?? "nothing" }
                return "\(name) shows \(cell) = \(shown[0]), the hub \(shown[1])"
            }
        }
        return nil
    }
}

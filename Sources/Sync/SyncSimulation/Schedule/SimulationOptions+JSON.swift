import SyncCore

/// The options by name, as kept schedules and command lines write them.
extension SimulationOptions {
    private static var truths: [(String, WritableKeyPath<SimulationOptions, Bool>)] { [("isSwarm", \.isSwarm)] }

    private static var counts: [(String, WritableKeyPath<SimulationOptions, Int>)] {
        [
            ("watchCountMax", \.watchCountMax), ("stepLimit", \.stepLimit),
            ("registerCountMax", \.registerCountMax),
        ]
    }

    private static var durations: [(String, WritableKeyPath<SimulationOptions, Duration>)] {
        [
            ("chaos", \.chaos), ("recoveryLimit", \.recoveryLimit), ("lateStartLongest", \.lateStartLongest),
            ("delayLongest", \.delayLongest), ("reorderLongest", \.reorderLongest),
            ("partitionLongest", \.partitionLongest), ("storeDelayLongest", \.storeDelayLongest),
            ("slowStoreLongest", \.slowStoreLongest), ("downtimeLongest", \.downtimeLongest),
            ("stallLongest", \.stallLongest), ("wallJumpLongest", \.wallJumpLongest),
        ]
    }

    private static var chances: [(String, WritableKeyPath<SimulationOptions, Double>)] {
        [
            ("lateStartChance", \.lateStartChance), ("dropChance", \.dropChance),
            ("duplicateChance", \.duplicateChance), ("reorderChance", \.reorderChance),
            ("lateMessageChance", \.lateMessageChance), ("slowStoreChance", \.slowStoreChance),
            ("storeFailureChance", \.storeFailureChance), ("rollbackChance", \.rollbackChance),
            ("damageChance", \.damageChance), ("watchRollbackChance", \.watchRollbackChance),
            ("fileFailureChance", \.fileFailureChance), ("tailChance", \.tailChance),
            ("wideChance", \.wideChance), ("agedChance", \.agedChance),
            ("connectFailureChance", \.connectFailureChance),
        ]
    }

    private static var rates: [(String, WritableKeyPath<SimulationOptions, Double>)] {
        [
            ("changeRate", \.changeRate), ("registerRate", \.registerRate), ("invitationRate", \.invitationRate),
            ("unpairingRate", \.unpairingRate), ("resetRate", \.resetRate), ("partitionRate", \.partitionRate),
            ("hubCrashRate", \.hubCrashRate), ("watchCrashRate", \.watchCrashRate), ("stallRate", \.stallRate),
            ("wallJumpRate", \.wallJumpRate), ("replayRate", \.replayRate), ("editRate", \.editRate),
            ("settlingRate", \.settlingRate), ("itemRate", \.itemRate), ("cancelRate", \.cancelRate),
            ("messageRate", \.messageRate), ("fileRate", \.fileRate), ("forgeryRate", \.forgeryRate),
            ("floodRate", \.floodRate),
        ]
    }

    private static var drifts: [(String, WritableKeyPath<SimulationOptions, Double>)] {
        [("wallDriftMax", \.wallDriftMax)]
    }

    private static var numbers: [(String, WritableKeyPath<SimulationOptions, Double>)] { chances + rates + drifts }

    /// The options that differ from the usual run; fractions and durations as texts, since the JSON has whole numbers.
    var json: SortedMap<String, JSONValue> {
        let usual = SimulationOptions()
        var members = SortedMap<String, JSONValue>()
        for (name, path) in Self.truths where self[keyPath: path] != usual[keyPath: path] {
            members[name] = .bool(self[keyPath: path])
        }
        for (name, path) in Self.counts where self[keyPath: path] != usual[keyPath: path] {
            members[name] = .integer(Int64(self[keyPath: path]))
        }
        for (name, path) in Self.durations where self[keyPath: path] != usual[keyPath: path] {
            members[name] = .string(DurationNotation.text(self[keyPath: path]))
        }
        for (name, path) in Self.numbers where self[keyPath: path] != usual[keyPath: path] {
            members[name] = .string("\(self[keyPath: path])")
        }
        return members
    }

    /// Reads options; what is not named is as in the usual run.
    init(json value: JSONValue?) throws(ScheduleError) {
        self.init()
        guard let value else { return }
        guard case .object(let members) = value else {
            throw .member(name: "options", value: value.text, expected: "an object")
        }
        for (name, value) in members.pairs {
            try set(name, value)
        }
    }

    private mutating func set(_ name: String, _ value: JSONValue) throws(ScheduleError) {
        if let (_, path) = Self.truths.first(where: { $0.0 == name }) {
            self[keyPath: path] = try Self.read(name, value.bool, value, "true or false")
        } else if let (_, path) = Self.counts.first(where: { $0.0 == name }) {
            let limit: Int64 = name == "watchCountMax" ? 16 : 1_000_000_000
            let number = value.integer.flatMap { (1...limit).contains($0) ? Int($0) : nil }
            self[keyPath: path] = try Self.read(name, number, value, "a number from 1 to \(limit)")
        } else if let (_, path) = Self.durations.first(where: { $0.0 == name }) {
            let duration = value.string.flatMap { DurationNotation.duration($0) }.flatMap { $0 < .zero ? nil : $0 }
            self[keyPath: path] = try Self.read(name, duration, value, "\(DurationNotation.expected), as text")
        } else if let (_, path) = Self.numbers.first(where: { $0.0 == name }) {
            self[keyPath: path] = try Self.number(name, value)
        } else {
            let known = Self.truths.map(\.0) + Self.counts.map(\.0) + Self.durations.map(\.0) + Self.numbers.map(\.0)
            throw .unknown(name: "options.\(name)", known: known.sorted())
        }
    }

    /// A number within the bounds of what it means: beyond them a run would draw times that have no number.
    private static func number(_ name: String, _ value: JSONValue) throws(ScheduleError) -> Double {
        let number = value.string.flatMap { Double($0) }
        if rates.contains(where: { $0.0 == name }) {
            let fit = number.flatMap { $0 == 0 || (1e-6...1e6).contains($0) ? $0 : nil }
            return try read(name, fit, value, "0 or a number from 0.000001 to 1000000, as text")
        }
        let isChance = chances.contains { $0.0 == name }
        let fit = number.flatMap { (0...(isChance ? 1 : wallDriftLimit)).contains($0) ? $0 : nil }
        return try read(name, fit, value, "a number from 0 to \(isChance ? 1 : Int(wallDriftLimit)), as text")
    }

    private static func read<Value>(
        _ name: String, _ result: Value?, _ value: JSONValue, _ expected: String
    ) throws(ScheduleError) -> Value {
        guard let result else { throw .member(name: "options.\(name)", value: value.text, expected: expected) }
        return result
    }
}

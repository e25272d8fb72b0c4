import PoolSamples
import TestSupport
import Testing

@testable import PoolModel

/// V5 L3: the result of importing another hub's configuration.
@Suite(.longWork) struct ConfigurationMergeTests {
    private typealias Policy = ConfigurationMerge.Policy

    private func merge(
        _ theirs: PoolConfiguration, into mine: PoolConfiguration, keep: ConfigurationMerge.Side? = nil,
        removesOthers: Bool = false
    ) -> ConfigurationMerge {
        ConfigurationMerge(theirs, into: mine, by: Policy(keep: keep, removesOthers: removesOthers))
    }

    private func summary(_ merge: ConfigurationMerge) -> [String] {
        merge.rows.map { "\($0.outcome.rawValue): \($0.subject): \($0.mine ?? "–") | \($0.theirs ?? "–")" }
    }

    @Test(arguments: ConfigurationMerge.Side.allCases)
    func `V5 an empty hub becomes like the other one, whatever the policy`(keep: ConfigurationMerge.Side) throws {
        let theirs = try sampleConfiguration().adding(Pool(id: poolID(1), name: "Garden", volume: 48))

        let merge = merge(theirs, into: PoolConfiguration(), keep: keep)

        #expect(merge.merged == theirs)
        #expect(merge.clashes == [])
        #expect(merge.sameCount == 0)
        #expect(
            summary(merge) == [
                #"added: device "Lagoon": – | on "pool/sensor/main""#,
                #"added: device "Spa": – | on "pool/sensor/spa""#,
                #"added: device "露天風呂 onsen": – | on "pool/sensor/main""#,
                #"added: pool "Garden": – | 48 m³"#, #"added: selected device: – | "Lagoon""#,
                #"added: server "Home": – | broker.example:8884"#, #"added: server "Ryokan": – | 10.0.0.7:1883"#,
            ])
    }

    @Test func `V5 where the two differ the policy decides, entry by entry, and nothing goes`() throws {
        let mine = try sampleConfiguration()
        var renamed = lagoon
        renamed.name = "Big lagoon"
        renamed.limits[.orp] = Limits(criticalLow: 1, low: 2, high: 3, criticalHigh: 4)
        var moved = home
        moved.host = "other.example"
        let theirs = try mine.removing(device: spa.id).replacing(renamed).replacing(moved)

        let undecided = merge(theirs, into: mine)
        #expect(
            summary(undecided) == [
                #"undecided: name of the device "Lagoon": "Lagoon" | "Big lagoon""#,
                #"undecided: address of the server "Home": host "broker.example" | host "other.example""#,
                #"added: ORP limits of the device "Lagoon": – | 2…3 (critical outside 1…4)"#,
                #"stays: device "Spa": on "pool/sensor/spa" | –"#,
            ])
        let own = merge(theirs, into: mine, keep: .mine)
        #expect(own.merged.device(lagoon.id)?.name == "Lagoon")
        #expect(own.merged.device(lagoon.id)?.limits[.orp] == renamed.limits[.orp])
        #expect(own.merged.server(home.id)?.host == home.host)
        let other = merge(theirs, into: mine, keep: .theirs)
        #expect(other.merged.device(lagoon.id) == renamed)
        #expect(other.merged.server(home.id) == moved)
        #expect(other.merged.device(spa.id) == spa)
        #expect(other.changes.map(\.key.group) == ["limits-orp", "name", "endpoint"])
        let like = merge(theirs, into: mine, keep: .theirs, removesOthers: true)
        #expect(like.merged == theirs)
        #expect(summary(like).contains(#"removed: device "Spa": on "pool/sensor/spa" | –"#))
    }

    @Test func `V5 answers to alerts stay with their hub`() throws {
        let answer = AlertAnswer(
            key: .test, episodeID: AlertEpisodeID(high: 1, low: 2), isAcknowledged: true)
        let mine = PoolConfiguration(entries: try sampleConfiguration().entries() + [answer.entry])

        #expect(merge(PoolConfiguration(), into: mine, keep: .theirs, removesOthers: true).merged.answers == [answer])
        #expect(merge(mine, into: PoolConfiguration(), keep: .theirs).merged.answers == [])
        #expect(!mine.sharedEntries.contains { $0.key.kind == EntryGroup.alertKind })
    }

    @Test func `V5 two of a name or of a topic that only the merge brings together are refused`() throws {
        let mine = try PoolConfiguration().adding(home).adding(lagoon).adding(Pool(id: poolID(1), name: "Garden"))
        let twin = Device(id: deviceID(9), name: "Twin", serverID: home.id, topic: lagoon.topic)
        let theirs = try PoolConfiguration().adding(home).adding(twin).adding(Pool(id: poolID(2), name: "Garden"))

        let merge = merge(theirs, into: mine, keep: .theirs)

        let pools = [poolID(1), poolID(2)].map { String("\($0)".prefix(8)) }
        #expect(
            merge.clashes == [
                .name(.pool, "Garden", ids: pools), .topic(lagoon.topic, devices: ["Lagoon", "Twin"]),
            ])
        #expect(merge.clashes.first?.description.contains("`poolsensors pool edit` or `remove`") == true)
    }

    @Test func `V5 two of a name that one side has already are taken as they are`() throws {
        // Two concurrent edits can create such a pair.
        let first = Pool(id: poolID(1), name: "Garden")
        let second = Pool(id: poolID(2), name: "Back")
        let named = try PoolConfiguration().adding(first).adding(second)
        let pair = PoolConfiguration(
            entries: named.entries().map { entry in
                entry.key.record == second.id.as(ConfigurationEntry.self) && entry.key.group == "name"
                    ? EntryGroup.poolName.entry(of: entry.key.record, fields: EntryFields.Name(name: "Garden")) : entry
            })
        #expect(pair.pools.map(\.name) == ["Garden", "Garden"])

        #expect(merge(pair, into: PoolConfiguration()).clashes == [])
        #expect(merge(pair, into: PoolConfiguration()).merged == pair)
        #expect(merge(PoolConfiguration(), into: pair).clashes == [])
        // A third record with the same name is a new pair.
        let third = try PoolConfiguration().adding(Pool(id: poolID(3), name: "Garden"))
        #expect(merge(third, into: pair).clashes.count == 1)
    }

    @Test func `V5 a selection that the merge tears apart is mended, and stays so`() throws {
        // The other hub has selected a device that this hub has on another server.
        var moved = lagoon
        moved.serverID = ryokan.id
        moved.topic = "moved"
        let mine = try PoolConfiguration().adding(home).adding(ryokan).adding(moved)
        let theirs = try sampleConfiguration()

        let once = merge(theirs, into: mine, keep: .mine).merged

        #expect(once.selection == Selection(serverID: ryokan.id, deviceID: lagoon.id))
        #expect(merge(theirs, into: once, keep: .mine).changes == [])
    }

    @Test func `V5 over random configurations a merge keeps its promises`() throws {
        var generator = SplitMix64(seed: 11)
        var clashCount = 0
        for _ in 0..<100 {
            let base = randomConfiguration(using: &generator)
            let mine = randomEdits(of: base, using: &generator)
            let theirs = randomEdits(of: base, using: &generator)
            #expect(merge(theirs, into: PoolConfiguration()).merged == theirs)
            for (keep, removes) in [(ConfigurationMerge.Side.mine, false), (.theirs, false), (.theirs, true)] {
                let merge = merge(theirs, into: mine, keep: keep, removesOthers: removes)
                clashCount += merge.clashes.count
                let merged = merge.merged
                // Repeating the merge changes nothing.
                #expect(self.merge(theirs, into: merged, keep: keep, removesOthers: removes).changes == [])
                // Nothing is removed unless the policy says so.
                let (own, other) = (Set(mine.sharedEntries.map(\.key)), Set(theirs.sharedEntries.map(\.key)))
                let keys = Set(merged.sharedEntries.map(\.key))
                #expect(keys == (removes ? other : own.union(other)))
                // Kept entries are byte-equal, except for a repaired selection.
                let kept = keep == .mine ? mine : theirs
                let values = Dictionary(merged.sharedEntries.map { ($0.key, $0.value) }) { $1 }
                for entry in kept.sharedEntries where entry.key.group != "selection" {
                    #expect(values[entry.key] == entry.value, "\(entry.key)")
                }
                // Applying the changes to the stored entries gives the merged configuration.
                var stored = Dictionary(mine.entries().map { ($0.key, $0.value) }) { $1 }
                for change in merge.changes {
                    if case .upsert(let entry) = change {
                        stored[entry.key] = entry.value
                    } else {
                        stored[change.key] = nil
                    }
                }
                #expect(
                    PoolConfiguration(entries: stored.map { ConfigurationEntry(key: $0, value: $1) }) == merged)
                #expect(PoolConfiguration.repairs(of: merged.entries()) == [])
            }
        }
        #expect(clashCount > 0)
    }

    private func poolID(_ number: UInt64) -> PoolID { PoolID(high: 0x3333_0000_0000_0000 + number << 32, low: number) }

    private func randomConfiguration(using generator: inout SplitMix64) -> PoolConfiguration {
        var configuration = PoolConfiguration()
        for _ in 0..<12 { configuration = randomEdits(of: configuration, using: &generator) }
        return configuration
    }

    /// A configuration after a few edits, with few names and topics, so that they sometimes clash.
    private func randomEdits(of configuration: PoolConfiguration, using generator: inout SplitMix64)
        -> PoolConfiguration
    {
        (0..<4).reduce(configuration) { edited, _ in
            // A rejected edit changes nothing, which is also a valid case.
            (try? randomEdit(of: edited, using: &generator)) ?? edited
        }
    }

    private func randomEdit(
        of old: PoolConfiguration, using generator: inout SplitMix64
    ) throws -> PoolConfiguration {
        let name = ["Garden", "Home", "Lagoon", "Spa", "露天", "é"].randomElement(using: &generator) ?? "x"
        let number = UInt64.random(in: 1...6, using: &generator)
        let server = old.servers.randomElement(using: &generator)
        var device = old.devices.randomElement(using: &generator)
        var pool = old.pools.randomElement(using: &generator)
        let limits = Limits(criticalLow: 1, low: 2, high: Double.random(in: 3...4, using: &generator), criticalHigh: 5)
        switch Int.random(in: 0..<10, using: &generator) {
        case 0:
            return try old.adding(Server(id: serverID(number), name: name, host: "h\(number)", username: name))
        case 1:
            return try old.adding(
                Device(
                    id: deviceID(number), name: name, serverID: server?.id ?? serverID(0), topic: "t/\(name)",
                    poolID: pool?.id))
        case 2: return try old.adding(Pool(id: poolID(number), name: name, volume: Double(number)))
        case 3: return try old.selecting(device: device?.id ?? deviceID(0))
        case 4:
            device?.limits[.ph] = Bool.random(using: &generator) ? limits : nil
            device?.serverID = server?.id ?? serverID(0)
            return try device.map(old.replacing) ?? old
        case 5:
            pool?.limits[.orp] = limits
            return try pool.map(old.replacing) ?? old
        case 6:
            device?.name = name
            return try device.map(old.replacing) ?? old
        case 7: return try old.removing(device: device?.id ?? deviceID(0))
        case 8: return try old.keeping(HistorySettings(rawDays: Int.random(in: 7...9, using: &generator)))
        default:
            var alerts = AlertSettings()
            alerts.cooldownSeconds = Int.random(in: 60...62, using: &generator)
            return try old.alerting(alerts)
        }
    }
}

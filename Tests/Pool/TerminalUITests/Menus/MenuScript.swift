@testable import PoolModel
@testable import TerminalUI

/// A person at the menus: keys in, outcomes and pages out.
struct MenuScript {
    var menus = WatchMenus()
    var facts: WatchFacts
    var size = Size(columns: 62, rows: 24)
    /// What was wanted since the last look at it.
    private(set) var outcomes: [MenuOutcome] = []

    init(_ facts: WatchFacts = .sample()) {
        self.facts = facts
    }

    mutating func press(_ keys: Key...) {
        for key in keys { outcomes += menus.handle(.key(key), facts, size: size) }
    }

    mutating func type(_ text: String) {
        for character in text { press(.character(character)) }
    }

    mutating func click(x: Int, y: Int) {
        outcomes += menus.handle(.mouse(Mouse(.click, x: x, y: y)), facts, size: size)
    }

    /// What was wanted, once.
    mutating func taken() -> [MenuOutcome] {
        defer { outcomes = [] }
        return outcomes
    }

    /// The page in front.
    var text: String { menus.text(facts, size: size) }

    func picture(_ depth: ColorDepth, isASCII: Bool = false) -> CellBuffer {
        let look = ResolvedTheme(theme: Theme(), capabilities: Capabilities(depth: depth, isASCII: isASCII))
        return MenuView(menus, facts, screen: size).draw(look: look)
    }
}

/// Identities that a person can tell apart.
enum MenuSample {
    static let home = ServerID(high: 1, low: 1)
    static let garden = PoolID(high: 2, low: 1)
    static let lagoon = DeviceID(high: 3, low: 1)
    static let spa = DeviceID(high: 3, low: 2)
    static let now = Timestamp(milliseconds: 1_780_308_540_000)

    static func ago(_ seconds: Int64) -> Timestamp { now.advanced(byMilliseconds: -seconds * 1000) }

    /// A pool with one device, and a device without a pool.
    static func configuration() throws -> WatchConfiguration {
        let server = Server(id: home, name: "Home", host: "broker.example")
        var configuration = try PoolConfiguration().adding(server)
        configuration = try configuration.adding(Pool(id: garden, name: "Garden"))
        configuration = try configuration.adding(
            Device(id: lagoon, name: "Lagoon", serverID: home, topic: "pool/1", poolID: garden))
        configuration = try configuration.adding(Device(id: spa, name: "Spa", serverID: home, topic: "pool/2"))
        configuration = try configuration.selecting(device: lagoon)
        return WatchConfiguration(entries: configuration.entries())
    }

    static let alert = AlertState.Alert(
        episodeID: AlertEpisodeID(high: 9, low: 1), key: .value(lagoon, .chlorine, .low), name: "Lagoon",
        severity: .critical, since: ago(120), value: 0.2, limit: 1, isAcknowledged: false)
    static let answered = AlertState.Alert(
        episodeID: AlertEpisodeID(high: 9, low: 2), key: .value(lagoon, .ph, .high), name: "Lagoon",
        severity: .warning, since: ago(600), value: 7.64, limit: 7.6, isAcknowledged: true)

    static let conflict = ConflictSummary(
        id: ConflictID(high: 0x3f9a_0000_0000_0000, low: 1), subject: #"name of the device "Large""#,
        base: #""Lagoon""#,
        loser: .init(value: #""Big pool""#, author: "Kitchen", at: ago(240)),
        winner: .init(value: #""Large""#, author: "hub", at: ago(60)), rule: "newest", obstacle: nil)

    static let pending = [edit("a1", #"name of the device "Spa""#, #""Tub""#, 5)]
    static let outcomes = [
        EditOutcomeSummary(edit: edit("a2", "ORP limits of the device \"Spa\"", "600…700", 60)),
        EditOutcomeSummary(
            edit: edit("a3", "pH limits of the device \"Spa\"", "7…7.4", 90),
            merge: "kept both: name of the device \"Spa\" changed too"),
        EditOutcomeSummary(
            edit: edit("3f9a0000000000000000000000000001", #"name of the device "Lagoon""#, #""Big pool""#, 240),
            rule: "newest"),
        EditOutcomeSummary(edit: edit("a5", "selected device", "Spa", 300), rule: "invalid"),
    ]

    private static func edit(_ id: String, _ subject: String, _ value: String, _ age: Int64) -> PendingEditSummary {
        PendingEditSummary(id: id, at: ago(age), changes: [.init(subject: subject, value: value, before: nil)])
    }
}

extension WatchFacts {
    /// A watch with two devices and nothing to answer.
    static func sample(alerts: [AlertState.Alert] = [], conflicts: [ConflictSummary] = []) -> WatchFacts {
        var glance = Glance(
            deviceName: "Lagoon", gauges: [], freshness: .live, ageSeconds: 4, link: .linked, revision: 12,
            clock: "10:09", conflicts: conflicts)
        glance.alerts = AlertState(alerts)
        glance.moment = MenuSample.now
        // The sample can be read; else nothing is shown, and every test says so.
        let configuration = (try? MenuSample.configuration()) ?? WatchConfiguration()
        var facts = WatchFacts(
            glance: glance, now: MenuSample.now, configuration: configuration, shownDeviceID: MenuSample.lagoon)
        facts.headlines = [MenuSample.lagoon: .judged(.critical), MenuSample.spa: .stale]
        facts.muted = []
        return facts
    }
}

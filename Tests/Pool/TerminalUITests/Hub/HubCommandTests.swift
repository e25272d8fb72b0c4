import PoolControl
import PoolModel
import Testing

@testable import TerminalUI

/// Each thing that a person can want is reached by keys alone.
struct HubCommandTests {
    /// The name of a command, such as `reconnect` or `alerts.snooze`, without what it is about.
    private static func name(_ command: HubCommand) -> String {
        var text = String(describing: command)
        if case .edit(let edit) = command { text = String(describing: edit) }
        let name = String(text.prefix { $0 != "(" && $0 != " " })
        let parts = text.split(separator: "Request.", maxSplits: 1)
        return parts.count == 2 ? "\(name).\(parts[1].prefix { $0 != "(" && $0 != ")" })" : name
    }

    /// The keys for each command, in the phone's layout.
    private static let scripts: [(name: String, sample: SampleHub, script: String)] = [
        ("reconnect", .normal, "r"), ("selectDevice", .normal, "2 down space"), ("alerts.acknowledge", .critical, "a"),
        ("alerts.snooze", .critical, "3 m enter"), ("settle", .conflict, "3 u"), ("settle", .conflict, "3 K"),
        ("invite", .normal, "i"), ("history.series", .normal, "+"), ("history.page", .normal, "4 tab o"),
    ]

    @Test(arguments: scripts.indices)
    func `a command is reached by keys`(index: Int) {
        let (name, sample, script) = Self.scripts[index]
        var driver = ConsoleDriver(sample)
        driver.type(script)
        #expect(
            driver.orders.map { Self.name($0.command) }.contains(name), "\(script): \(driver.commands)\n\(driver.text)")
    }

    @Test func `q leaves the screens`() {
        var driver = ConsoleDriver(.normal)
        #expect(!driver.console.isLeft)
        driver.type("q")
        #expect(driver.console.isLeft)
        #expect(driver.commands.isEmpty)
    }

    @Test func `q asks before it ends the hub, and each key that is no yes goes back`() {
        for back in ["n", "d", "esc", "q"] {
            var driver = ConsoleDriver(.normal, quits: .hub)
            driver.type("q")
            #expect(!driver.console.isLeft)
            #expect(driver.text.contains("End the hub?"), "\(driver.text)")
            driver.type(back)
            #expect(!driver.console.isLeft && !driver.text.contains("End the hub?"), "\(back)")
            driver.type("q y")
            #expect(driver.console.isLeft)
            #expect(driver.commands.isEmpty)
        }
    }

    @Test func `q asks before it ends the demo`() {
        var driver = ConsoleDriver(.normal, quits: .demo)
        driver.type("q")
        #expect(!driver.console.isLeft && driver.text.contains("End the demo?"), "\(driver.text)")
        driver.type("n")
        #expect(!driver.console.isLeft && driver.text.contains("The demo goes on"), "\(driver.text)")
        driver.type("q y")
        #expect(driver.console.isLeft)
    }

    @Test(arguments: [
        (QuitEffect.hub, "q end hub", "end the hub; it asks first"), (.view, "q quit", "quit; the hub runs on"),
        (.demo, "q end demo", "end the demo; it asks first"),
    ])
    func `the hint and the help of q say what ends`(quits: QuitEffect, hint: String, help: String) {
        var driver = ConsoleDriver(.normal, columns: 120, rows: 50, quits: quits)
        #expect(driver.text.contains(hint))
        driver.type("?")
        driver.type("pagedown")
        #expect(driver.text.contains(help), "\(driver.text)")
    }

    @Test(arguments: [(118, 46), (120, 50), (168, 48)])
    func `a conflict is shown to its end in the narrow panel of the dashboard`(columns: Int, rows: Int) {
        var snapshot = SampleHub.conflict.snapshot
        let side = { ConflictSummary.Side(value: $0, author: $1, at: snapshot.hub.now) }
        snapshot.hub.conflicts[0].subject = "pH limits of the device \"Lagoon\""
        snapshot.hub.conflicts[0].winner = side("6.8…7.5 (critical 6.5…8)", "Kitchen")
        snapshot.hub.conflicts[0].loser = side("6.8…7.8 (critical 6.5…8)", "Terrace")
        let text = ConsoleDriver(snapshot, columns: columns, rows: rows).text
        let panel = text.split(separator: "\n").map { $0.suffix(30).dropLast() }.joined(separator: " ")
        let words = panel.split(separator: " ").joined(separator: " ")
        for part in [
            "pH limits of the device \"Lagoon\" shown 6.8…7.5 (critical 6.5…8) · Kitchen",
            "other 6.8…7.8 (critical 6.5…8) · Terrace",
        ] {
            #expect(words.contains(part), "\(text)")
        }
    }

    @Test func `the first row counts the alerts that nobody has acknowledged`() {
        var snapshot = SampleHub.critical.snapshot
        func head() -> Substring {
            ConsoleDriver(snapshot, columns: 120, rows: 50).text.split(separator: "\n").first ?? ""
        }
        #expect(head().contains("critical") || head().contains("warning"))
        for index in snapshot.hub.alerts.state.alerts.indices {
            snapshot.hub.alerts.state.alerts[index].isAcknowledged = true
        }
        #expect(!head().contains("critical") && !head().contains("warning"), "\(head())")
    }

    @Test func `the numbers of orders are never used twice`() {
        var driver = ConsoleDriver(.critical)
        driver.type("a r 3 m enter r")
        let numbers = driver.orders.map(\.number)
        #expect(Set(numbers).count == numbers.count)
        #expect(numbers == numbers.sorted())
    }

    @Test func `a chart is asked for once, and anew when the range changes`() {
        var driver = ConsoleDriver(.normal)
        for _ in 0..<20 { driver.update() }
        func charts() -> Int { driver.orders.count { if case .history(.series) = $0.command { true } else { false } } }
        #expect(charts() == 1)
        driver.type("tab + +")
        #expect(charts() == 3)
        driver.snapshot.hub.now = driver.snapshot.hub.now.advanced(byMilliseconds: 31_000)
        driver.update()
        driver.update()
        #expect(charts() == 4)
    }

    /// The keys that lead to each panel.
    private static let panels: [(id: PanelID, columns: Int, script: String)] = [
        (DevicesPanel.id, 120, "1"), (LimitsPanel.id, 120, "2"), (HistoryPanel.id, 120, "3"),
        (EventsPanel.id, 120, "4"), (WatchesPanel.id, 120, "5"), (AlertsPanel.id, 120, "6"),
        (GaugesPanel.id, 100, "F1"), (ReadingsPanel.id, 120, "F4 tab"), (HubFactsPanel.id, 120, "F5"),
    ]

    private static func driver(at index: Int) -> ConsoleDriver {
        let (id, columns, script) = panels[index]
        var driver = ConsoleDriver(.critical, columns: columns, rows: 60)
        driver.answer = { _ in nil }
        driver.type(script)
        #expect(driver.console.navigation.focus == id)
        return driver
    }

    @Test(arguments: [
        (48, [GaugesPanel.id, HistoryPanel.id, WatchesPanel.id]),
        (180, [DevicesPanel.id, LimitsPanel.id, HistoryPanel.id]),
    ])
    func `tab goes to the next panel, and shift-tab back and round`(columns: Int, first: [PanelID]) {
        var driver = ConsoleDriver(.critical, columns: columns, rows: 60)
        driver.type("F1")
        let panels = driver.console.navigation.panels(isWide: columns == 180)
        #expect(Array(panels.prefix(3)) == first)
        var way: [PanelID] = []
        for key in ["tab", "tab", "backtab", "backtab", "backtab", "tab"] {
            driver.type(key)
            way.append(driver.console.navigation.focus)
        }
        #expect(way == [first[1], first[2], first[1], first[0], panels.last, first[0]])
    }

    @Test func `keys lead to every panel`() {
        #expect(Set(Self.panels.map(\.id)) == Set(HubPanels.ids))
    }

    @Test func `a key means the same in every panel`() {
        var meanings: [Key: Set<String>] = [:]
        func note(_ hints: [KeyHint]) {
            for hint in hints {
                for case .character(let character) in hint.keys where character != " " {
                    meanings[.character(character), default: []].insert(hint.action)
                }
            }
        }
        for index in Self.panels.indices {
            let driver = Self.driver(at: index)
            note(driver.console.panels[Self.panels[index].id].hints(in: driver.console.context))
            var asked = driver
            asked.type("?")
            note(asked.console.context.keys.flatMap(\.hints).filter { Int($0.label) == nil })
        }
        let digits = Set("1234567890".map { Key.character($0) })
        for (key, actions) in meanings where !digits.contains(key) {
            // One may be shorter than the other, as "invite" and "invite a watch".
            let longest = actions.max { $0.count < $1.count } ?? ""
            let isSame = actions.allSatisfy { longest.hasPrefix($0) || longest.contains(" \($0)") }
            #expect(isSame, "\(key.name): \(actions.sorted())")
        }
        // The letters beside the arrows are nothing else anywhere.
        for key in ["h", "j", "k", "l"] { #expect(meanings[.character(Character(key))] == nil) }
    }

    @Test(arguments: panels.indices)
    func `h and l show the other device in every panel, and nothing else`(index: Int) throws {
        func shown(_ driver: ConsoleDriver) -> DeviceID? { driver.console.context.device?.id }
        let id = Self.panels[index].id
        let before = Self.driver(at: index)
        var after = before
        after.type("l")
        #expect(shown(after) != shown(before), "\(id)")
        #expect(after.orders.allSatisfy { if case .history = $0.command { true } else { false } }, "\(id)")
        after.type("h")
        #expect(shown(after) == shown(before), "\(id)")
        var navigator = ChartNavigator()
        for key in ["h", "l"] as [Character] {
            let isOfTheChart = navigator.press(.character(key), now: SampleHub.now)
            #expect(!isOfTheChart)
        }
    }

    @Test(arguments: panels.indices)
    func `the help names every key of a panel`(index: Int) {
        var driver = Self.driver(at: index)
        driver.type("?")
        let dense = driver.text.filter { $0 != " " }
        for hint in driver.console.panels[Self.panels[index].id].hints(in: driver.console.context) {
            #expect(dense.contains(hint.label.filter { $0 != " " }))
        }
    }
}

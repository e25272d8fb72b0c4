import PoolModel
import Testing

@testable import TerminalUI

/// What keys on a face and in its menus mean.
@Suite struct WatchMenusTests {
    // MARK: - The face

    @Test func `the crown goes round the devices, and looks only`() {
        var script = MenuScript()
        script.press(.down)
        #expect(script.taken() == [.look(MenuSample.spa)])
        script.press(.up)
        #expect(script.taken() == [.look(MenuSample.spa)])
        script.facts.shownDeviceID = MenuSample.spa
        _ = script.menus.handle(.mouse(Mouse(.wheelDown, x: 1, y: 1)), script.facts, size: script.size)
        script.press(.down)
        #expect(script.taken() == [.look(MenuSample.lagoon)])
    }

    @Test func `a quantity is picked by its digit and given back by the same one`() {
        var script = MenuScript()
        script.press(.character("3"))
        #expect(script.menus.picked == .chlorine)
        script.press(.character("3"))
        #expect(script.menus.picked == nil)
        script.press(.character("1"), .character("0"))
        #expect(script.menus.picked == nil)
        #expect(script.taken() == [])
    }

    @Test func `a acknowledges the worst alert that nobody has, and says so when there is none`() {
        var script = MenuScript(.sample(alerts: [MenuSample.answered, MenuSample.alert]))
        script.press(.character("a"))
        #expect(script.taken() == [.edit(.acknowledge(MenuSample.alert.episodeID))])

        script.facts.glance.alerts = AlertState([MenuSample.answered])
        script.press(.character("a"))
        #expect(script.taken() == [])
        #expect(script.text == "every open alert is acknowledged already")
        script.facts.glance.alerts = AlertState()
        script.press(.character("m"))
        #expect(script.text == "no alert is open")
    }

    @Test func `an alert of another device is answered only if the shown one has none`() {
        var other = MenuSample.alert
        other.episodeID = AlertEpisodeID(high: 9, low: 3)
        other.key = .value(MenuSample.spa, .ph, .low)
        var mine = MenuSample.answered
        mine.isAcknowledged = false
        var script = MenuScript(.sample(alerts: [other, mine]))
        script.press(.character("a"))
        #expect(script.taken() == [.edit(.acknowledge(mine.episodeID))])
        script.facts.shownDeviceID = MenuSample.spa
        script.press(.character("a"))
        #expect(script.taken() == [.edit(.acknowledge(other.episodeID))])
    }

    @Test func `m offers times, of which one is taken`() {
        var script = MenuScript(.sample(alerts: [MenuSample.alert]))
        script.press(.character("m"))
        #expect(script.text.contains("15 min") && script.text.contains("Lagoon Chlorine 0.20 mg/L too low"))
        script.press(.down, .enter)
        #expect(script.taken() == [.edit(.snooze(MenuSample.alert.episodeID, seconds: 3600))])
        #expect(!script.menus.isOpen)
    }

    @Test func `a key that does nothing says so, for a while`() {
        var script = MenuScript()
        script.press(.character("z"))
        #expect(script.text == "z does nothing here; ? shows the keys")
        script.facts.now = MenuSample.ago(-2)
        #expect(script.text != "")
        script.facts.now = MenuSample.ago(-4)
        #expect(script.text == "")
    }

    @Test func `what was said is gone with the next key`() {
        var script = MenuScript()
        script.facts.remark = .init("newest value 4 s old", at: MenuSample.ago(1))
        #expect(script.text == "newest value 4 s old")
        script.press(.enter, .escape)
        #expect(script.text == "")
        script.facts.remark = .init("done", at: MenuSample.now)
        #expect(script.text == "done")
    }

    @Test func `a hub's words are shown as one line, without what steers a terminal`() {
        var script = MenuScript()
        script.facts.remark = .init("refused:\n\u{1B}[31mno \u{202E}server", .problem, at: MenuSample.now)
        #expect(script.text == "refused: [31mno server")
    }

    @Test func `the help lists what works now`() {
        var script = MenuScript()
        script.press(.character("?"))
        #expect(!script.text.contains("acknowledge"))
        script.facts.glance.alerts = AlertState([MenuSample.alert])
        #expect(script.text.contains("acknowledge: Lagoon Chlorine"))
        script.facts.glance.link = .lost(seconds: 3)
        #expect(script.text.contains("try the link again"))
        script.press(.escape, .enter, .down, .enter, .character("?"))
        #expect(script.text.contains("snooze") && !script.text.contains("layout"))
    }

    // MARK: - Devices

    @Test func `enter selects a device for everybody, space only looks at it`() {
        var script = MenuScript()
        script.press(.enter, .enter, .down, .enter)
        #expect(script.taken() == [.edit(.select(MenuSample.spa))])
        #expect(!script.menus.isOpen)
        script.press(.enter, .enter, .down, .character(" "))
        #expect(script.taken() == [.look(MenuSample.spa)])
    }

    // MARK: - Alerts

    @Test func `an alert is answered from the list and from its own page`() {
        var script = MenuScript(.sample(alerts: [MenuSample.alert, MenuSample.answered]))
        script.press(.enter, .down, .enter, .character("a"))
        #expect(script.taken() == [.edit(.acknowledge(MenuSample.alert.episodeID))])
        script.press(.down, .character("a"))
        #expect(script.taken() == [] && script.text.contains("it is acknowledged already"))
        script.press(.enter)
        #expect(script.text.contains("Limit") && script.text.contains("7.60"))
        script.press(.character("m"), .enter)
        #expect(script.taken() == [.edit(.snooze(MenuSample.answered.episodeID, seconds: 900))])
    }

    @Test func `an alert that is over takes its pages along`() {
        var script = MenuScript(.sample(alerts: [MenuSample.alert]))
        script.press(.enter, .down, .enter, .enter, .character("m"))
        script.facts.glance.alerts = AlertState()
        script.press(.enter)
        #expect(script.taken() == [])
        #expect(script.text.contains("No alert is open."))
    }

    // MARK: - Names

    @Test func `a name is checked while it is typed, and saved with enter`() {
        var script = MenuScript()
        script.press(.enter, .down, .down, .down, .down, .enter, .down, .enter, .control("u"))
        #expect(script.text.contains("The name of the device is empty"))
        script.press(.enter)
        #expect(script.taken() == [])
        script.type("Big q")
        script.press(.backspace)
        _ = script.menus.handle(.paste("pool\n"), script.facts, size: script.size)
        script.press(.enter)
        #expect(script.taken() == [.edit(.renameDevice(MenuSample.lagoon, to: "Big pool"))])
    }

    @Test func `a pool is renamed likewise, and a name that it has already is refused`() {
        var script = MenuScript()
        script.press(.enter, .down, .down, .down, .down, .enter, .enter, .enter)
        #expect(script.taken() == [] && script.text.contains("it has this name already"))
        script.type("s")
        script.press(.enter)
        #expect(script.taken() == [.edit(.renamePool(MenuSample.garden, to: "Gardens"))])
    }

    @Test func `Esc in a form with a new name asks first, and in one without does not`() {
        var script = MenuScript()
        script.press(.enter, .down, .down, .down, .down, .enter, .enter)
        script.type("X")
        script.press(.escape)
        #expect(script.text.contains("not saved") && script.text.contains("GardenX"))
        script.press(.backspace, .character("Y"), .escape)
        #expect(script.text.contains("GardenY"), "another key goes on, so it is asked again")
        script.press(.escape)
        #expect(!script.text.contains("Rename"))
        script.press(.enter, .escape)
        #expect(!script.text.contains("Rename") && script.taken() == [])
    }

    @Test func `Esc in changed limits asks first`() {
        var script = MenuScript()
        script.press(.enter, .down, .down, .enter, .enter, .character("1"), .escape)
        #expect(script.text.contains("not saved"))
        script.press(.escape)
        #expect(script.text.contains("Limits of Lagoon") && script.taken().filter { $0 != .learnAlerting } == [])
    }

    // MARK: - Filters, copying, the mouse

    @Test func `a filter shows the devices that have its words, and a key works on what is left`() {
        var script = MenuScript()
        script.press(.enter, .enter, .character("/"))
        #expect(script.menus.isTyping)
        script.type("spa")
        #expect(script.text.contains("/spa_") && !script.text.contains("Lagoon"))
        script.press(.enter)
        #expect(!script.menus.isTyping)
        script.press(.enter)
        #expect(script.taken() == [.edit(.select(MenuSample.spa))])
        script.press(.enter, .enter, .character("/"))
        script.type("garden")
        #expect(script.text.contains("Lagoon") && !script.text.contains("Spa"), "a pool has its devices")
        script.press(.escape)
        #expect(script.text.contains("Spa"))
    }

    @Test func `alerts are filtered likewise`() {
        var script = MenuScript(.sample(alerts: [MenuSample.alert, MenuSample.answered]))
        script.press(.enter, .down, .enter, .character("/"))
        script.type("chlorine")
        script.press(.enter, .character("a"))
        #expect(script.taken() == [.edit(.acknowledge(MenuSample.alert.episodeID))])
        #expect(!script.text.contains("pH"))
    }

    @Test func `what is selected is copied`() {
        var script = MenuScript()
        #expect(script.menus.copy(script.facts) == nil, "there is no value yet")
        script.press(.enter, .enter)
        #expect(script.menus.copy(script.facts) == "Lagoon shown, selected")
        #expect(script.text.contains("copied Lagoon"))
    }

    @Test func `a click on a hint at the bottom is its key`() {
        var script = MenuScript(.sample(alerts: [MenuSample.alert]))
        script.press(.enter, .down, .enter)
        let lines = script.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let y = lines.lastIndex { $0.contains("a acknowledge") } ?? 0
        let x = lines[y].ranges(of: "m snooze").first.map { String(lines[y][..<$0.lowerBound]).displayWidth } ?? 0
        script.click(x: x + 3, y: y)
        #expect(script.text.contains("Quiet for"))
    }

    // MARK: - Conflicts

    @Test func `the other value is used with u, or the shown one kept with K`() {
        var script = MenuScript(.sample(conflicts: [MenuSample.conflict]))
        script.press(.character("c"), .enter, .enter)
        #expect(script.text.contains("u uses the other value"))
        script.press(.character("u"))
        #expect(script.taken() == [.edit(.settle(conflict: MenuSample.conflict.id, restoring: true))])
        script.press(.enter, .character("K"))
        #expect(script.taken() == [.edit(.settle(conflict: MenuSample.conflict.id, restoring: false))])
    }

    @Test func `what only the hub can restore says so, and what is settled is not settled twice`() {
        var conflict = MenuSample.conflict
        conflict.obstacle = "only the hub can change this"
        var script = MenuScript(.sample(conflicts: [conflict]))
        script.press(.character("c"), .enter, .character("u"))
        #expect(script.taken() == [] && script.text.contains("only the hub can change this"))
        script.facts.pending = [
            PendingEditSummary(id: "b1", at: MenuSample.now, changes: [], settles: conflict.id)
        ]
        script.press(.character("K"))
        #expect(script.taken() == [] && script.text.contains("waits for the hub"))
    }

    @Test func `an edit in conflict leads to its conflict`() {
        var script = MenuScript(.sample(conflicts: [MenuSample.conflict]))
        (script.facts.pending, script.facts.outcomes) = (MenuSample.pending, MenuSample.outcomes)
        script.press(.character("e"), .down, .down, .down, .enter)
        #expect(script.text.contains("by Kitchen"))
    }

    // MARK: - History

    @Test func `the chart is asked for once for each course, and anew when time has gone on`() throws {
        var script = MenuScript()
        script.press(.character("2"), .character("g"))
        let intents = script.taken()
        guard case .loadChart(let query)? = intents.first, intents.count == 1 else {
            Issue.record("\(intents)")
            return
        }
        #expect(query.quantity == .ph && query.deviceID == MenuSample.lagoon)
        #expect(query.through.milliseconds(since: query.from) == 86_400_000)
        #expect(script.menus.askForChart(script.facts, size: script.size) == [])
        script.facts.now = MenuSample.ago(-700)
        #expect(script.menus.askForChart(script.facts, size: script.size).count == 1)
        script.press(.character("-"))
        guard case .loadChart(let week)? = script.taken().first else { return }
        #expect(week.through.milliseconds(since: week.from) == 7 * 86_400_000)
    }

    @Test func `without an answer the last course is shown with its age, and why`() throws {
        var script = MenuScript()
        script.press(.character("1"), .character("g"))
        guard case .loadChart(let query)? = script.taken().first else { return }
        #expect(script.text.contains("loading"))
        let point = TimeSeries.Point(start: MenuSample.ago(7200), least: 25, greatest: 26, mean: 25.5)
        let series = TimeSeries(
            quantity: .temperature, first: query.from, last: query.through, points: [point])
        script.facts.chart = .init(
            query: query, series: series, cameAt: MenuSample.ago(180), trouble: "there is no link to the hub")
        #expect(script.text.contains("as it was 3 min ago; there is no link to the hub"))
        script.facts.chart = .init(query: query, trouble: "there is no link to the hub")
        #expect(script.text.contains("no data in this time"))
        script.press(.down)
        #expect(script.text.contains("loading"), "another quantity's course is not this one's")
    }

    // MARK: - The mouse

    @Test func `a click chooses the row below it, the right button goes back`() throws {
        var script = MenuScript()
        script.press(.enter)
        let row = try #require(
            script.text.split(separator: "\n", omittingEmptySubsequences: false)
                .firstIndex { $0.contains("Names") })
        script.click(x: 10, y: row)
        #expect(script.text.contains("Garden") && script.text.contains("rename"))
        _ = script.menus.handle(.mouse(Mouse(.rightClick, x: 0, y: 0)), script.facts, size: script.size)
        #expect(script.text.contains("Own edits"))
        script.click(x: 0, y: 0)
        #expect(script.text.contains("Own edits"), "the frame is no row")
    }

    @Test func `a click on the face's banner acknowledges, on a gauge picks, elsewhere opens the menu`() {
        var script = MenuScript(.sample(alerts: [MenuSample.alert]))
        #expect(
            script.menus.click(on: .notice, script.facts, size: script.size)
                == [.edit(.acknowledge(MenuSample.alert.episodeID))])
        #expect(script.menus.click(on: .gauge(.orp), script.facts, size: script.size) == [])
        #expect(script.menus.picked == .orp)
        #expect(script.menus.click(on: .header, script.facts, size: script.size) == [])
        #expect(script.menus.isOpen)
    }

    @Test func `nothing traps, whatever the size and the keys`() {
        let keys: [Key] =
            [.enter, .down, .up, .escape, .pageDown, .end, .home, .left, .right, .tab, .backspace]
            + "aqgcebxms 0129?+-,.vz".map { Key.character($0) }
        var script = MenuScript(
            .sample(alerts: [MenuSample.alert, MenuSample.answered], conflicts: [MenuSample.conflict]))
        (script.facts.pending, script.facts.outcomes) = (MenuSample.pending, MenuSample.outcomes)
        var generator = SplitMix64(seed: 7)
        for _ in 0..<3000 {
            script.size = Size(columns: Int(generator.next() % 70), rows: Int(generator.next() % 30))
            script.press(keys[Int(generator.next() % UInt64(keys.count))])
            _ = script.text
        }
    }
}

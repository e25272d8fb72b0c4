import PoolControl
import PoolModel
import Testing

@testable import TerminalUI

/// What a person does with the keys and the mouse.
struct HubFlowTests {
    // MARK: An empty hub

    @Test(arguments: [(48, 36), (120, 36), (80, 24)])
    func `an empty hub says where to begin`(columns: Int, rows: Int) {
        let driver = ConsoleDriver(.empty, columns: columns, rows: rows)
        #expect(driver.text.contains("Add a server") && driver.text.contains("poolsensors server add"))
        #expect(ConsoleDriver(.serverOnly, columns: columns, rows: rows).text.contains("poolsensors device detect"))
    }

    @Test func `the help says where a panel's things are changed`() {
        var driver = ConsoleDriver(.normal, columns: 120, rows: 50)
        driver.type("2 ?")
        #expect(driver.text.contains("changed on the page, or with poolsensors limits, calibrate"), "\(driver.text)")
        driver.type("esc 4 ?")
        #expect(!driver.text.contains("changed on the page"))
    }

    // MARK: Alerts and conflicts

    @Test func `one key acknowledges the worst alert`() {
        var driver = ConsoleDriver(.critical)
        driver.type("a")
        #expect(driver.commands == [.alerts(.acknowledge(AlertEpisodeID(high: 7, low: 1)))])
    }

    @Test func `an alert is not acknowledged twice`() {
        var driver = ConsoleDriver(.critical)
        driver.type("3 down down a")
        #expect(driver.commands.isEmpty)
        #expect(driver.text.contains("acknowledged already"))
    }

    @Test func `an alert is muted for as long as one likes`() {
        var driver = ConsoleDriver(.critical)
        driver.type("3 m down enter")
        #expect(driver.commands == [.alerts(.snooze(AlertEpisodeID(high: 7, low: 1), seconds: 28_800))])
    }

    @Test func `one key puts the other value of a conflict back`() {
        var driver = ConsoleDriver(.conflict)
        driver.type("3 u")
        #expect(
            driver.commands == [
                .edit(
                    .settle(
                        conflict: ConflictID(high: 0x0123_4567_89ab_cdef, low: 0x0123_4567_89ab_cdef), restoring: true))
            ])
    }

    @Test func `a key that does nothing says why`() {
        var driver = ConsoleDriver(.normal)
        driver.type("a")
        #expect(driver.text.contains("there is no open alert"))
        driver.type("R")
        #expect(driver.text.contains("R works in"))
        driver.type("P")
        #expect(driver.text.contains("P does nothing here"))
        #expect(driver.commands.isEmpty)
    }

    // MARK: Pairing

    @Test func `one key invites a watch for ten minutes and shows the code, which is replaced by another key`() {
        var driver = ConsoleDriver(.normal)
        driver.invites()
        driver.type("i")
        #expect(driver.commands == [.invite(name: nil, validForSeconds: 600)])
        #expect(driver.text.contains("Pair a watch") && driver.text.contains("valid for 10 min"), "\(driver.text)")
        driver.type("n")
        #expect(driver.commands.count == 2)
        driver.snapshot.invitation?.usedBy = "amelie"
        driver.update()
        #expect(driver.text.contains("Paired: amelie"))
        driver.type("esc")
        #expect(!driver.text.contains("Pair a watch"))
    }

    @Test func `where no watch can be invited the screens say why, and show no code`() {
        var driver = ConsoleDriver(.normal)
        driver.snapshot.hub.endpoint = nil
        driver.update()
        driver.type("i")
        #expect(driver.commands.isEmpty && driver.text.contains("--listen"))
        driver.snapshot.hub.endpoint = "tcp://192.168.1.20:7201"
        driver.answer = { _ in .refused("too many invitations") }
        driver.update()
        driver.type("i")
        #expect(driver.text.contains("too many invitations") && !driver.text.contains("Pair a watch"))
    }

    // MARK: Events

    @Test func `a paused log stands still and says how much is newer`() {
        var driver = ConsoleDriver(.normal, columns: 120, rows: 36)
        driver.type("p")
        driver.snapshot.events.insert(
            EventSummary(number: 101, at: SampleHub.now, kind: .log, text: "something new"), at: 0)
        driver.update()
        #expect(!driver.text.contains("something new"))
        #expect(driver.text.contains("1 newer"))
        driver.type("p")
        #expect(driver.text.contains("something new"))
    }

    @Test func `the filter shows one kind of event`() {
        var driver = ConsoleDriver(.normal, columns: 120, rows: 36)
        driver.type("4 R")
        #expect(driver.text.contains("Spa: 36.1 °C") && driver.text.contains("watch amelie: linked"))
        driver.type("/alert enter")
        #expect(driver.text.contains("Lagoon: Chlorine 0.42"))
        #expect(!driver.text.contains("Spa: 36.1 °C") && !driver.text.contains("watch amelie: linked"))
        driver.type("esc")
        #expect(driver.text.contains("watch amelie: linked"))
    }

    @Test func `the log shows alerts and changes, and readings only if they are wanted`() {
        var driver = ConsoleDriver(.normal, columns: 120, rows: 36)
        #expect(driver.text.contains("Lagoon: Chlorine 0.42") && driver.text.contains("settings changed"))
        #expect(!driver.text.contains("Lagoon: 27.3 °C"))
        driver.type("4 R")
        #expect(driver.text.contains("Lagoon: 27.3 °C"))
        driver.type("R")
        #expect(!driver.text.contains("Lagoon: 27.3 °C"))
    }

    // MARK: Filters

    @Test(arguments: [(48, "2"), (120, "1")])
    func `a filter shows the devices that have its words, until Esc clears it`(columns: Int, tab: String) {
        var driver = ConsoleDriver(.normal, columns: columns, rows: 36)
        driver.type("\(tab) /on sen q")
        #expect(!driver.console.isLeft, "letters are text")
        driver.type("bs")
        let names = { (driver: ConsoleDriver) in
            driver.console.panels[DevicesPanel.self].rows(in: driver.console.context).count
        }
        let few = names(driver)
        #expect(driver.text.contains("/onsen_") && driver.text.contains("露天風呂"))
        driver.type("enter")
        #expect(driver.text.contains("/onsen ") && names(driver) == few)
        driver.type("esc")
        #expect(!driver.text.contains("/onsen") && names(driver) > few)
        driver.type("/zzz")
        #expect(driver.text.contains("nothing matches"))
        driver.type("bs bs bs bs")
        #expect(!driver.text.contains("/_") && names(driver) > few)
    }

    @Test func `alerts are filtered, and a key works on what is left`() {
        var driver = ConsoleDriver(.critical)
        driver.type("3 /orp enter")
        #expect(driver.text.contains("ORP low") && !driver.text.contains("◆ Chlorine low"))
        driver.type("a")
        #expect(driver.commands.count == 1)
        #expect(driver.commands != [.alerts(.acknowledge(AlertEpisodeID(high: 7, low: 1)))])
    }

    @Test func `a filter that is being typed takes pasted text, and gives the keys back to another panel`() {
        var driver = ConsoleDriver(.normal, columns: 120, rows: 36)
        driver.type("1 /")
        driver.handle(.paste("Spa"))
        #expect(driver.text.contains("/Spa_"))
        driver.type("tab ?")
        #expect(driver.text.contains("Everywhere"))
        driver.type("esc 1 q")
        #expect(driver.console.isLeft)
    }

    // MARK: Copying

    @Test func `y copies the code, the value, the topic or the event`() {
        func copied(_ script: String, columns: Int = 120) -> String? {
            var driver = ConsoleDriver(.normal, columns: columns, rows: 50)
            driver.invites()
            driver.type(script)
            defer { #expect(driver.console.takeCopied() == nil, "it is copied once") }
            return driver.console.takeCopied()
        }
        #expect(copied("i y") == SampleHub.invitation.code)
        #expect(copied("i b") == nil)
        #expect(copied("F1 y", columns: 48) == "27.3 °C")
        #expect(copied("1 y") == "pool/sensor/main")
        #expect(copied("1 home y") == "mqtt.lan:1883")
        #expect(copied("4 y") == "watch julien: linked")
        #expect(copied("6 y") == nil)
    }

    @Test func `b shows the code alone, once`() {
        var driver = ConsoleDriver(.normal, columns: 120, rows: 50)
        driver.invites()
        driver.type("i b")
        #expect(driver.console.takeRevealed() == SampleHub.invitation.code)
        #expect(driver.console.takeRevealed() == nil)
    }

    // MARK: Mouse

    @Test func `a click on a tab opens it, on a row selects it, on the banner acknowledges`() {
        var driver = ConsoleDriver(.critical)
        driver.handle(.click(x: 20, y: 4))
        #expect(driver.commands == [.alerts(.acknowledge(AlertEpisodeID(high: 7, low: 1)))])
        driver.handle(.click(x: 15, y: 34))
        #expect(driver.console.navigation.tab.title == "Devices")
        driver.handle(.click(x: 8, y: 7))
        #expect(driver.console.context.device?.device.name == "Spa")
    }

    /// Clicks where a text is; false if it is not on the screen.
    private func click(_ text: String, in driver: inout ConsoleDriver) -> Bool {
        for (y, line) in driver.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            guard let range = String(line).ranges(of: text).first else { continue }
            let x = String(String(line)[..<range.lowerBound]).displayWidth
            driver.handle(.click(x: x, y: y))
            return true
        }
        return false
    }

    @Test func `a click on a hint is its key`() {
        var driver = ConsoleDriver(.normal, columns: 120, rows: 50)
        #expect(click("? help", in: &driver) && driver.text.contains("Everywhere"))
        #expect(click("esc close", in: &driver) && !driver.text.contains("Everywhere"))
        #expect(click("/ filter", in: &driver) && driver.text.contains("/_"))
        driver.type("esc")
        #expect(click("R readings", in: &driver) && driver.text.contains("Lagoon: 27.3 °C"))
        #expect(driver.console.navigation.focus == EventsPanel.id, "the panel of the hint has the focus now")
        driver.type("3")
        #expect(click("- zoom", in: &driver) && driver.console.panels[HistoryPanel.self].range == .week)
        #expect(click("+ - zoom", in: &driver) && driver.console.panels[HistoryPanel.self].range == .day)
        #expect(click("q quit", in: &driver) && driver.console.isLeft)
    }

    @Test func `an upright phone shows the key of the help, and it can be clicked`() {
        var driver = ConsoleDriver(.normal)
        #expect(click("History", in: &driver))
        #expect(driver.text.contains("Hub   ?"))
        #expect(click("?", in: &driver) && driver.text.contains("Everywhere"))
    }

    @Test func `the wheel moves the selection, and zooms the chart`() {
        var driver = ConsoleDriver(.normal, columns: 120, rows: 36)
        driver.handle(.wheel(x: 5, y: 5, notches: 1))
        #expect(driver.console.context.device?.device.name == "Spa")
        driver.handle(.wheel(x: 60, y: 18, notches: 1))
        #expect(driver.console.panels[HistoryPanel.self].range == .week)
    }

    @Test func `a click beside a dialog closes it, on an option chooses it`() {
        var driver = ConsoleDriver(.critical)
        driver.type("?")
        driver.handle(.click(x: 0, y: 0))
        #expect(!driver.text.contains("Everywhere"))
        driver.type("3 m")
        #expect(click("8 hours", in: &driver) && driver.commands.isEmpty)
        #expect(click("8 hours", in: &driver))
        #expect(driver.commands == [.alerts(.snooze(AlertEpisodeID(high: 7, low: 1), seconds: 28_800))])
    }

    // MARK: Layout

    @Test func `the layout follows the size, and one key changes it`() {
        var driver = ConsoleDriver(.normal, columns: 120, rows: 36)
        #expect(driver.text.contains("5 Watches"))
        driver.type("v")
        #expect(!driver.text.contains("5 Watches"))
        driver.type("v")
        driver.size = Size(columns: 80, rows: 24)
        driver.update()
        #expect(driver.text.contains("Lagoon"))
        driver.type("v")
        #expect(driver.text.contains("118 columns"))
    }
}

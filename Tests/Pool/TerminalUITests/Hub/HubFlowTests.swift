import PoolControl
import PoolModel
import Testing
import WaterChemistry

@testable import TerminalUI

/// What a person does with the keys, from the first run to the last delete.
struct HubFlowTests {
    // MARK: First run (P96)

    @Test func `the first run leads from nothing to a paired watch`() {
        var driver = ConsoleDriver(.empty)
        #expect(driver.text.contains("Welcome to PoolSensors"))
        driver.type("enter Home tab mqtt.lan ^s")
        guard case .edit(.addServer(let patch)) = driver.commands.last else {
            Issue.record("no server was added: \(driver.commands)")
            return
        }
        #expect(patch.name == "Home")
        #expect(patch.port == 1883)

        driver.snapshot.hub.servers = [SampleHub.server(SampleHub.broker)]
        driver.update()
        #expect(driver.text.contains("2 Find your probe"))
        driver.type("enter")
        #expect(driver.commands.last == .detection(.begin(SampleHub.broker.id, seconds: 30)))
        driver.snapshot.hub.detection = SampleHub.detection
        driver.update()
        driver.type("enter ^s")
        guard
            case .edit(.addDevice(let device))? = driver.commands.last(where: {
                if case .edit(.addDevice) = $0 { true } else { false }
            })
        else {
            Issue.record("no device was added: \(driver.commands)")
            return
        }
        #expect(device.topic == "zigbee2mqtt/pool")
        #expect(device.mapping?.value == SampleHub.detection.offers[0].mapping)
        #expect(device.expectedIntervalSeconds == 1800)

        let lagoon = SampleHub.device(1, "Lagoon", SampleHub.broker)
        driver.snapshot.hub.devices = [lagoon]
        driver.snapshot.glances[lagoon.id] = SampleHub.glance(of: lagoon, [27, 7.3, 1.5, 700], age: 4)
        driver.update()
        #expect(driver.text.contains("3 Choose the limits"))
        driver.type("enter enter")
        #expect(driver.commands.last == .edit(.applyPreset(LimitsPreset.all[0].key, .device(SampleHub.lagoonID))))
        driver.type("N")
        #expect(driver.text.contains("4 Pair a watch"))
        driver.snapshot.invitation = SampleHub.invitation
        driver.type("enter ^s")
        #expect(driver.commands.last == .invite(name: nil, validForSeconds: 600))
        #expect(driver.text.contains("psw1-0123"))
        driver.type("esc esc")
        #expect(!driver.text.contains("First steps"))
    }

    // MARK: What others change meanwhile

    @Test func `a form of a device saves what was changed and keeps what others changed meanwhile`() {
        var driver = ConsoleDriver(.normal)
        driver.type("2 e")
        driver.snapshot.hub.devices[0].device.name = "Renamed on a watch"
        driver.snapshot.hub.servers.insert(
            SampleHub.server(Server(id: ServerID(high: 1, low: 9), name: "A", host: "a")), at: 0)
        driver.update()
        driver.type("tab tab tab tab ^u 9 0 ^s")
        var patch = DevicePatch()
        patch.expectedIntervalSeconds = 90
        #expect(driver.commands == [.edit(.editDevice(SampleHub.lagoonID, patch))])
    }

    @Test func `what is chosen in a form is what was shown, however the list has changed since`() {
        var driver = ConsoleDriver(.normal)
        driver.type("2 e")
        driver.snapshot.hub.servers[0].server.name = "Renamed"
        driver.snapshot.hub.servers.insert(
            SampleHub.server(Server(id: ServerID(high: 1, low: 9), name: "A", host: "a")), at: 0)
        driver.update()
        driver.type("tab right ^s")
        var patch = DevicePatch()
        patch.serverID = SampleHub.ryokan.id
        #expect(driver.commands == [.edit(.editDevice(SampleHub.lagoonID, patch))])
    }

    @Test func `a form of a server saves its password alone if nothing else was changed`() {
        var driver = ConsoleDriver(.normal)
        driver.type("2 home e")
        driver.snapshot.hub.servers[0].server.name = "House"
        driver.update()
        driver.type("tab tab tab tab tab new ^s")
        guard case .edit(.editServer(_, let patch)) = driver.commands.last else {
            Issue.record("\(driver.commands)")
            return
        }
        var password = ServerPatch()
        password.password = patch.password
        #expect(patch == password && patch.password == "new")
    }

    @Test func `the form of alerts saves what was changed and keeps what others changed meanwhile`() {
        var driver = ConsoleDriver(.normal)
        driver.snapshot.hub.alerts.settings.hysteresis = [.ph: 0.1]
        driver.snapshot.hub.alerts.settings.channels.mqtt = .init(serverID: SampleHub.ryokan.id, topic: "alerts")
        driver.update()
        driver.type("3 S e")
        #expect(driver.text.contains("When, how often and where"))
        driver.snapshot.hub.alerts.settings.isEnabled = false
        driver.snapshot.hub.alerts.settings.quietHours = QuietHours(startMinute: 60, endMinute: 120)
        driver.snapshot.hub.alerts.settings.mutedQuantities = [.orp]
        driver.snapshot.hub.alerts.settings.hysteresis = [.ph: 0.2]
        driver.update()
        driver.type("tab space ^s")
        var patch = AlertSettingsPatch()
        patch.alertsOnValues = false
        #expect(driver.commands == [.alerts(.change(patch))])
    }

    @Test func `a key mutes its quantity alone`() {
        var driver = ConsoleDriver(.normal)
        driver.snapshot.hub.alerts.settings.mutedQuantities = [.orp]
        driver.update()
        driver.type("2 tab A")
        guard case .alerts(.change(let patch)) = driver.commands.last else {
            Issue.record("\(driver.commands)")
            return
        }
        #expect(patch.muted?.pairs.count == 1 && patch.muted?[.orp] == nil)
    }

    // MARK: Servers and devices

    @Test func `a password is never shown, and is kept, replaced or removed`() {
        func password(_ keys: String) -> String?? {
            var driver = ConsoleDriver(.normal)
            driver.type("2 up up e tab tab tab tab tab \(keys)")
            #expect(!driver.text.contains("hunter2"))
            driver.type("^s")
            if case .edit(.editServer(_, let patch)) = driver.commands.last { return patch.password }
            return nil
        }
        #expect(password("") == .some(nil), "it stays")
        #expect(password("hunter2") == "hunter2")
        #expect(password("bs") == "", "it goes")
    }

    @Test func `what is wrong is said while typing, and nothing is sent`() {
        var driver = ConsoleDriver(.normal)
        driver.type("2 s Home tab mqtt://x tab")
        #expect(driver.text.contains("starts with"))
        driver.type("^s")
        #expect(driver.commands.isEmpty)
    }

    @Test func `what the hub refuses stays in the form`() {
        var driver = ConsoleDriver(.normal)
        driver.answer = { _ in .refused("the broker is not there") }
        driver.type("2 s New tab mqtt.lan ^s")
        #expect(driver.text.contains("the broker is not there"))
        #expect(driver.text.contains("New server"))
        driver.answer = { _ in .done("added") }
        driver.type("^s")
        #expect(!driver.text.contains("New server"))
        #expect(driver.text.contains("added"))
    }

    @Test func `a server with devices is removed only after a second question (P94)`() {
        var driver = ConsoleDriver(.normal)
        let id = SampleHub.broker.id
        driver.answer = { command in
            guard command == .edit(.removeServer(id, cascading: false)) else { return .done("") }
            return .serverHasDevices(server: "Home", devices: ["Lagoon", "Spa"])
        }
        driver.type("2 home D n")
        #expect(driver.commands.isEmpty)
        driver.type("D y")
        #expect(driver.text.contains("Lagoon, Spa"))
        driver.type("y")
        #expect(
            driver.commands == [.edit(.removeServer(id, cascading: false)), .edit(.removeServer(id, cascading: true))])
    }

    @Test func `history is counted, asked for once more, and deleted (P89)`() {
        var driver = ConsoleDriver(.normal)
        driver.answer = { command in
            if case .history(.delete(_, _, _, expected: nil)) = command {
                .history(.deletion(readings: 1234, isDone: false))
            } else {
                .done("gone")
            }
        }
        driver.type("4 D enter")
        #expect(driver.text.contains("1234 readings"))
        driver.type("n")
        #expect(driver.commands.count == 1)
        driver.type("D enter y")
        guard case .history(.delete(let device, _, _, let expected)) = driver.commands.last else {
            Issue.record("nothing was deleted")
            return
        }
        #expect(device == SampleHub.lagoonID)
        #expect(expected == 1234)
        driver.answer = { _ in .history(.deletionGrew(readings: 1300, expected: 1234)) }
        driver.type("D enter y")
        #expect(driver.text.contains("1300 readings"))
    }

    // MARK: Limits and calibrations

    @Test func `limits out of order are refused with the reason (P65)`() {
        var driver = ConsoleDriver(.normal)
        driver.type("2 tab L tab ^u 10 ^s")
        #expect(driver.text.contains("must"))
        #expect(driver.commands.isEmpty)
        driver.type("^u 31,5 ^s")
        let limits = Limits(criticalLow: 18, low: 24, high: 31.5, criticalHigh: 34)
        #expect(driver.commands == [.edit(.setLimits(.device(SampleHub.lagoonID), .temperature, limits))])
    }

    @Test func `a two-point calibration is made with the device's own values (P75, P77)`() {
        var driver = ConsoleDriver(.normal)
        driver.type("c up down enter")
        driver.type("2 enter")
        #expect(driver.text.contains("Calibrate"))
        driver.type("esc y c up up up down enter 1 enter 25 enter 4 enter 4.2 enter 10 enter 9.8 enter")
        #expect(driver.text.contains("Slope 1.0714"))
        driver.type("y")
        guard
            case .edit(.addCalibration(let device, let quantity, let calibration, let isForced, let dropsOldest)) =
                driver
                .commands.last
        else {
            Issue.record("nothing was calibrated: \(driver.text)")
            return
        }
        #expect(device == SampleHub.lagoonID)
        #expect(quantity == .ph)
        #expect(abs(calibration.slope - 1.071_428_571) < 1e-6)
        #expect(!isForced && !dropsOldest)
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
        driver.type("P")
        #expect(driver.text.contains("P works in"))
        #expect(driver.commands.isEmpty)
    }

    // MARK: Link laboratory

    @Test func `a link is cut, disturbed and put in order by keys`() throws {
        var driver = ConsoleDriver(.normal)
        driver.type("tab tab enter X down right right down enter 0")
        var cut = LinkDisturbance()
        cut.cutUntil = SampleHub.now
        var delayed = cut
        delayed.delayMilliseconds = 100
        var more = cut
        more.delayMilliseconds = 200
        var dropping = more
        dropping.drop = 0.3
        let amelie = try #require(driver.snapshot.hub.watches.first { $0.name == "amelie" }).id
        let settings = [cut, delayed, more, dropping].map { LinkRequest.set(watch: amelie, LinkPatch($0)) }
        #expect(driver.commands == (settings + [.clear(watch: amelie)]).map { .links($0) })
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
            driver.console.panels.devices.rows(in: driver.console.context).count
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
            driver.snapshot.invitation = SampleHub.invitation
            driver.update()
            driver.type(script)
            defer { #expect(driver.console.takeCopied() == nil, "it is copied once") }
            return driver.console.takeCopied()
        }
        #expect(copied("i ^s y") == SampleHub.invitation.code)
        #expect(copied("i ^s b") == nil)
        #expect(copied("F1 y", columns: 48) == "27.3 °C")
        #expect(copied("1 y") == "pool/sensor/main")
        #expect(copied("1 home y") == "mqtt.lan:1883")
        #expect(copied("4 y") == "watch julien: linked")
        #expect(copied("6 y") == nil)
    }

    @Test func `b shows the code alone, once`() {
        var driver = ConsoleDriver(.normal, columns: 120, rows: 50)
        driver.snapshot.invitation = SampleHub.invitation
        driver.update()
        driver.type("i ^s b")
        #expect(driver.console.takeRevealed() == SampleHub.invitation.code)
        #expect(driver.console.takeRevealed() == nil)
    }

    // MARK: Leaving forms

    @Test func `Esc in a half-filled form asks before it throws away`() {
        var driver = ConsoleDriver(.normal)
        driver.type("2 s Precious esc")
        #expect(driver.text.contains("Leave \"New server\"?"))
        driver.type("esc")
        #expect(driver.text.contains("Precious") && !driver.text.contains("Leave \""))
        driver.type("esc n tab mqtt.lan esc y")
        #expect(!driver.text.contains("Precious") && !driver.text.contains("New server"))
        driver.type("s esc")
        #expect(!driver.text.contains("New server") && !driver.text.contains("Leave \""), "nothing was entered")
        #expect(driver.commands.isEmpty)
    }

    // MARK: Mouse

    @Test func `a click on a tab opens it, on a row selects it, on the banner acknowledges`() {
        var driver = ConsoleDriver(.critical)
        driver.handle(.click(x: 20, y: 4))
        #expect(driver.commands == [.alerts(.acknowledge(AlertEpisodeID(high: 7, low: 1)))])
        driver.handle(.click(x: 15, y: 34))
        #expect(driver.console.navigation.tab == .devices)
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
        #expect(click("n new", in: &driver) && driver.text.contains("New device"))
        #expect(click("esc cancel", in: &driver) && !driver.text.contains("New device"))
        #expect(click("R readings", in: &driver) && driver.text.contains("Lagoon: 27.3 °C"))
        #expect(driver.console.navigation.focus == .events, "the panel of the hint has the focus now")
        driver.type("3")
        #expect(click("- zoom", in: &driver) && driver.console.panels.history.range == .week)
        #expect(click("+ - zoom", in: &driver) && driver.console.panels.history.range == .day)
        #expect(click("q quit", in: &driver) && driver.console.isLeft)
    }

    @Test func `an upright phone shows the key of the help, and it can be clicked`() {
        var driver = ConsoleDriver(.normal)
        #expect(click("Setup", in: &driver))
        #expect(driver.text.contains("Setup ?"))
        #expect(click("?", in: &driver) && driver.text.contains("Everywhere"))
    }

    @Test func `the wheel moves the selection, and zooms the chart`() {
        var driver = ConsoleDriver(.normal, columns: 120, rows: 36)
        driver.handle(.wheel(x: 5, y: 5, notches: 1))
        #expect(driver.console.context.device?.device.name == "Spa")
        driver.handle(.wheel(x: 60, y: 18, notches: 1))
        #expect(driver.console.panels.history.range == .week)
    }

    @Test func `a click beside a form does not lose what was typed`() {
        var driver = ConsoleDriver(.normal)
        driver.type("2 s Precious")
        driver.handle(.click(x: 0, y: 0))
        #expect(driver.text.contains("Precious"))
        driver.type("esc y ?")
        driver.handle(.click(x: 0, y: 0))
        #expect(!driver.text.contains("Everywhere"))
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

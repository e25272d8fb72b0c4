import PoolControl
import PoolModel
import Testing

@testable import TerminalUI

/// What the hub's screens show where there is little room, or where it matters that nothing is taken for something else.
struct HubRoomTests {
    private func pairing(columns: Int, rows: Int) -> ConsoleDriver {
        var driver = ConsoleDriver(.normal, columns: columns, rows: rows)
        driver.invites()
        driver.type("i")
        return driver
    }

    @Test(arguments: [(48, 36), (48, 30), (80, 24), (120, 36), (200, 60)])
    func `the code of an invitation is drawn from a phone on, and on an ordinary terminal`(columns: Int, rows: Int) {
        let text = pairing(columns: columns, rows: rows).text
        #expect(!text.contains("A larger terminal"))
        // Rows of two rows of modules each, of which about half differ.
        #expect(text.split(separator: "\n").count { $0.count { $0 == "▀" } >= 10 } >= 18)
        #expect(text.contains("poolsensors watch pair CODE") && text.contains("esc close"))
    }

    @Test func `where there is no room for the code it is text`() {
        let text = pairing(columns: 40, rows: 20).text
        #expect(text.contains("A larger terminal") && text.contains("psw1-0123"))
    }

    @Test(arguments: [(48, 36), (80, 24), (120, 36)])
    func `a code that works on one machine only says so`(columns: Int, rows: Int) {
        var driver = ConsoleDriver(.normal, columns: columns, rows: rows)
        driver.invites()
        driver.snapshot.invitation?.notes = [
            "Only a watch on this machine can use it.", "  poolsensors hub --listen X",
        ]
        driver.type("i")
        let words = driver.text.split { !$0.isLetter && $0 != "-" }.joined(separator: " ")
        #expect(words.contains("Only a watch on this machine") && words.contains("poolsensors hub --listen X"))
    }

    @Test func `the columns of the watches never touch`() throws {
        var driver = ConsoleDriver(.normal, columns: 120, rows: 36)
        driver.snapshot.hub.revision = 123_456
        driver.snapshot.hub.watches = [
            SampleHub.watch("amelie", "a", revision: 123_400, queue: 12_345, lag: 9_999),
            SampleHub.watch("julien", "b", revision: 7, lag: 999),
            SampleHub.watch("a name that is far too long for it", "c", silent: 840, queue: 67),
        ]
        driver.update()
        let lines = driver.text.split(separator: "\n").map(String.init)
        let amelie = try #require(lines.first { $0.contains("amelie") })
        #expect(amelie.contains(" 12345 10.0s "))
        #expect(lines.contains { $0.contains("julien") && $0.contains("     0 999ms ") })
        #expect(lines.contains { $0.contains(" 123449 changes behind ") })
        #expect(lines.contains { $0.contains("… ") && $0.contains(" 67 14min ") })
    }

    @Test(arguments: [(48, 36), (80, 24), (120, 36), (180, 50)], SampleHub.allCases)
    func `the first screen has an owner's words`(size: (columns: Int, rows: Int), sample: SampleHub) {
        var snapshot = sample.snapshot
        for index in snapshot.hub.servers.indices { snapshot.hub.servers[index].server.host = "broker.lan" }
        let driver = ConsoleDriver(snapshot, columns: size.columns, rows: size.rows)
        let words = Set(driver.text.split { !$0.isLetter }.map(String.init))
        #expect(words.isDisjoint(with: ["rev", "revision", "unroutable", "peer", "mqtt", "csv", "metric"]))
    }

    @Test func `the banner is the worst alert, with the name of a device that is not the one shown`() {
        var driver = ConsoleDriver(.normal)
        let spa = DeviceID(high: 1, low: 3)
        driver.snapshot.hub.alerts.state.alerts = [
            SampleHub.alert(1, .value(spa, .orp, .low), .warning, 10, value: 500, limit: 600),
            SampleHub.alert(2, .value(spa, .ph, .high), .critical, 5, value: 9, limit: 8),
        ]
        driver.snapshot.hub.alerts.state.alerts[1].name = "Spa"
        driver.update()
        #expect(driver.text.contains("◆ Spa pH high 9.00"))
    }

    @Test func `an empty chart is asked for again as soon as there is a value`() throws {
        var driver = ConsoleDriver(.normal)
        driver.answer = { _ in nil }
        driver.type("4")
        let queries = driver.orders.compactMap { order -> ChartQuery? in
            if case .history(.series(let device, let quantity, let first, let last, let points)) = order.command {
                ChartQuery(deviceID: device, quantity: quantity, from: first, through: last, points: points)
            } else {
                nil
            }
        }
        let query = try #require(queries.last)
        func charts() -> Int {
            driver.orders.count {
                if case .history(.series) = $0.command { true } else { false }
            }
        }
        let first = charts()
        driver.snapshot.chart = ChartState(
            query: query,
            series: TimeSeries(quantity: query.quantity, first: query.from, last: query.through, points: []))
        driver.snapshot.hub.now = driver.snapshot.hub.now.advanced(byMilliseconds: 1000)
        driver.update()
        #expect(charts() == first)
        driver.snapshot.hub.now = driver.snapshot.hub.now.advanced(byMilliseconds: 1500)
        driver.update()
        #expect(charts() == first + 1)
    }
}

import ArgumentParser
import CommandSupport
import Foundation
import TestSupport
import Testing

@testable import poolsensors

@Suite struct DemoPlanTests {
    private static let plan = DemoPlan(
        folder: "/d", rate: 2.5, seed: 9, duration: nil, brokerPort: 1001, hubPort: 1002, pagePort: 1003)

    @Test func `every command line of the demo is one that the program understands`() throws {
        for arguments in [Self.plan.hubArguments, Self.plan.probeArguments]
            + DemoPlan.watches.flatMap({ watch in
                [
                    Self.plan.watchArguments(of: watch, isDrawn: true),
                    Self.plan.watchArguments(of: watch, isDrawn: false), Self.plan.pairingArguments(of: watch),
                    Self.plan.limitArguments(of: watch, device: "Spa", quantity: "ph", high: 7.5),
                ]
            })
        {
            let command = try #require(try PoolSensors.parseAsRoot(arguments) as? any Configured)
            #expect(command.common.state == "/d/state")
            #expect(command.common.config == "/d/config.json")
        }
        for arguments in [
            Self.plan.guarded(["/usr/sbin/mosquitto", "-c", "x"]),
            Self.plan.cleanupArguments(tmux: "/usr/bin/tmux", removesFolder: true),
        ] {
            let command = try #require(try PoolSensors.parseAsRoot(arguments) as? GuardCommand)
            #expect(command.lifeline == "/d/lifeline")
            #expect(command.program.count == 3)
        }
    }

    @Test func `the page gets the state, the lifeline and its port on this machine`() throws {
        let command = try #require(try PoolSensors.parseAsRoot(Self.plan.pageArguments) as? WebCommand)

        #expect(
            command.arguments == ["--listen", "127.0.0.1:1003", "--state", "/d/state", "--lifeline", "/d/lifeline"])
    }

    @Test func `a probe gets the rate, the seed and the topics of the pools`() throws {
        let command = try #require(try PoolSensors.parseAsRoot(Self.plan.probeArguments) as? ProbeCommand)

        #expect(command.givenFlags["probe.rate"] == "2.5")
        #expect(command.givenFlags["probe.seed"] == "9")
        #expect(command.givenFlags["probe.server"] == "127.0.0.1:1001")
        #expect(command.topics == DemoPlan.pools.map(\.topic))
        #expect(command.acidRunsOut == "8s")
    }

    @Test func `a broker of the superuser stays the superuser, so that it can write to its folder`() {
        #expect(Self.plan.brokerConfiguration(isSuperuser: true).contains("user root"))
        #expect(!Self.plan.brokerConfiguration(isSuperuser: false).contains("user root"))
        #expect(Self.plan.brokerConfiguration(isSuperuser: false).first == "listener 1001 127.0.0.1")
    }

    @Test func `the expected interval leaves room for dropouts`() {
        var plan = Self.plan
        #expect(plan.expectedIntervalSeconds == 5)
        plan.rate = 0.1
        #expect(plan.expectedIntervalSeconds == 30)
    }

    @Test(arguments: [
        (170, 37, 49, [[0], [1, 2], [3]], [23, 10, 1]), (97, 37, 48, [[0], [1], [2]], [23, 10, 1]),
        (97, 24, 48, [[0]], [23]), (80, 24, 31, [[0], [1], [2]], [10, 10, 1]), (72, 30, 0, [], []),
    ])
    func `the hub gets its screens, and watches the room beside them`(
        columns: Int, rows: Int, watchColumns: Int, watches: [[Int]], heights: [Int]
    ) {
        let layout = DemoLayout(columns: columns, rows: rows)

        #expect(layout.watchColumns == watchColumns)
        #expect(layout.tiles.map(\.watches) == watches)
        #expect(layout.tiles.map(\.rows) == heights)
    }

    @Test(arguments: [(170, 37, "6"), (170, 30, "3"), (118, 40, "3"), (97, 37, "3"), (72, 30, "3")])
    func `the key for the alerts is that of the layout of the hub's screens`(columns: Int, rows: Int, key: Character) {
        #expect(DemoLayout(columns: columns, rows: rows).alertsKey == key)
    }

    @Test func `tiles fill the height of any terminal, and no watch is in two of them`() {
        for columns in [20, 73, 80, 92, 97, 118, 167, 168, 240] {
            for rows in 8...70 {
                let layout = DemoLayout(columns: columns, rows: rows)
                let tiles = layout.tiles
                #expect(Set(layout.shownWatches).count == layout.shownWatches.count)
                #expect(tiles.allSatisfy { $0.rows > 0 })
                guard !tiles.isEmpty else { continue }
                #expect(tiles.reduce(-1) { $0 + $1.rows + 1 } == layout.paneRows, "\(columns) × \(rows)")
                // The upright hub, or the hub with all its panels.
                let left = columns - layout.watchColumns - 1
                #expect(left >= 48)
            }
        }
    }

    @Test func `a folder that holds something is not used`() throws {
        let folder = try TemporaryFolder()
        #expect(throws: Never.self) { _ = try DemoFolder(named: folder.path("new"), environment: [:], isKept: false) }
        _ = FileManager.default.createFile(atPath: folder.path("new/file"), contents: nil)

        let failure = try #require(throws: CommandFailure.self) {
            _ = try DemoFolder(named: folder.path("new"), environment: [:], isKept: false)
        }
        #expect(failure.description.hasSuffix("is not empty: name a new folder for the demo with --state"))
    }

    @Test func `a temporary folder goes with the demo, one that was named or is to be kept stays`() throws {
        let folder = try TemporaryFolder()
        let temporary = try DemoFolder(named: nil, environment: ["TMPDIR": folder.url.path], isKept: false)
        let named = try DemoFolder(named: folder.path("n"), environment: [:], isKept: false)
        let kept = try DemoFolder(named: nil, environment: ["TMPDIR": folder.url.path], isKept: true)

        #expect(temporary.remove() == nil)
        #expect(!FileManager.default.fileExists(atPath: temporary.path))
        #expect(named.remove() == "state and logs are in \(named.path)")
        #expect(FileManager.default.fileExists(atPath: named.path))
        #expect(kept.remove() != nil)
    }
}

import BrokerFixture
import CommandSupport
import Foundation
import ProgramFixture
import TestSupport
import Testing

@testable import poolsensors

/// Hubs and watches of two builds with each other, and folders of the earlier build opened by the present one.
///
/// `.ci/before` builds an earlier commit and runs this suite against it; otherwise the present build takes both roles.
/// Commands, options and output are limited to those that the earlier build knows.
@Suite(.timeLimit(.minutes(20))) struct OldAndNewTests {
    private static let fileByteCount = 24_000_000

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Configures the hub with a broker and two devices, one of which exceeds its limits with the first value.
    private func configure(_ home: MixedHousehold, port: Int) async throws {
        try Data("secret word\n".utf8).write(to: URL(filePath: folder.path("password")))
        try await home.onHub([
            "server", "add", "--name", "Garden", "--host", "127.0.0.1", "--port", "\(port)", "--username", "hub",
            "--password-file", folder.path("password"),
        ])
        try await home.onHub(["device", "add", "--name", "Lagoon", "--topic", "pool/1", "--interval", "1h"])
        try await home.onHub(["device", "add", "--name", "Spa", "--topic", "pool/2", "--interval", "1h"])
        try await home.onHub(["device", "select", "Lagoon"])
        try await home.onHub(["alerts", "settings", "--samples", "1"])
        try await home.onHub(["limits", "set", "ph", "1", "2", "3", "4", "--device", "Lagoon"])
    }

    private func kill(_ programs: Program...) async {
        for program in programs { program.signal(SIGKILL) }
        for program in programs { _ = await program.ended() }
    }

    private func end(_ programs: Program...) async {
        for program in programs {
            program.signal(SIGTERM)
            #expect(await program.ended() == .exited(0), "\(program.lines.suffix(5))")
        }
    }

    /// Starts a broker for which the hub has a password.
    private func startBroker() async throws -> Broker {
        var options = Broker.Configuration()
        options.passwords = ["hub": "secret word", "probe": "another"]
        return try await Broker.start(options)
    }

    private func publish(_ count: Int, _ topic: String, _ broker: Broker, _ home: MixedHousehold) async throws {
        try Data("another\n".utf8).write(to: URL(filePath: folder.path("probe")))
        try await home.onHub([
            "probe", "--server", "127.0.0.1:\(broker.port)", "--topic", topic, "--rate", "50", "--count", "\(count)",
            "--username", "probe", "--password-file", folder.path("probe"),
        ])
    }

    // MARK: - Together

    @Test(arguments: Build.Pair.all)
    func `a hub and a watch of two builds exchange alerts, answers, questions and edits, though both are killed`(
        builds: Build.Pair
    ) async throws {
        let home = MixedHousehold(
            folder: folder, hub: builds.hub, watches: ["Wrist": builds.watch, "Kitchen": builds.hub])
        let broker = try await startBroker()
        var hub = try await home.startHub()
        try await configure(home, port: broker.port)
        for watch in ["Wrist", "Kitchen"] { try await home.pair(watch) }
        _ = try await hub.line(containing: "Garden: connected")
        var (wrist, kitchen) = (try home.start("Wrist"), try home.start("Kitchen"))

        // An alert reaches both watches as user info and as a register; one answer applies to all.
        try await publish(5, "pool/1", broker, home)
        for watch in [wrist, kitchen] {
            _ = try await watch.line(containing: #""alerts":[{"isAcknowledged":false"#)
        }
        try await home.on("Wrist", ["alerts", "acknowledge", "1"])
        _ = try await kitchen.line(containing: #""alerts":[{"isAcknowledged":true"#)
        try await expectSameNotices(home)
        try await home.expectSameReplicas(devices: ["Lagoon", "Spa"])

        await end(wrist)
        try await expectAnswer(at: "Wrist", builds.watch, home)

        // All three make edits independently, two of them of the same name.
        await kill(hub, kitchen)
        try await home.onHub(["device", "edit", "Lagoon", "--name", "Huge"])
        async let renamed = home.on("Wrist", ["rename", "Lagoon", "Big"])
        async let limited = home.on("Kitchen", ["limits", "Spa", "ph", "--low", "7.1"])
        #expect(try await (renamed + limited).count { $0.hasPrefix("changed here, not yet at the hub") } == 2)
        hub = try await home.startHub()
        (wrist, kitchen) = (try home.start("Wrist"), try home.start("Kitchen"))
        for watch in [wrist, kitchen] {
            #expect(
                await watch.line { $0.contains(#""conflicts":[{"#) && $0.contains(#""pendingEdits":[]"#) } != nil)
        }
        let conflicts = try #require(try await home.json("conflicts", "list") as? [[String: Any]])
        #expect(conflicts.count == 1)
        try await home.expectSameReplicas(devices: ["Big", "Spa"])

        await kill(hub, wrist)
        hub = try await home.startHub()
        wrist = try home.start("Wrist")
        let id = try #require(conflicts.first?["id"] as? String)
        try await home.on("Wrist", ["restore", id])
        // Earlier builds call the name of the device otherwise.
        _ = await kitchen.line { line in
            [#""name":"Huge""#, #""device":"Huge""#].contains(where: line.contains) && line.contains(#""conflicts":[]"#)
        }
        try await publish(5, "pool/2", broker, home)
        try await home.expectSameReplicas(devices: ["Huge", "Spa"])
        await end(wrist, kitchen, hub)
        await broker.stop()
    }

    /// A query is a live message with a reply.
    private func expectAnswer(at watch: String, _ build: Build, _ home: MixedHousehold) async throws {
        let terminal = try ScreenTerminal(columns: 120, rows: 40)
        let face = try terminal.start(["watch", "--name", watch], in: folder, build: build)
        await terminal.wait(for: "Lagoon")
        try await poll("the face to have a link") {
            (try await home.look(watch)["source"] as? [String: Any])?["from"] as? String == "hub"
        }
        terminal.type("r")
        await terminal.wait(for: "answered")
        terminal.type("qq")
        #expect(await face.ended() == .exited(0))
    }

    /// Both watches have the same notices, at least one.
    private func expectSameNotices(_ home: MixedHousehold) async throws {
        var notices: [String] = []
        for watch in ["Wrist", "Kitchen"] {
            let printed = try MixedHousehold.parsed(try await home.on(watch, ["alerts", "list", "--json"]))
            let list = (printed as? [String: Any])?["notices"] as? [[String: Any]]
            notices.append(try #require(list?.first?["text"] as? String, "\(watch) keeps no notice"))
        }
        #expect(notices.first?.hasPrefix("Lagoon: pH ") == true && Set(notices).count == 1)
    }

    @Test(arguments: Build.Pair.all)
    func `a file between two builds goes on where it was cut, also after a kill on either side, and arrives once`(
        builds: Build.Pair
    ) async throws {
        let home = MixedHousehold(folder: folder, hub: builds.hub, watches: ["Wrist": builds.watch])
        var hub = try await home.startHub()
        try await home.pair("Wrist")

        let (name, kept) = try await cutFile(home)
        await kill(hub)
        hub = try await home.startHub()
        let watch = try home.start("Wrist")
        let fewest = try await home.waitForArrival(of: name, on: "Wrist", hub: hub)

        // Data that was not on the disk at the kill is sent again; a slow disk may be megabytes behind.
        #expect(fewest > kept / 4, "the file began anew")
        try await home.expectOnce(name, on: "Wrist", like: folder.path(name))
        await end(watch, hub)
    }

    // MARK: - Folders

    @Test func `the present build opens what the earlier one wrote and left, and brings it to its end`() async throws {
        let old = MixedHousehold(folder: folder, hub: .before, watches: ["Wrist": .before])
        let new = MixedHousehold(folder: folder, hub: .present, watches: ["Wrist": .present])
        let broker = try await startBroker()
        let (name, kept) = try await leaveFolders(old, broker)

        // The earlier build prints the contents of its folders, and the present build those of a copy made after the
        // kill.
        let copying = try ChildProcess(
            "/bin/cp", ["-a", folder.path("state"), folder.path("left")], environment: [:], files: (nil, nil, nil))
        #expect(await copying.ended() == .exited(0))
        let before = try await printed(by: .before)
        try FileManager.default.removeItem(atPath: folder.path("state"))
        try FileManager.default.moveItem(atPath: folder.path("left"), toPath: folder.path("state"))
        for ((command, was), (_, isNow)) in zip(before, try await printed(by: .present)) {
            #expect(was.isHeld(by: isNow), "\(command):\n\(was)\n\nis now\n\(isNow)")
        }

        let hub = try await new.startHub()
        _ = try await hub.line(containing: "Garden: connected")
        let wrist = try new.start("Wrist")
        let fewest = try await new.waitForArrival(of: name, on: "Wrist", hub: hub)
        // Data that was not on the disk at the kill is sent again; a slow disk may be megabytes behind.
        #expect(fewest > kept / 4, "the file began anew")
        _ = try await hub.line(containing: "readings.csv has arrived")
        for file in [name, "readings.csv"] { try await new.expectOnce(file, on: "Wrist", like: folder.path(file)) }
        #expect(
            await wrist.line {
                $0.contains(#""conflicts":[{"#) && $0.contains(#""pendingEdits":[]"#)
                    && $0.contains(#""isAcknowledged":true"#)
            } != nil)
        try await publish(5, "pool/2", broker, new)
        try await new.expectSameReplicas(devices: ["Big", "Spa"])
        let notices = try MixedHousehold.parsed(try await new.on("Wrist", ["alerts", "list", "--json"]))
        let kinds = ((notices as? [String: Any])?["notices"] as? [[String: Any]])?.compactMap { $0["kind"] as? String }
        #expect(kinds == ["raised", "raised"])
        let stored = try #require(try await new.json("device", "list") as? [[String: Any]])
        #expect(stored.compactMap { $0["storedReadings"] as? Int } == [25, 5])
        await end(wrist, hub)
        await broker.stop()
    }

    /// Leaves the folders of a killed household of the earlier build, with something in every queue.
    ///
    /// - Returns: The name of the file that is being transferred, and the number of bytes that the watch has.
    private func leaveFolders(_ old: MixedHousehold, _ broker: Broker) async throws -> (name: String, kept: Int) {
        let hub = try await old.startHub()
        try await configure(old, port: broker.port)
        try await old.onHub(["pool", "add", "--name", "Back", "--volume", "50"])
        try await old.onHub(["device", "edit", "Spa", "--pool", "Back"])
        try await old.onHub(["calibrate", "add", "Lagoon", "ph", "--offset", "0.1", "--author", "me"])
        try await old.pair("Wrist")
        _ = try await hub.line(containing: "Garden: connected")
        try await publish(20, "pool/1", broker, old)
        let wrist = try old.start("Wrist")
        _ = try await wrist.line(containing: #""isAcknowledged":false"#)
        // The alerts that a watch shows may not be on its disk yet.
        await end(wrist)
        let (name, kept) = try await cutFile(old)

        // A second notice, a second file and an edit are queued at the hub.
        try await old.onHub(["limits", "set", "temperature", "1", "2", "3", "4", "--device", "Lagoon"])
        try await publish(5, "pool/1", broker, old)
        _ = try await hub.line(containing: "Lagoon: Temperature ")
        try await poll("the second alert") {
            let state = (try await old.json("alerts", "list") as? [String: Any])?["state"] as? [String: Any]
            return (state?["alerts"] as? [Any])?.count == 2
        }
        let export = ["history", "export", "Lagoon", "--watch", "Wrist", "--out", folder.path("readings.csv")]
        try await old.onHub(export)
        try await old.onHub(["device", "edit", "Lagoon", "--name", "Huge"])
        await kill(hub)

        // An answer and an edit are queued at the watch.
        try await old.on("Wrist", ["alerts", "acknowledge", "1"])
        try await old.on("Wrist", ["rename", "Lagoon", "Big"])
        return (name, kept)
    }

    /// Sends files until a transfer is interrupted by killing the watch.
    ///
    /// If this process gets little processor time, a whole file may arrive before the kill.
    private func cutFile(_ home: MixedHousehold) async throws -> (name: String, kept: Int) {
        var cut: (name: String, kept: Int)?
        for number in 1...8 where cut == nil {
            let name = "manual-\(number).bin"
            let path = try home.makeFile(name, byteCount: Self.fileByteCount)
            try await home.onHub(["watches", "files", "send", "Wrist", path])
            let (kept, isCut) = try await home.cutFile(name, at: Self.fileByteCount / 4, on: "Wrist")
            if isCut { cut = (name, kept) }
        }
        return try #require(cut, "every file had arrived before its watch was killed")
    }

    /// The output of the commands that show a hub and its watch while they are not running.
    private func printed(by build: Build) async throws -> [(command: [String], text: PrintedValue)] {
        var commands = [
            ["config", "log"], ["server", "list"], ["device", "list"], ["pool", "list"], ["limits", "show"],
            ["calibrate", "list"], ["history", "list"], ["alerts", "list"], ["conflicts", "list"], ["watches", "list"],
            ["watches", "files"],
        ]
        commands += [["pending"], ["conflicts"], ["alerts", "list"], ["files"], ["--once", "--timeout", "1s"]].map {
            ["watch"] + $0 + ["--name", "Wrist"]
        }
        var found: [(command: [String], text: PrintedValue)] = []
        for command in commands {
            let lines = try await Program.run(command + ["--json"], in: folder, program: build.program).lines
            found.append((command, try PrintedValue(lines)))
        }
        let export = ["history", "export", "--values", "both", "--format", "csv", "--out", "-"]
        let lines = try await Program.run(export, in: folder, program: build.program).lines
        #expect(lines.count > 25, "\(lines)")
        found.append((export, .text(lines)))
        return found
    }

    @Test func `the present build takes in a backup and a sealed export of the earlier one`() async throws {
        let old = MixedHousehold(folder: folder, hub: .before, watches: [:])
        let broker = try await startBroker()
        let hub = try await old.startHub()
        try await configure(old, port: broker.port)
        _ = try await hub.line(containing: "Garden: connected")
        try await publish(20, "pool/1", broker, old)
        try Data("correct horse battery\n".utf8).write(to: URL(filePath: folder.path("passphrase")))
        let sealed = [folder.path("pool.export"), "--passphrase-file", folder.path("passphrase")]
        try await old.onHub(["config", "export"] + sealed)
        try await old.onHub(["hub", "backup", folder.path("backup")])
        await end(hub)
        await broker.stop()

        let commands = [
            ["server", "list"], ["limits", "show"], ["alerts", "settings"], ["device", "list"], ["history", "list"],
        ]
        var before: [PrintedValue] = []
        for command in commands { before.append(try PrintedValue(try await old.onHub(command + ["--json"]))) }
        func expectHeld(by new: MixedHousehold, _ count: Int) async throws {
            for (command, was) in zip(commands, before).prefix(count) {
                let isNow = try PrintedValue(try await new.onHub(command + ["--json"]))
                #expect(was.isHeld(by: isNow), "\(command):\n\(was)\n\nis now\n\(isNow)")
            }
        }
        let other = MixedHousehold(folder: try TemporaryFolder(), hub: .present, watches: [:])
        try await other.onHub(["config", "import"] + sealed + ["--apply"])
        // Readings and their counts are not in an export.
        try await expectHeld(by: other, commands.count - 2)
        let new = MixedHousehold(folder: folder, hub: .present, watches: [:])
        try await new.onHub(["device", "edit", "Lagoon", "--name", "Huge"])
        try await new.onHub(["hub", "restore", folder.path("backup"), "--yes"])
        try await expectHeld(by: new, commands.count)
    }
}

/// The output of a command; a later build may print more.
private enum PrintedValue: CustomStringConvertible {
    case number(Double)
    case text([String])
    case list([PrintedValue])
    case entries([String: PrintedValue])

    /// Values that change without any action, and the result of the last connection attempt of a stopped watch.
    private static let passing: Set = ["ageSeconds", "clock", "link", "source", "silentSeconds"]

    /// Reads JSON: one value, or one value per line.
    init(_ lines: [String]) throws {
        do {
            self.init(try MixedHousehold.parsed(lines))
        } catch {
            self = .list(try lines.map { PrintedValue(try MixedHousehold.parsed([$0])) })
        }
    }

    private init(_ value: Any) {
        switch value {
        case let entries as [String: Any]:
            self = .entries(entries.filter { !Self.passing.contains($0.key) }.mapValues { PrintedValue($0) })
        case let list as [Any]: self = .list(list.map { PrintedValue($0) })
        case let number as NSNumber: self = .number(number.doubleValue)
        default: self = .text(["\(value)"])
        }
    }

    /// Whether another value contains everything in this one; an object may have more members.
    func isHeld(by other: PrintedValue) -> Bool {
        switch (self, other) {
        case (.number(let own), .number(let others)): own == others
        case (.text(let own), .text(let others)): own == others
        case (.list(let own), .list(let others)):
            own.count == others.count && zip(own, others).allSatisfy { $0.isHeld(by: $1) }
        case (.entries(let own), .entries(let others)):
            own.allSatisfy { key, value in others[key].map { value.isHeld(by: $0) } == true }
        case (.number, _), (.text, _), (.list, _), (.entries, _): false
        }
    }

    var description: String {
        switch self {
        case .number(let number): "\(number)"
        case .text(let lines): lines.joined(separator: "\n")
        case .list(let list): "[" + list.map(\.description).joined(separator: ", ") + "]"
        case .entries(let entries):
            "{" + entries.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ") + "}"
        }
    }
}

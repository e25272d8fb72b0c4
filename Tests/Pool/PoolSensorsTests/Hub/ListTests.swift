import CommandSupport
import Platform
import PoolControl
import PoolHub
import Testing

@testable import PoolModel
@testable import poolsensors

@Suite struct ListTests {
    @Test(arguments: [
        ("ca.pem", "/here/ca.pem"), ("../ca.pem", "/ca.pem"), ("/etc/ca.pem", "/etc/ca.pem"), ("", ""),
    ])
    func `a certificate file means the same to the hub, whatever folder that runs in`(path: String, meant: String) {
        #expect(ServerOptions.absolute(path, workingFolder: "/here") == meant)
    }

    @Test func `an empty list says how to fill it`() {
        #expect(ServerList.lines(Samples.report()).count == 1)
        #expect(DeviceList.lines(Samples.report())[0].contains("poolsensors device add"))
        #expect(WatchList.lines(Samples.report())[0].contains("poolsensors pair"))
    }

    @Test func `a list shows what is known, and a mark for what is not`() {
        let report = Samples.report(
            servers: [Samples.server()], devices: [Samples.device("Lagoon", stored: 3)],
            watches: [Samples.watch("Kitchen", isLinked: nil)])

        #expect(
            ServerList.lines(report) == [
                "server  address         tls  user  password  mqtt   announced  devices  state  id",
                "Garden  127.0.0.1:1883  –    –     –         3.1.1  –          1        –      00000000",
            ])
        #expect(DeviceList.lines(report)[1] == "* Lagoon  Garden  pool/Lagoon  1m     3       –         00000000")
        #expect(WatchList.lines(report)[1] == "Kitchen  01020304  –     –      –         0          0           0")
    }

    @Test func `an alert that is quiet for days says until which day`() {
        let now = Timestamp(milliseconds: 1_780_315_200_000)
        let alert = AlertState.Alert(
            episodeID: AlertEpisodeID(high: 1, low: 1), key: .missing(Samples.deviceID, nil), name: "Lagoon",
            severity: .warning, since: now, isAcknowledged: false,
            snoozedUntil: now.advanced(byMilliseconds: 3 * 86_400_000))
        let lines = AlertList.lines(AlertState([alert]), command: "alerts", now: now)
        #expect(lines[1].contains("quiet until 2026-06-04 "), "\(lines)")
    }

    @Test func `a record is found by its name or the start of its id`() throws {
        let report = Samples.report(
            servers: [Samples.server()],
            devices: [Samples.device("Lagoon"), Samples.device("Spa", id: DeviceID(high: .max, low: 1))])

        #expect(try report.device(named: "spa").name == "Spa")
        #expect(try report.device(named: "ffff").name == "Spa")
        #expect(try report.server(named: "Garden").id == Samples.serverID)
        let failure = try #require(throws: CommandFailure.self) { _ = try report.device(named: "Pond") }
        #expect(failure.description.contains("\"Lagoon\", \"Spa\""))
    }

    @Test func `two devices of one name are told apart by the start of their ids`() throws {
        let other = DeviceID(high: .max, low: 1)
        let report = Samples.report(devices: [Samples.device("Spa"), Samples.device("Spa", id: other)])
        let failure = try #require(throws: CommandFailure.self) { _ = try report.device(named: "Spa") }
        #expect(failure.description.contains("\(Samples.deviceID)") && failure.description.contains("\(other)"))
        #expect(try report.device(named: "Spa ffff").id == other)
    }

    @Test func `readings of a device that was removed are asked for by its whole id`() throws {
        let report = Samples.report(devices: [Samples.device("Lagoon")])
        let gone = DeviceID(high: .max, low: 1)
        #expect(try report.deviceWithReadings(named: "lagoon") == Samples.deviceID)
        #expect(try report.deviceWithReadings(named: "\(gone)") == gone)
        #expect(throws: CommandFailure.self) { try report.deviceWithReadings(named: "ffff") }
    }

    @Test func `a conflict is named by the start of its name`() throws {
        var report = Samples.report()
        report.conflicts = [1, 2].map { number in
            ConflictSummary(
                id: ConflictID(bytes: [0x3f, 0x99 + number, number]), subject: "name", base: nil,
                loser: .init(value: "a", author: "hub", at: .now), winner: nil,
                rule: "edited", obstacle: nil)
        }
        #expect(try report.conflict(named: "3F9B") == ConflictID("3f9b02"))
        #expect(throws: CommandFailure.self) { try report.conflict(named: "3f9") }
        let failure = try #require(throws: CommandFailure.self) { _ = try report.conflict(named: "77") }
        #expect(failure.description.contains("77"))
    }

    @Test func `a watch is named by its name, or for a file by the start of its key in any case`() throws {
        let key = WatchID(bytes: (0..<32).map { $0 + 0xA0 })
        let kitchen = Samples.watch("Kitchen", id: key)
        let report = Samples.report(watches: [kitchen, Samples.watch("Wrist", id: WatchID(bytes: 1...32))])
        for text in ["Kitchen", "A0A1A2", key.digits.uppercased(), "a0a1"] {
            #expect(try report.watch(namedOrKeyed: text).id == key)
        }
        #expect(try report.watch(named: "Kitchen").id == key)
        for text in ["a0a", "Attic"] {
            let failure = try #require(throws: CommandFailure.self) { _ = try report.watch(namedOrKeyed: text) }
            #expect(failure.description.contains("no watch named \(text)"))
            #expect(failure.description.contains("there are: Kitchen, Wrist. A watch that was unpaired gets nothing"))
            #expect(failure.exitStatus == .notFound)
        }
        #expect(throws: CommandFailure.self) { try report.watch(named: "a0a1a2") }
        let twins = Samples.report(watches: [kitchen, Samples.watch("Attic", id: WatchID(bytes: [0xA0, 0xA1]))])
        let both = try #require(throws: CommandFailure.self) { _ = try twins.watch(namedOrKeyed: "a0a1") }
        #expect(both.description.contains("2 watches have a key that begins with a0a1"))
        let none = try #require(throws: CommandFailure.self) { _ = try Samples.report().watch(namedOrKeyed: "Attic") }
        #expect(none.description.contains("none is paired yet; invite one with: poolsensors pair"))
    }

    @Test(
        arguments: [
            (.success, nil, "Garden: ok, the server accepted the connection", .success),
            (.unreachable, "cannot connect: refused", "Garden: unreachable: cannot connect: refused", .unreachable),
            (
                .badCredentials, "refused by the broker", "Garden: bad credentials: refused by the broker",
                .badCredentials
            ),
            (.tlsOther, "TLS failed: unknown authority", "Garden: TLS failed: unknown authority", .tlsFailed),
            (
                .timedOut, "timed out while connecting", "Garden: no answer in time: timed out while connecting",
                .timeout
            ),
            (.failed, "something", "Garden: failed: something", .failure),
        ] as [(ServerTestCode, String?, String, ExitStatus)])
    func `each outcome of a trial has a sentence and a status of its own (P11)`(
        code: ServerTestCode, reason: String?, line: String, status: ExitStatus
    ) {
        let report = ServerTestReport(server: "Garden", code: code, reason: reason)

        #expect(report.line == line)
        #expect(report.exitStatus == status)
    }
}

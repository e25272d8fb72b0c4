import Foundation
import PoolControl
import PoolModel
import TestSupport
import Testing

/// What is sent over a hub's control socket, byte by byte: each command, and the envelope of each reply.
///
/// `Fixtures/wire/control.txt` has a line for each, with its name and its JSON. A program and the hub beside it may be of
/// different versions after an upgrade, so a difference is a breaking change. BLESS=1 in the environment rewrites the
/// file.
@Suite struct ControlWireTests {
    private static let file = Repository.url("Fixtures/wire/control.txt")

    @Test func `each command and each reply has the bytes that it had, and is read from them`() throws {
        let commands = try Self.commands.map {
            ("command", String(decoding: try CanonicalJSON.encode($0), as: UTF8.self))
        }
        let replies = try Self.replies.map { reply, depth in
            ("reply", try Self.envelope(try CanonicalJSON.encode(reply), depth: depth))
        }
        let lines = (commands + replies).map { "\($0)\t\($1)" }
        if ProcessInfo.processInfo.environment["BLESS"] == "1" {
            try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: Self.file)
        }
        let expected = try String(contentsOf: Self.file, encoding: .utf8).split(separator: "\n").map(String.init)
        #expect(lines == expected)
        for command in Self.commands {
            #expect(try CanonicalJSON.decode(HubCommand.self, from: try CanonicalJSON.encode(command)) == command)
        }
        for (reply, _) in Self.replies {
            #expect(try CanonicalJSON.decode(HubReply.self, from: try CanonicalJSON.encode(reply)) == reply)
        }
    }

    /// The JSON of a reply, in which everything deeper is `…`: the records themselves have tests of their own.
    private static func envelope(_ bytes: [UInt8], depth: Int) throws -> String {
        func cut(_ value: Any, _ depth: Int) -> Any {
            switch value {
            case let object as [String: Any]: depth == 0 ? "…" : object.mapValues { cut($0, depth - 1) }
            case is [Any]: "…"
            default: value
            }
        }
        let value = try JSONSerialization.jsonObject(with: Data(bytes))
        let data = try JSONSerialization.data(
            withJSONObject: cut(value, depth), options: [.sortedKeys, .withoutEscapingSlashes])
        return String(decoding: data, as: UTF8.self)
    }

    // MARK: - Examples

    static let device = DeviceID(high: 2, low: 1)
    static let server = ServerID(high: 3, low: 1)
    static let pool = PoolID(high: 1, low: 1)
    static let watch = WatchID(bytes: [UInt8](repeating: 7, count: 32))
    private static let episode = AlertEpisodeID(high: 5, low: 6)
    private static let conflict = ConflictID(high: 8, low: 9)
    private static let file1 = SharedFileID(high: 10, low: 11)
    private static let noon = Timestamp(milliseconds: 1_780_000_000_000)
    private static let place = HistoryPlace(sampledAt: noon, ordinal: 7)
    private static let dose = Dose(
        id: DoseID(high: 12, low: 13), poolID: pool, product: .dichlor, amount: 90, unit: .grams, at: noon,
        author: "hub")
    private static let calibration = Calibration(
        slope: 1, offset: 0.1, method: .manual, points: [], validFrom: noon, madeAt: noon, author: "Ada")
    private static let key = PassphraseKey(
        derivation: .init(costExponent: 17, blockSize: 8, parallelism: 1, salt: [1, 2]), bytes: [3, 4])
    private static let limits = Limits(criticalLow: 6, low: 7, high: 7.4, criticalHigh: 8)

    private static func named<Patch>(_ patch: Patch, _ change: (inout Patch) -> Void) -> Patch {
        var changed = patch
        change(&changed)
        return changed
    }

    private static let serverPatch = named(ServerPatch()) { $0.name = "Home" }
    private static let devicePatch = named(DevicePatch()) { $0.name = "Lagoon" }
    private static let poolPatch = named(PoolPatch()) { $0.name = "Garden" }

    private static let edits: [HubEdit] = [
        .addServer(serverPatch), .editServer(server, serverPatch), .removeServer(server, cascading: true),
        .addDevice(devicePatch), .editDevice(device, devicePatch), .removeDevice(device), .selectDevice(device),
        .selectDevice(nil), .addPool(poolPatch), .editPool(pool, poolPatch), .removePool(pool),
        .setLimits(.device(device), .ph, limits), .setLimits(.pool(pool), .ph, nil), .clearLimits(.pool(pool), [.ph]),
        .replaceLimits(.device(device), [.ph: limits]), .applyPreset("din", .pool(pool)),
        .addCalibration(device, .ph, calibration, isForced: false, dropsOldest: true),
        .removeCalibration(device, .ph, validFrom: nil), .setHistory(HistorySettings()), .setExport(nil),
        .setExport(ExportSettings(period: .daily, folder: "/exports")), .changeExport(.weekly, .jsonl),
        .settle(conflict: conflict, restoring: true), .importConfiguration(ConfigurationImport(path: "/a", key: key)),
    ]

    /// An example of each command.
    static let commands: [HubCommand] =
        edits.map { .edit($0) } + [
            .testServer(server), .tryServer(nil, serverPatch), .tryServer(server, serverPatch),
            .invite(name: "Kitchen", validForSeconds: 600), .invite(name: nil, validForSeconds: 60), .unpair(watch),
            .log(last: 5), .history(.size), .history(.page(device: device, before: place, limit: 3)),
            .history(.page(device: nil, before: nil, limit: 3)),
            .history(.lines(device: device, before: nil, limit: 3)),
            .history(.series(device: device, quantity: .ph, from: noon, through: noon, points: 2)),
            .history(.export(HistoryExport(path: "/b"))),
            .history(.delete(device: device, from: noon, through: noon, expected: 4)),
            .history(.backUp(to: "/c", replaces: false)), .history(.compact), .alerts(.report(notices: 9)),
            .alerts(.acknowledge(episode)), .alerts(.snooze(episode, seconds: 60)), .alerts(.test),
            .alerts(.change(named(AlertSettingsPatch()) { $0.isEnabled = false })),
            .alerts(.setSigningSecret("s", name: "n")), .detection(.begin(server, seconds: 30)), .detection(.look),
            .detection(.end), .diff(from: 1, to: nil), .diff(from: 1, to: 2), .restoreRevision(3),
            .exportConfiguration(ConfigurationExport(path: "/d", key: key)), .backUp("/e"), .links(.show),
            .links(.set(watch: watch, named(LinkPatch()) { $0.cutSeconds = 5 })), .links(.clear(watch: nil)),
            .share(.send(FileToShare(watch: watch, path: "/f"))), .share(.list), .share(.cancel(file1)),
            .doses(.add(dose)), .doses(.list(pool: pool, limit: 2)), .doses(.list(pool: nil, limit: 2)),
            .doses(.remove(dose.id)), .advice(pool, AdviceNumbers(totalAlkalinity: 80)), .forecast(device), .reconnect,
            .look(LookRequest(after: 4, eventsAfter: 2)), .look(LookRequest()),
            .edited(by: "Ada (page)", ifRevision: 6, .edit(.removePool(pool))),
            .edited(by: "Ada (page)", ifRevision: nil, .unpair(watch)), .outcome(job: 14), .about, .state, .names,
        ]

    private static let shared = SharedFile(
        id: file1, watch: "Kitchen", watchID: watch, name: "f", byteCount: 6, sharedAt: noon)

    /// An example of each reply, and how deep its envelope is.
    static let replies: [(HubReply, depth: Int)] = [
        (.done("removed"), 2), (.refused("no"), 2), (.revisionMoved(7), 2),
        (.serverHasDevices(server: "Home", devices: ["Lagoon"]), 2), (.invitation(code: "c", validForSeconds: 60), 2),
        (.trial(code: .success, reason: nil), 2), (.trial(code: .timedOut, reason: "late"), 2), (.log([]), 2),
        (
            .history(
                .size(
                    HistoryExtent(
                        readings: 0, devices: [], fileByteCount: 1, journalByteCount: 2, freeByteCount: 3,
                        waitingCount: 4, kept: HistorySettings()))), 4
        ),
        (.history(.page([])), 4), (.history(.lines("", count: 0, last: place)), 4),
        (
            .history(
                .series(device: "Lagoon", TimeSeries(quantity: .ph, first: noon, last: noon, points: []))), 4
        ),
        (.history(.exported(path: "/b", readings: 1, byteCount: 2)), 4),
        (.history(.deletion(readings: 1, isDone: true)), 4), (.history(.deletionGrew(readings: 2, expected: 1)), 4),
        (.history(.backedUp(path: "/c", readings: 1, byteCount: 2)), 4),
        (.history(.compacted(before: 2, after: 1)), 4), (.alerts(AlertReport(isRunning: true)), 2),
        (.working(job: 14), 2),
        (
            .detection(
                DetectionProgress(
                    serverID: server, server: "Home", isOver: true, secondsLeft: 0, isListening: false, messages: 0,
                    lines: [], json: "{}", offers: [])), 2
        ),
        (.differences([]), 2),
        (
            .configurationExported(
                ConfigurationExportReport(
                    path: "/d", revision: 1, servers: 1, devices: 1, pools: 1, secrets: 0, problems: [])), 2
        ),
        (
            .configurationImport(
                ConfigurationImportReport(
                    path: "/a", hub: "00", writtenAt: noon, fileRevision: 1, policy: .init(), rows: [], sameCount: 0,
                    changeCount: 0, secretCount: 0, obstacles: [], notes: [], revisionBefore: 1)), 2
        ),
        (.links([]), 2), (.shared(shared), 2), (.shares([shared]), 2), (.dosed(dose, isNew: true), 2),
        (.doses([dose]), 2),
        (
            .advice(
                Advice(
                    poolID: pool, pool: "Garden", volume: 48, at: noon, inputs: [], numbers: AdviceNumbers(),
                    steps: [], filtration: .hours(12), assumptions: [])), 2
        ),
        (.forecasts(device: "Lagoon", []), 2),
        (
            .look(
                HubState(now: noon), events: [EventSummary(number: 1, at: noon, kind: .notice, text: "started")]), 2
        ),
        (.look(nil, events: []), 2),
        (
            .about(
                HubInfo(
                    version: "0.2.0", processID: 7, startedAt: noon, folder: "/hub", endpoint: "tcp://127.0.0.1:1")), 2
        ), (.state(HubState(now: noon)), 2),
    ]
}

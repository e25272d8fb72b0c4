import Foundation
import Platform
import PoolControl
import PoolModel
import TestSupport
import Testing

@testable import PoolWeb
@testable import WebServer

/// What accounts are shown of pools and devices, and what they change.
@Suite struct WaterTests {
    @Test
    func `a name that only a hidden device or pool has is taken as any other, so that nothing says that it exists`()
        async throws
    {
        let bench = try await Bench()
        let gil = try await bench.user("Gil", .member, [Grant(poolID: SampleHub.garden, level: .edit)])
        let ada = try await bench.user("Ada", .owner)
        func rename(_ client: Client, _ target: String, _ name: String) async -> Answer {
            await client.ask("PATCH", target, #"{"name":"\#(name)"}"#, headers: ["if-match": "*"])
        }
        let (device, pool) = ("devices/\(SampleHub.lagoon)", "pools/\(SampleHub.garden)")
        #expect(await rename(gil, device, "Basin").status == 200)
        #expect(await rename(gil, pool, "Hall").status == 200)
        bench.hub.change { $0.devices.append(SampleHub.device(DeviceID(high: 2, low: 9), "Second", SampleHub.garden)) }
        await bench.watcher.look()
        let taken = await rename(gil, device, "Second ")
        #expect(taken.status == 409 && taken.detail.contains("already belongs to another device"))
        #expect(await rename(gil, device, "Basin").status == 200)
        // To who sees everything the hub says it.
        _ = await rename(ada, device, "Loose")
        let shared = bench.hub.commands.compactMap { command -> Bool? in
            guard case .edited(_, _, .edit(let edit)) = command else { return nil }
            switch edit {
            case .editDevice(_, let patch): return patch.sharesName ?? false
            case .editPool(_, let patch): return patch.sharesName ?? false
            default: return nil
            }
        }
        #expect(shared == [true, true, true, false])
    }

    @Test func `V11 the alerts of a pool are those of its devices, and other pools have none for a guest`() async throws
    {
        @Sendable func notice(_ id: String, _ device: DeviceID, _ name: String) -> AlertNotice {
            AlertNotice(
                id: id, episodeID: AlertEpisodeID(high: 9, low: 1), key: .value(device, .ph, .high), kind: .raised,
                severity: .warning, name: name, value: 8, limit: 7.6, normal: 7.6, release: 7.5, opposite: 7,
                since: SampleHub.now, at: SampleHub.now, repeats: 0)
        }
        let bench = try await Bench()
        bench.hub.change { state in
            state.alerts.state = AlertState([
                SampleHub.alert(.value(SampleHub.lagoon, .ph, .high), 1),
                SampleHub.alert(.value(SampleHub.basin, .ph, .high), 2, name: "Basin"),
                SampleHub.alert(.connection(SampleHub.server), 3, name: "Home"),
            ])
            state.alerts.notices = [
                notice("1", SampleHub.basin, "Basin"), notice("2", SampleHub.lagoon, "Lagoon"),
                notice("3", SampleHub.lagoon, "Lagoon"),
            ]
        }
        await bench.watcher.look()
        let ada = try await bench.user("Ada", .owner)
        let gil = try await bench.user("Gil", .guest, [Grant(poolID: SampleHub.garden, level: .read)])
        let (garden, hall) = ("pools/\(SampleHub.garden)/alerts", "pools/\(SampleHub.hall)/alerts")
        for client in [ada, gil] {
            let found = await client.get("\(garden)?notices=1")
            #expect(found.status == 200)
            #expect((found.object["alerts"] as? [[String: Any]])?.map { $0["name"] as? String } == ["Lagoon"])
            #expect((found.object["notices"] as? [[String: Any]])?.map { $0["id"] as? String } == ["2"])
            #expect(try Schemas().faults(of: found.text, "alerts") == [])
            #expect((await client.get(garden).object["notices"] as? [Any])?.isEmpty == true)
        }
        #expect((await ada.get(hall).object["alerts"] as? [Any])?.count == 1)
        #expect(await gil.get(hall).status == 404)
        let wrong = await ada.get("\(garden)?notices=1001")
        #expect(wrong.status == 400 && wrong.detail.contains("expected a whole number, 0 to 1000"))
    }

    @Test func `a conflict is explained in the language of the request, and so is what people see of refusals`()
        async throws
    {
        let side = ConflictSummary.Side(value: "7.0", author: "Kitchen", at: SampleHub.now)
        let conflict = ConflictSummary(
            id: ConflictID(high: 5, low: 1), subject: #"pH limits of the device "Lagoon""#, base: nil, loser: side,
            winner: side, rule: "newest", obstacle: nil)
        var state = SampleHub.state()
        state.conflicts = [conflict]
        let bench = try await Bench(state)
        let ada = try await bench.user("Ada", .owner)
        let french = ["accept-language": "fr-FR, en;q=0.5"]
        let (plain, translated) = (
            await ada.get("conflicts"), await ada.ask("GET", "conflicts", headers: french)
        )
        #expect(plain.list.first?["reason"] as? String == conflict.reason)
        #expect(translated.list.first?["reason"] as? String == ConflictSummary.reason(of: "newest", in: .french))
        for rule in [
            "newest", "owner", "deleted", "unseen", "together", "readOnly", "schema", "invalid", "tooLarge",
            "lostInRestore", "deletionLostInRestore",
        ] {
            #expect(ConflictSummary.reason(of: rule, in: .french) != ConflictSummary.reason(of: rule), "\(rule)")
        }
        let login = #"{"name":"Ada","password":"wrong wrong"}"#
        let refused = await bench.nobody.ask("POST", "session", login, headers: french)
        #expect(refused.status == 401 && refused.detail.hasPrefix("nom ou mot de passe incorrect"))
        #expect(refused.headers["content-language"] == "fr")
        let short = #"{"name":"Bob","password":"short","role":"guest"}"#
        #expect(await ada.ask("POST", "users", short, headers: french).detail.contains("il en faut au moins 10"))
        // What has one sentence only is English, and says so by saying nothing.
        let missing = await ada.ask("GET", "pools/x", headers: french)
        #expect(missing.status == 404 && missing.headers["content-language"] == nil)
    }

    private static let garden = "pools/\(SampleHub.garden)"
    private static let lagoon = "devices/\(SampleHub.lagoon)"
    private static let limits = #"{"own":{"ph":{"criticalLow":6.5,"low":7,"high":7.4,"criticalHigh":7.8}}}"#

    @Test func `V11 a guest of one pool sees this pool, its devices and its alerts, and nothing else`() async throws {
        var state = SampleHub.state()
        state.alerts.state = AlertState([
            SampleHub.alert(.value(SampleHub.lagoon, .ph, .high), 1),
            SampleHub.alert(.missing(SampleHub.basin, nil), 2),
            SampleHub.alert(.connection(SampleHub.server), 3, name: "Broker"),
        ])
        let bench = try await Bench(state)
        let guest = try await bench.user("Gil", .guest, [Grant(poolID: SampleHub.garden, level: .read)])
        #expect(await guest.get("pools").list.map { $0["name"] as? String } == ["Garden"])
        #expect(await guest.get("devices").list.map { $0["name"] as? String } == ["Lagoon"])
        let alerts = await guest.get("alerts").object["alerts"] as? [[String: Any]]
        #expect(alerts?.compactMap { $0["summary"] as? String } == ["Lagoon pH too high"])
        for id in [SampleHub.basin, SampleHub.loose] {
            for tail in ["", "/limits", "/readings", "/series?quantity=ph", "/export.csv", "/calibrations"] {
                #expect(await guest.get("devices/\(id)\(tail)").status == 404, "\(tail)")
            }
        }
        #expect(await guest.get("pools/\(SampleHub.hall)").status == 404)
        for target in ["watches", "changes", "users", "shares", "conflicts"] {
            #expect(await guest.get(target).status == 403, "\(target)")
        }
        let missing = await guest.get("devices/\(DeviceID(high: 9, low: 9))")
        let hidden = await guest.get("devices/\(SampleHub.basin)")
        #expect(missing.problem == hidden.problem)
    }

    @Test func `V11 nobody is shown a server, a topic or a message`() async throws {
        let bench = try await Bench()
        let ada = try await bench.user("Ada", .owner)
        for target in ["devices", Self.lagoon, "pools"] {
            let text = await ada.get(target).text
            #expect(!text.contains("secret") && !text.contains("\(SampleHub.server)"), "\(target)")
        }
    }

    @Test func `V9 an edit names its author and the revision that was read`() async throws {
        let bench = try await Bench()
        let ada = try await bench.user("Ada", .member, [Grant(poolID: nil, level: .edit)])
        let read = await ada.get(Self.garden)
        let edited = await ada.ask("PATCH", Self.garden, #"{"volume":50}"#, headers: ["if-match": read.tag])
        #expect(edited.status == 200 && edited.object["volume"] as? Double == 50)
        #expect(edited.tag != read.tag && !edited.tag.isEmpty)
        guard
            case .edited("web:Ada", 7, .edit(.editPool(SampleHub.garden, let patch))) = try #require(
                bench.hub.commands.last)
        else {
            Issue.record("\(bench.hub.commands)")
            return
        }
        #expect(patch.volume == 50 && patch.name == nil)
    }

    @Test func `V9 an edit of what somebody else has changed is refused with what it is now`() async throws {
        let bench = try await Bench()
        let ada = try await bench.user("Ada", .owner)
        let read = await ada.get(Self.garden)
        bench.hub.change { state in
            state.pools[0].volume = 12
            state.revision += 1
        }
        let late = await ada.ask("PATCH", Self.garden, #"{"name":"Lagune"}"#, headers: ["if-match": read.tag])
        #expect(late.status == 412)
        #expect((late.object["present"] as? [String: Any])?["volume"] as? Double == 12)
        #expect(bench.hub.state.pools[0].name == "Garden")
    }

    @Test func `an edit of something else in between does not matter, one of the same thing does`() async throws {
        let bench = try await Bench()
        let ada = try await bench.user("Ada", .owner)
        let read = await ada.get(Self.garden)
        bench.hub.interrupt { $0.pools[1].name = "Halle" }
        let first = await ada.ask("PATCH", Self.garden, #"{"volume":50}"#, headers: ["if-match": read.tag])
        #expect(first.status == 200)
        #expect(bench.hub.commands.count == 2)
        bench.hub.interrupt { $0.pools[0].volume = 12 }
        let second = await ada.ask("PATCH", Self.garden, #"{"volume":60}"#, headers: ["if-match": first.tag])
        #expect(second.status == 412)
        #expect(bench.hub.state.pools[0].volume == 12)
    }

    @Test func `without If-Match nothing is changed`() async throws {
        let bench = try await Bench()
        let ada = try await bench.user("Ada", .owner)
        for (method, target, body) in [
            ("PATCH", Self.garden, #"{"name":"x"}"#), ("PATCH", Self.lagoon, #"{"name":"x"}"#),
            ("PUT", Self.lagoon + "/limits", Self.limits), ("PUT", Self.garden + "/limits", Self.limits),
            ("POST", Self.lagoon + "/calibrations", #"{"quantity":"ph","offset":0.1}"#),
        ] {
            #expect(await ada.ask(method, target, body).status == 428, "\(method) \(target)")
        }
        #expect(bench.hub.commands.isEmpty)
    }

    @Test func `a guest may not edit what it reads`() async throws {
        let bench = try await Bench()
        let guest = try await bench.user("Gil", .guest, [Grant(poolID: nil, level: .edit)])
        let answer = await guest.ask("PUT", Self.lagoon + "/limits", Self.limits, headers: ["if-match": "*"])
        #expect(answer.status == 403)
        #expect(bench.hub.commands.isEmpty)
    }

    @Test func `limits are replaced as a whole, and must be in order`() async throws {
        let bench = try await Bench()
        let ada = try await bench.user("Ada", .owner)
        let read = await ada.get(Self.lagoon + "/limits")
        let put = await ada.ask("PUT", Self.lagoon + "/limits", Self.limits, headers: ["if-match": read.tag])
        #expect(put.status == 200)
        #expect(Array((put.object["own"] as? [String: Any] ?? [:]).keys) == ["ph"])
        let disordered = #"{"own":{"ph":{"criticalLow":6.5,"low":8,"high":7.4,"criticalHigh":7.8}}}"#
        let wrong = await ada.ask("PUT", Self.lagoon + "/limits", disordered, headers: ["if-match": put.tag])
        #expect(wrong.status == 422 && wrong.object["member"] as? String == "own.ph")
    }

    @Test func `limits of a further quantity stand with the devices that measure it, or have some`() async throws {
        let bench = try await Bench()
        let ada = try await bench.user("Ada", .owner)
        func names(_ answer: Answer) -> [String] {
            (answer.object["limits"] as? [String: Any] ?? [:]).keys.sorted()
        }
        let read = await ada.get(Self.lagoon + "/limits")
        #expect(names(read) == ["chlorine", "orp", "ph", "temperature"])
        let salt = #"{"own":{"salinity":{"criticalLow":2,"low":2.7,"high":3.4,"criticalHigh":4.5}}}"#
        let put = await ada.ask("PUT", Self.lagoon + "/limits", salt, headers: ["if-match": read.tag])
        #expect(put.status == 200)
        #expect(names(put) == ["chlorine", "orp", "ph", "salinity", "temperature"])
    }

    @Test func `a calibration is checked as at the command line, and a trial changes nothing`() async throws {
        let bench = try await Bench()
        let ada = try await bench.user("Ada", .owner)
        let target = Self.lagoon + "/calibrations"
        let tag = await ada.get(target).tag
        let points = #""quantity":"ph","points":[{"measured":6.8,"reference":7.0},{"measured":9.7,"reference":10.0}]"#
        let trial = await ada.ask("POST", target, "{\(points),\"isDryRun\":true}", headers: ["if-match": tag])
        #expect(trial.status == 201 && bench.hub.commands.isEmpty)
        let made = await ada.ask("POST", target, "{\(points)}", headers: ["if-match": tag])
        #expect(made.status == 201)
        let author = (made.object["calibration"] as? [String: Any])?["author"] as? String
        #expect(author == "web:Ada")
        let swapped =
            #"{"quantity":"ph","points":[{"measured":9.7,"reference":7.0},{"measured":6.8,"reference":10.0}]}"#
        let wrong = await ada.ask("POST", target, swapped, headers: ["if-match": made.tag])
        #expect(wrong.status == 422 && wrong.object["member"] as? String == "points")
    }

    @Test func `a device is moved only to a pool that the account may edit`() async throws {
        let bench = try await Bench()
        let member = try await bench.user("Mia", .member, [Grant(poolID: SampleHub.garden, level: .edit)])
        for pool in ["\"\(SampleHub.hall)\"", "null"] {
            let answer = await member.ask("PATCH", Self.lagoon, "{\"poolID\":\(pool)}", headers: ["if-match": "*"])
            #expect(answer.status == 422 && answer.object["member"] as? String == "poolID")
        }
        #expect(bench.hub.commands.isEmpty)
    }

    @Test func `an alert is acknowledged by an account that may edit its pool`() async throws {
        var state = SampleHub.state()
        let alert = SampleHub.alert(.value(SampleHub.lagoon, .ph, .high), 1)
        state.alerts.state = AlertState([alert])
        let bench = try await Bench(state)
        let member = try await bench.user("Mia", .member, [Grant(poolID: SampleHub.garden, level: .edit)])
        let other = try await bench.user("Max", .member, [Grant(poolID: SampleHub.hall, level: .edit)])
        let target = "alerts/\(alert.episodeID)/acknowledge"
        #expect(await other.ask("POST", target).status == 404)
        #expect(await member.ask("POST", target).status == 200)
        #expect(
            bench.hub.commands == [
                .edited(by: "web:Mia", ifRevision: nil, .alerts(.acknowledge(alert.episodeID)))
            ])
        #expect(await member.ask("POST", "alerts/\(alert.episodeID)/snooze", #"{"seconds":0}"#).status == 422)
    }

    @Test func `V10 readings come in pages, newest first`() async throws {
        let bench = try await Bench()
        bench.hub.keep(
            (0..<7).map { number in
                HistoryRow(
                    device: "Lagoon", deviceID: SampleHub.lagoon,
                    // Two of each time, so that a page ends between them.
                    sampledAt: SampleHub.now.advanced(byMilliseconds: -1000 * Int64(number / 2)), timeQuality: .device,
                    receivedAt: SampleHub.now, ordinal: UInt64(100 - number), raw: [.ph: 7, .orp: 700],
                    corrected: [.ph: 7.1, .orp: 700])
            })
        let ada = try await bench.user("Ada", .owner)
        var target = Self.lagoon + "/readings?limit=3"
        var ordinals: [[Int]] = []
        while ordinals.count < 9 {
            let page = await ada.get(target)
            ordinals.append((page.object["readings"] as? [[String: Any]] ?? []).compactMap { $0["ordinal"] as? Int })
            guard let cursor = page.object["cursor"] as? String else { break }
            target = Self.lagoon + "/readings?limit=3&cursor=\(cursor)"
        }
        #expect(ordinals == [[100, 99, 98], [97, 96, 95], [94]])
        let from = SampleHub.now.advanced(byMilliseconds: -1500).iso8601
        let only = await ada.get(Self.lagoon + "/readings?quantity=orp&from=\(from)")
        let rows = only.object["readings"] as? [[String: Any]] ?? []
        #expect(rows.count == 4 && rows.allSatisfy { ($0["corrected"] as? [String: Any])?.count == 1 })
        #expect(only.object["cursor"] is NSNull)
        for wrong in ["from=2026-06-01T12:00:00", "limit=0", "limit=5001", "cursor=x", "quantity=salt", "colour=red"] {
            #expect(await ada.get(Self.lagoon + "/readings?\(wrong)").status == 400, "\(wrong)")
        }
    }

    @Test func `a file of readings is written page by page`() async throws {
        let bench = try await Bench()
        bench.hub.keep(
            (0..<2500).map { number in
                HistoryRow(
                    device: "=Lagoon, \"A\"", deviceID: SampleHub.lagoon,
                    sampledAt: SampleHub.now.advanced(byMilliseconds: -1000 * Int64(number)), timeQuality: .device,
                    receivedAt: SampleHub.now, ordinal: UInt64(9000 - number), raw: [.ph: 7], corrected: [.ph: 7.25])
            })
        let ada = try await bench.user("Ada", .owner)
        let answer = await ada.get(Self.lagoon + "/export.csv")
        let sink = CollectingStream()
        try await answer.write(to: sink)
        let lines = sink.text.split(separator: "\r\n")
        #expect(lines.count == 2501)
        #expect(lines[0] == "Timestamp,Device,temperature,pH,chlorine,ORP" || lines[0].hasPrefix("Timestamp,Device,"))
        #expect(lines[1].contains(#""'=Lagoon, ""A""""#) && lines[1].contains(",7.25,"))
        #expect(sink.parts == 4)
        #expect(bench.hub.commands.count == 3)
    }

    @Test func `V11 a file of readings ends when its link is revoked`() async throws {
        let bench = try await Bench()
        bench.hub.keep(
            (0..<2500).map { number in
                HistoryRow(
                    device: "Lagoon", deviceID: SampleHub.lagoon,
                    sampledAt: SampleHub.now.advanced(byMilliseconds: -1000 * Int64(number)), timeQuality: .device,
                    receivedAt: SampleHub.now, ordinal: UInt64(9000 - number), raw: [.ph: 7], corrected: [.ph: 7.25])
            })
        let (guest, revoke) = try await bench.guestByLink()
        let answer = await guest.get(Self.lagoon + "/export.csv")
        let sink = CollectingStream { sink in if sink.parts == 2 { try await revoke() } }
        await #expect(throws: (any Error).self) { try await answer.write(to: sink) }
        #expect(sink.parts == 2)
    }

    @Test func `an ETag that a proxy has made weak is good for an edit`() async throws {
        let bench = try await Bench()
        let ada = try await bench.user("Ada", .owner)
        let tag = await ada.get(Self.garden).tag
        let edited = await ada.ask("PATCH", Self.garden, #"{"volume":50}"#, headers: ["if-match": "\"x\", W/\(tag)"])
        #expect(edited.status == 200)
        let late = await ada.ask("PATCH", Self.garden, #"{"volume":60}"#, headers: ["if-match": "W/\(tag)"])
        #expect(late.status == 412)
    }

    @Test func `without a hub reads say so and how to start it, and come back by themselves`() async throws {
        let bench = try await Bench()
        let ada = try await bench.user("Ada", .owner)
        bench.hub.stop()
        await bench.watcher.look()
        let gone = await ada.get("pools")
        #expect(gone.status == 503 && gone.detail.contains("poolsensors hub"))
        #expect(await ada.get("/").status == 200)
        #expect(await ada.get("me").status == 200)
        bench.hub.start()
        await bench.watcher.look()
        #expect(await ada.get("pools").status == 200)
    }

    @Test func `ages count by the hub's clock`() async throws {
        let bench = try await Bench()
        let snapshot = try bench.watcher.snapshot()
        let later = snapshot.receivedAt + .seconds(90)
        #expect(snapshot.now(at: later) == SampleHub.now.advanced(byMilliseconds: 90_000))
    }
}

/// Collects what is written.
final class CollectingStream: WebStream {
    private let written = Lock<[[UInt8]]>([])
    private let noted: @Sendable (CollectingStream) async throws -> Void

    /// Calls `noted` after each part.
    init(noted: @escaping @Sendable (CollectingStream) async throws -> Void = { _ in }) { self.noted = noted }

    var isOpen: Bool { true }
    var text: String { String(decoding: written.withLock(\.self).joined(), as: UTF8.self) }
    var parts: Int { written.withLock(\.count) }

    func write(_ bytes: [UInt8]) async throws {
        written.withLock { $0.append(bytes) }
        try await noted(self)
    }
}

import Foundation
import Platform
import PoolControl
import PoolModel
import TestSupport
import Testing

@testable import PoolWeb
@testable import WebServer

/// Server-sent events.
@Suite struct EventTests {
    private static let owner = Account(kind: .user, userID: "u", name: "Ada", role: .owner, grants: [], key: "k")
    private static let guest = Account(
        kind: .share, name: "link", role: .guest, grants: [Grant(poolID: SampleHub.garden, level: .read)], key: "k")

    /// The names of the events of a text.
    private static func names(_ text: String) -> [String] {
        text.split(separator: "\n").filter { $0.hasPrefix("event: ") }.map { String($0.dropFirst(7)) }
    }

    @Test func `a stream begins with everything, then says what changes, and nothing else`() async throws {
        let bench = try await Bench()
        var stream = EventStream(Self.owner)
        let first = try stream.events(bench.watcher.view, for: Self.owner)
        #expect(Self.names(first) == ["configuration", "alert", "link"])
        #expect(first.contains("\nid: 1\n"))
        #expect(try stream.events(bench.watcher.view, for: Self.owner).isEmpty)

        bench.hub.change { $0.devices[1].readings = SampleHub.readings(of: SampleHub.lagoon, ph: 7.3) }
        await bench.watcher.look()
        let reading = try stream.events(bench.watcher.view, for: Self.owner)
        #expect(Self.names(reading) == ["reading"] && reading.contains("Lagoon") && !reading.contains("Basin"))
        #expect(reading.contains("\nid: 2\n"))

        bench.hub.change { $0.alerts.state = AlertState([SampleHub.alert(.value(SampleHub.lagoon, .ph, .high), 1)]) }
        await bench.watcher.look()
        #expect(Self.names(try stream.events(bench.watcher.view, for: Self.owner)).contains("alert"))

        bench.hub.change { state in
            state.pools[0].name = "Jardin"
            state.revision += 1
        }
        await bench.watcher.look()
        #expect(Self.names(try stream.events(bench.watcher.view, for: Self.owner)) == ["configuration"])

        bench.hub.stop()
        await bench.watcher.look()
        let gone = try stream.events(bench.watcher.view, for: Self.owner)
        #expect(Self.names(gone) == ["link"] && gone.contains("\"isHubRunning\":false"))
    }

    @Test func `V11 the stream of a link shows one pool, and no watches`() async throws {
        let bench = try await Bench()
        var stream = EventStream(Self.guest)
        let first = try stream.events(bench.watcher.view, for: Self.guest)
        #expect(first.contains("Lagoon"))
        for hidden in ["Basin", "Loose", "Hall", "Kitchen"] { #expect(!first.contains(hidden)) }
        bench.hub.change { $0.devices[0].readings = SampleHub.readings(of: SampleHub.basin, ph: 7.3) }
        await bench.watcher.look()
        #expect(try stream.events(bench.watcher.view, for: Self.guest).isEmpty)
    }

    @Test func `events are what the document says`() async throws {
        let bench = try await Bench()
        var stream = EventStream(Self.owner)
        let text = try stream.events(bench.watcher.view, for: Self.owner)
        let schemas = try Schemas()
        for (name, schema) in [("configuration", "eventConfiguration"), ("alert", "eventAlert"), ("link", "link")] {
            let lines = text.components(separatedBy: "\n")
            let index = try #require(lines.firstIndex(of: "event: \(name)"))
            #expect(try schemas.faults(of: String(lines[index + 2].dropFirst(6)), schema) == [])
        }
        for (target, schema) in [
            ("pools/\(SampleHub.garden)", "pool"), ("devices/\(SampleHub.lagoon)", "device"), ("alerts", "alerts"),
            ("devices/\(SampleHub.lagoon)/limits", "limitsOfOwner"), ("me", "me"),
        ] {
            let ada = try await bench.accounts.users.find(named: "Ada") == nil ? await bench.user("Ada", .owner) : nil
            let client: Client
            if let ada {
                client = ada
            } else {
                let id = try #require(try await bench.accounts.users.find(named: "Ada")).id
                let begun = try await bench.accounts.sessions.begin(of: id, agent: "", at: SampleHub.now)
                client = Client(bench, cookie: begun.session)
            }
            #expect(try schemas.faults(of: await client.get(target).text, schema) == [], "\(target)")
        }
    }

    @Test func `V9 owners are told that the certificate ends within 30 days, with the command for the next one`()
        async throws
    {
        let bench = try await Bench()
        let day: Int64 = 86_400_000
        func link(_ account: Account, days: Int64) throws -> String {
            let served = ServedCertificate(
                command: "poolsensors web", hosts: ["pool.local", "192.168.1.20"],
                end: Timestamp.now.advanced(byMilliseconds: days * day))
            return try EventStream(account, served: served).ping(bench.watcher.view, for: account)
        }
        for days: Int64 in [29, 0, -3] {
            let text = try link(Self.owner, days: days)
            #expect(text.contains("poolsensors web certificate --host pool.local --host 192.168.1.20"))
            let data = try #require(text.split(separator: "\n").first { $0.hasPrefix("data: ") }?.dropFirst(6))
            #expect(try Schemas().faults(of: String(data), "link") == [])
            #expect(try !link(Self.guest, days: days).contains("certificate"))
        }
        #expect(try !link(Self.owner, days: 31).contains("certificate"))
        #expect(try !EventStream(Self.owner).ping(bench.watcher.view, for: Self.owner).contains("certificate"))
    }

    @Test func `a session has so many streams, and gives them back`() {
        let places = ConcurrencyLimit(perHolder: 2, all: 3)
        var held = [places.take("a"), places.take("a"), places.take("b")]
        #expect(held.allSatisfy { $0 != nil })
        #expect(places.take("a") == nil && places.take("c") == nil)
        #expect(places.count == 3)
        held.removeFirst()
        #expect(places.count == 2)
        held.append(places.take("c"))
        #expect(places.count == 3)
    }

    @Test func `a stream that never begins holds no place`() async throws {
        let bench = try await Bench()
        let ada = try await bench.user("Ada", .owner)
        for _ in 0..<20 {
            #expect(await ada.get("events").status == 200)
            #expect(await ada.get("devices/\(SampleHub.lagoon)/export.csv").status == 200)
        }
        #expect(bench.api.streams.count == 0)
    }

    @Test func `V11 the stream of a link that was revoked before its first event says nothing`() async throws {
        let bench = try await Bench()
        let (guest, revoke) = try await bench.guestByLink()
        let answer = await guest.get("events")
        try await revoke()
        let sink = CollectingStream()
        try await answer.write(to: sink)
        #expect(sink.text == "retry: 1000\n\nevent: end\ndata: {}\n\n")
    }
}

/// The schemas of the document.
struct Schemas {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        let document = try JSONSerialization.jsonObject(with: Data(PoolDocument.resource.bytes)) as? [String: Any]
        let components = document?["components"] as? [String: Any]
        let all = try #require(components?["schemas"] as? [String: Any])
        let bytes = try JSONSerialization.data(withJSONObject: ["$defs": all])
        let text = String(decoding: bytes, as: UTF8.self)
            .replacingOccurrences(of: "#\\/components\\/schemas\\/", with: "#\\/$defs\\/")
            .replacingOccurrences(of: "#/components/schemas/", with: "#/$defs/")
        var root = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
        for name in all.keys {
            root["$ref"] = "#/$defs/\(name)"
            try JSONSerialization.data(withJSONObject: root).write(to: URL(filePath: folder.path("\(name).json")))
        }
    }

    func faults(of text: String, _ name: String) throws -> [String] {
        try JSONSchema(URL(filePath: folder.path("\(name).json"))).faults(of: text)
    }
}

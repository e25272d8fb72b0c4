import Foundation
import PoolControl
import PoolModel
import TestSupport
import Testing

@testable import PoolWeb
@testable import WebServer

/// What ends with a password, an account or a session, and what guests of links are not shown.
@Suite struct RevocationTests {
    private func token(of client: Client) async throws -> Client {
        let made = await client.ask("POST", "tokens", #"{"name":"script","scopes":["read"]}"#)
        return Client(client.bench, token: try #require(made.object["secret"] as? String))
    }

    private func change(_ more: String = "") -> String {
        #"{"current":"\#(Bench.password)","new":"another plover 9"\#(more)}"#
    }

    @Test func `with another password the tokens end, too, unless they are to be kept`() async throws {
        let bench = try await Bench()
        let (ada, ben) = (try await bench.user("Ada", .owner), try await bench.user("Ben", .owner))
        let (first, second) = (try await token(of: ada), try await token(of: ben))
        #expect(await ada.ask("POST", "me/password", change()).status == 200)
        #expect(await ben.ask("POST", "me/password", change(#","keepsTokens":true"#)).status == 200)
        #expect(await first.get("me").status == 401)
        #expect(await second.get("me").status == 200)
        // A reset, on the page and at the command line.
        let cat = try await bench.user("Cat", .owner)
        #expect(await cat.ask("PATCH", "users/\(ben.id)", #"{"password":"seven dry reeds"}"#).status == 200)
        #expect(await second.get("me").status == 401)
        let third = try await token(of: cat)
        let administration = AccountAdministration(bench.accounts)
        try await administration.reset("Cat", password: "eight dry reeds", keepsTokens: true)
        #expect(await third.get("me").status == 200)
        try await administration.reset("Cat", password: "seven dry reeds", keepsTokens: false)
        #expect(await third.get("me").status == 401)
    }

    @Test func `an account is read once, until another process changes the accounts`() async throws {
        let bench = try await Bench()
        let ada = try await bench.user("Ada", .owner)
        let script = try await token(of: ada)
        #expect(await script.get("pools").list.count == 2)
        await bench.accounts.look()
        let other = try AccountStore(path: bench.folder.path("web.sqlite"), product: .poolsensors)
        let tokens = try await other.tokens.all()
        #expect(try await other.tokens.remove(try #require(tokens.first?.id)))
        // Until the next look the token is known.
        #expect(await script.get("pools").status == 200)
        await bench.accounts.look()
        #expect(await script.get("pools").status == 401)
        #expect(await ada.get("pools").status == 200)
    }

    // The lists of several accounts come from one memory.
    @Test func `each account is answered with the list of its own rights`() async throws {
        let bench = try await Bench()
        let ada = try await bench.user("Ada", .owner)
        let made = await ada.ask("POST", "shares", #"{"poolID":"\#(SampleHub.garden)"}"#)
        let path = try #require(made.object["path"] as? String)
        let opened = await bench.nobody.ask("POST", "session", #"{"share":"\#(path.dropFirst(3))"}"#)
        let guest = Client(bench, cookie: opened.session)
        for list in ["pools", "devices"] {
            let (all, one) = (await ada.get(list), await guest.get(list))
            #expect(all.list.count > one.list.count && one.list.count >= 1)
            #expect(await guest.get(list).text == one.text)
            #expect(await ada.get(list).text == all.text)
            #expect(await bench.nobody.get(list).status == 401)
        }
    }

    @Test(arguments: ["remove", "disable", "demote"]) func `the links of an owner end with the owner`(_ how: String)
        async throws
    {
        let bench = try await Bench()
        let (ada, ben) = (try await bench.user("Ada", .owner), try await bench.user("Ben", .owner))
        var guests: [Client] = []
        for owner in [ada, ben] {
            let made = await owner.ask("POST", "shares", #"{"poolID":"\#(SampleHub.garden)"}"#)
            let path = try #require(made.object["path"] as? String)
            let opened = await bench.nobody.ask("POST", "session", #"{"share":"\#(path.dropFirst(3))"}"#)
            guests.append(Client(bench, cookie: opened.session))
        }
        switch how {
        case "remove": #expect(await ada.ask("DELETE", "users/\(ben.id)").status == 204)
        case "disable": #expect(await ada.ask("PATCH", "users/\(ben.id)", #"{"isDisabled":true}"#).status == 200)
        default: #expect(await ada.ask("PATCH", "users/\(ben.id)", #"{"role":"guest"}"#).status == 200)
        }
        #expect(await guests[0].get("pools").list.count == 1)
        #expect(await guests[1].get("pools").status == 401)
    }

    @Test func `a person sees the own sessions, ends one of them, or all`() async throws {
        let bench = try await Bench()
        let ada = try await bench.user("Ada", .owner)
        let ben = try await bench.user("Ben", .owner)
        let begun = try await bench.accounts.sessions.begin(of: ada.id, agent: "phone", at: SampleHub.now)
        let phone = Client(bench, cookie: begun.session)
        let list = await ada.get("me/sessions")
        for one in list.list {
            let text = String(decoding: try JSONSerialization.data(withJSONObject: one), as: UTF8.self)
            #expect(try Schemas().faults(of: text, "ownSession") == [])
        }
        #expect(Set(list.list.compactMap { $0["agent"] as? String }) == ["test", "phone"])
        let other = try #require(list.list.first { $0["isThis"] as? Bool == false }?["id"] as? String)
        #expect(await ben.ask("DELETE", "me/sessions/\(other)").status == 404)
        #expect(await ada.ask("DELETE", "me/sessions/\(other)").status == 204)
        #expect(await phone.get("me").status == 401)
        #expect(await ada.ask("DELETE", "me/sessions").status == 204)
        #expect(await ada.get("me").status == 401)
        #expect(await ben.get("me").status == 200)
    }

    @Test func `the first account is an owner, also when there are others who are none`() async throws {
        let bench = try await Bench()
        let store = bench.accounts
        await #expect(throws: AccountError.firstIsOwner("Gil")) {
            _ = try await store.users.add(name: "Gil", Bench.hash.get(), role: .guest, grants: [], at: SampleHub.now)
        }
        #expect(await bench.nobody.get("setup").object["isNeeded"] as? Bool == true)
        try await bench.user("Ada", .owner)
        #expect(await bench.nobody.get("setup").object["isNeeded"] as? Bool == false)
    }

    @Test func `V11 a guest of a link sees neither who measured and dosed, nor what a device was called before`()
        async throws
    {
        let bench = try await Bench()
        let ada = try await bench.user("Ada", .owner)
        let calibration = Calibration(
            slope: 1, offset: 0.1, method: .manual, points: [], validFrom: SampleHub.now, madeAt: SampleHub.now,
            author: "web:Ada")
        bench.hub.change { $0.devices[1].device.calibrations[.ph] = CalibrationSeries([calibration]) }
        bench.hub.log([
            Dose(
                id: DoseID(high: 1, low: 1), poolID: SampleHub.garden, product: .dichlor, amount: 100, unit: .grams,
                at: SampleHub.now, author: "watch Adas phone")
        ])
        let notice = AlertNotice(
            id: "1", episodeID: AlertEpisodeID(high: 9, low: 1), key: .value(SampleHub.lagoon, .ph, .high),
            kind: .raised,
            severity: .warning, name: "Adas pond", since: SampleHub.now, at: SampleHub.now, repeats: 0,
            text: "Adas pond pH 7.90 too high, limit 7.40")
        bench.hub.notice([notice])
        await bench.watcher.look()
        let (guest, _) = try await bench.guestByLink()
        for target in ["devices/\(SampleHub.lagoon)/calibrations", "doses", "alerts?notices=10"] {
            #expect(await ada.get(target).text.contains("Ada"), "\(target)")
            let shown = await guest.get(target)
            #expect(shown.status == 200 && !shown.text.contains("Ada"), "\(target): \(shown.text)")
        }
        #expect(await guest.get("alerts?notices=10").text.contains("Lagoon pH 7.90 too high, limit 7.40"))
    }

    @Test func `the guests of one link have a part of the streams`() async throws {
        var settings = WebSettings(product: .poolsensors, hosts: ["pool.test"])
        settings.streamsPerLink = 2
        let places = StreamPlaces(settings)
        func guest(_ key: String, _ share: String?) -> Account {
            Account(kind: share == nil ? .user : .share, name: "x", role: .guest, grants: [], key: key, share: share)
        }
        let held = [try places.take(guest("a", "link")), try places.take(guest("b", "link"))]
        #expect(throws: Problem.self) { try places.take(guest("c", "link")) }
        let others = [try places.take(guest("d", "other")), try places.take(guest("e", nil))]
        #expect(places.count == 4)
        withExtendedLifetime((held, others)) {}
    }

    @Test func `files are compressed for those who take that, answers of the API never`() async throws {
        let bench = try await Bench()
        let ada = try await bench.user("Ada", .owner)
        let plain = await bench.nobody.get("/page.js")
        let short = await bench.nobody.ask("GET", "/page.js", headers: ["accept-encoding": "br, gzip;q=0.5"])
        #expect(short.headers["content-encoding"] == "gzip" && plain.headers["content-encoding"] == nil)
        #expect(plain.headers["vary"] == "Accept-Encoding" && short.headers["vary"] == "Accept-Encoding")
        #expect(plain.tag != short.tag)
        let again = ["accept-encoding": "gzip", "if-none-match": "\"x\", W/\(short.tag)"]
        #expect(await bench.nobody.ask("GET", "/page.js", headers: again).status == 304)
        #expect(await bench.nobody.ask("GET", "/page.js", headers: ["if-none-match": short.tag]).status == 200)
        let refused = await bench.nobody.ask("GET", "/page.js", headers: ["accept-encoding": "gzip;q=0, *"])
        #expect(refused.headers["content-encoding"] == nil)
        #expect(await ada.ask("GET", "pools", headers: ["accept-encoding": "gzip"]).headers["content-encoding"] == nil)
        // What only owners open comes later.
        let first = PoolPage.files.filter { $0.key != "owner.js" }.values
        let sum = first.reduce(0) { $0 + ($1.compressed ?? $1.bytes).count }
        #expect(sum < 40_000, "\(sum)")
        let late = try #require(PoolPage.files["owner.js"]?.compressed)
        #expect(late.count < 12_000, "\(late.count)")
        // The bytes are those of the file.
        let folder = try TemporaryFolder()
        let resource = try #require(PoolPage.files["page.js"])
        try Data(try #require(resource.compressed)).write(to: URL(filePath: folder.path("page.js.gz")))
        let process = Process()
        process.executableURL = URL(filePath: "/bin/gzip")
        process.arguments = ["-d", folder.path("page.js.gz")]
        try process.run()
        process.waitUntilExit()
        #expect(FileManager.default.contents(atPath: folder.path("page.js")) == Data(resource.bytes))
    }
}

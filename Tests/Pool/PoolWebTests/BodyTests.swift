import PoolControl
import PoolModel
import TestSupport
import Testing

@testable import PoolWeb
@testable import WebServer

/// Bodies that are wrong, and what may be asked of the hub.
@Suite struct BodyTests {
    @Test(
        arguments: [
            ("", 400, nil), ("{", 400, nil), ("[]", 422, nil), ("{\"name\":\"a\",\"name\":\"b\"}", 422, "name"),
            ("{\"nam\":\"a\"}", 422, "nam"), ("{\"name\":5}", 422, "name"), ("{\"volume\":\"50\"}", 422, "volume"),
            ("{\"volume\":0}", 422, "volume"), ("{\"volume\":NaN}", 422, "volume"),
            ("{\"volume\":1e999}", 422, "volume"),
            ("{\"name\":\"a\"} x", 400, nil), ("{\"name\":{\"a\":1}}", 422, "name"),
        ] as [(String, Int, String?)])
    func `a wrong body is a problem that names the member`(_ body: String, _ status: Int, _ member: String?)
        async throws
    {
        let bench = try await Bench()
        let ada = try await bench.user("Ada", .owner)
        let answer = await ada.ask("PATCH", "pools/\(SampleHub.garden)", body, headers: ["if-match": "*"])
        #expect(answer.status == status)
        #expect(answer.object["member"] as? String == member)
        #expect(!answer.detail.isEmpty)
        #expect(bench.hub.commands.isEmpty)
    }

    @Test(arguments: ["2026-06-01T12:00:00", "yesterday", "2026-02-30T00:00:00Z"])
    func `a time needs a zone and a day that exists`(_ time: String) async throws {
        let bench = try await Bench()
        let ada = try await bench.user("Ada", .owner)
        let answer = await ada.ask(
            "POST", "devices/\(SampleHub.lagoon)/calibrations",
            #"{"quantity":"orp","offset":3,"validFrom":"\#(time)"}"#, headers: ["if-match": "*"])
        #expect(answer.status == 422 && answer.object["member"] as? String == "validFrom")
    }

    @Test func `names of people are visible text, and ten thousand marks are shown shortened`() async throws {
        let bench = try await Bench()
        let ada = try await bench.user("Ada", .owner)
        let marks = "a" + String(repeating: "\u{301}", count: 10_000)
        for name in ["", "  ", "\\u202eAda", "a\\u0007", marks, String(repeating: "x", count: 65)] {
            let answer = await ada.ask(
                "POST", "users", #"{"name":"\#(name)","password":"\#(Bench.password)","role":"guest"}"#)
            #expect(answer.status == 422 && answer.object["member"] as? String == "name", "\(name.prefix(9))")
            #expect(answer.text.utf8.count < 2000)
        }
        #expect(try await bench.accounts.users.all().count == 1)
        let unknown = await ada.ask("POST", "users", "{\"\(marks)\":1}")
        #expect(unknown.status == 422 && unknown.text.utf8.count < 2000)
    }

    @Test func `the last owner stays, and equal names are one name`() async throws {
        let bench = try await Bench()
        let ada = try await bench.user("Zoë", .owner)
        #expect(await ada.ask("DELETE", "users/\(ada.id)").status == 409)
        #expect(await ada.ask("PATCH", "users/\(ada.id)", #"{"role":"guest"}"#).status == 409)
        #expect(await ada.ask("PATCH", "users/\(ada.id)", #"{"isDisabled":true}"#).status == 409)
        // With a combining mark instead of the letter with two dots.
        let twin = await ada.ask(
            "POST", "users", #"{"name":"zoe\u0308","password":"\#(Bench.password)","role":"owner"}"#)
        #expect(twin.status == 409)
        let ben = await ada.ask("POST", "users", #"{"name":"Ben","password":"\#(Bench.password)","role":"owner"}"#)
        #expect(ben.status == 201)
        #expect(await ada.ask("DELETE", "users/\(ada.id)").status == 204)
        #expect(await ada.get("me").status == 401)
    }

    @Test func `the page may name no file, and send no stored password elsewhere`() {
        func patch(_ change: (inout ServerPatch) -> Void) -> ServerPatch {
            var patch = ServerPatch()
            change(&patch)
            return patch
        }
        let files: [ServerPatch] = [
            patch { $0.caFile = "/x" },
            patch { $0.clientCertificate = Server.ClientCertificate(certificateFile: "/x", keyFile: "/y") },
        ]
        let elsewhere: [ServerPatch] = [
            patch { $0.host = "other.test" }, patch { $0.port = 1884 }, patch { $0.usesTLS = false },
        ]
        var refused: [HubCommand] = [
            .exportConfiguration(ConfigurationExport(path: "/x", key: Self.key)),
            .edit(.importConfiguration(ConfigurationImport(path: "/x", key: Self.key))), .backUp("/x"),
            .restoreRevision(1), .history(.export(HistoryExport(path: "/x"))),
            .history(.backUp(to: "/x", replaces: true)),
            .history(.delete(device: nil, from: SampleHub.now, through: SampleHub.now, expected: 5)), .share(.list),
            .edit(.setExport(ExportSettings(period: .daily, folder: "/x"))), .links(.show), .reconnect,
            .history(.compact), .history(.lines(device: nil, before: nil, limit: 5)),
        ]
        refused += files.flatMap { [.edit(.addServer($0)), .tryServer(nil, $0)] }
        refused += (files + elsewhere).flatMap { patch -> [HubCommand] in
            [.edit(.editServer(SampleHub.server, patch)), .tryServer(SampleHub.server, patch)]
        }
        for command in refused {
            #expect(!command.isForThePage, "\(command)")
            #expect(!HubCommand.edited(by: "web:Ada", ifRevision: nil, command).isForThePage, "\(command)")
        }
        for moved in elsewhere {
            var patch = moved
            patch.password = ""
            let command = HubCommand.edit(.editServer(SampleHub.server, patch))
            #expect(HubCommand.edited(by: "web:Ada", ifRevision: nil, command).isForThePage)
            #expect(HubCommand.tryServer(SampleHub.server, patch).isForThePage)
            #expect(HubCommand.tryServer(nil, moved).isForThePage)
        }
        // Without an author nobody is answerable.
        for command in [
            HubCommand.edit(.editPool(SampleHub.garden, PoolPatch())), .edit(.addServer(ServerPatch())),
            .alerts(.change(AlertSettingsPatch())),
        ] {
            #expect(!command.isForThePage)
            let nested = HubCommand.edited(by: "a", ifRevision: nil, command)
            #expect(nested.isForThePage)
            #expect(!HubCommand.edited(by: "a", ifRevision: nil, nested).isForThePage)
        }
    }

    @Test func `what is not for the page is not sent to the hub`() async throws {
        let bench = try await Bench()
        let problem = await #expect(throws: Problem.self) { try await bench.watcher.ask(.backUp("/x")) }
        #expect(problem?.kind == .failed)
        #expect(bench.hub.commands.isEmpty)
    }

    private static let key = PassphraseKey(
        derivation: .init(costExponent: 14, blockSize: 8, parallelism: 1, salt: []), bytes: [])

    @Test func `measurements are text that Prometheus reads, and off without being asked for`() async throws {
        var state = SampleHub.state()
        state.devices[1].device.name = "La\"go\\on\n"
        let bench = try await Bench(state)
        #expect(await bench.nobody.get("/metrics").status == 401)
        let ada = try await bench.user("Ada", .owner)
        #expect(await ada.get("/metrics").status == 403)
        let made = await ada.ask("POST", "tokens", #"{"name":"prometheus","scopes":["metrics"]}"#)
        let script = Client(bench, token: made.object["secret"] as? String)
        let text = await script.get("/metrics").text
        #expect(text.contains(#"poolsensors_value{device="La\"go\\on\n",pool="Garden",quantity="ph"} 7.2"# + "\n"))
        #expect(text.contains("poolsensors_hub_up 1\n"))
        #expect(text.contains("http_requests_total{route=\"metrics\",status=\"401\"} 1\n"))
        #expect(await script.get("pools").list.isEmpty)
        let gil = try await bench.user("Gil", .guest, [Grant(poolID: SampleHub.garden, level: .read)])
        let refused = await gil.ask("POST", "tokens", #"{"name":"all","scopes":["read","metrics"]}"#)
        #expect(refused.status == 403 && refused.object["member"] as? String == "scopes")
        #expect(try await bench.accounts.tokens.all().count == 1)
        var names: Set<String> = []
        for line in text.split(separator: "\n") where line.hasPrefix("# TYPE ") {
            #expect(names.insert(String(line.split(separator: " ")[2])).inserted)
        }
    }

    @Test func `a time that is in the year 10000 is refused, since nothing that holds it could be read`() async throws {
        let bench = try await Bench()
        let ada = try await bench.user("Ada", .owner)
        let late = "9999-12-31T23:59:59-12:00"
        let path = "devices/\(SampleHub.lagoon)/calibrations"
        let body = #"{"quantity":"ph","slope":1,"offset":0.1,"validFrom":"\#(late)"}"#
        let made = await ada.ask("POST", path, body, headers: ["if-match": "*"])
        #expect(made.status == 422 && made.object["member"] as? String == "validFrom", "\(made.text)")
        for name in ["from", "to"] {
            let answer = await ada.get("devices/\(SampleHub.lagoon)/series?quantity=ph&\(name)=\(late)")
            #expect(answer.status == 400 && answer.object["member"] as? String == name, "\(answer.text)")
        }
    }
}

import Foundation
import PoolControl
import PoolModel
import TestSupport
import Testing

@testable import PoolWeb
@testable import WebServer

/// What only owners do on the page: servers, devices, the detection, alerts, the history.
@Suite struct OwnerTests {
    private static let server = "servers/\(SampleHub.server)"
    private static let secret = "cold brass key"

    private func owner(_ state: HubState = SampleHub.state()) async throws -> (bench: Bench, ada: Client) {
        let bench = try await Bench(state)
        return (bench, try await bench.user("Ada", .owner))
    }

    /// The edits that the hub got.
    private func edits(_ bench: Bench) -> [HubEdit] {
        bench.hub.commands.compactMap { command in
            if case .edited("web:Ada", _, .edit(let edit)) = command { edit } else { nil }
        }
    }

    private func alertRequests(_ bench: Bench) -> [AlertRequest] {
        bench.hub.commands.compactMap { command in
            if case .edited("web:Ada", _, .alerts(let request)) = command { request } else { nil }
        }
    }

    // MARK: - Servers

    @Test func `a server is shown without its password and the paths of its files`() async throws {
        var state = SampleHub.state()
        state.servers[0].server.host = "fd00::2"
        state.servers[0].server.usesTLS = true
        state.servers[0].server.caFile = "/etc/secret/ca.pem"
        state.servers[0].server.clientCertificate = .init(certificateFile: "/etc/me.pem", keyFile: "/etc/me.key")
        let (_, ada) = try await owner(state)
        for target in ["servers", Self.server] {
            let text = await ada.get(target).text
            #expect(text.contains(#""hasPassword":true"#) && text.contains(#""hasAuthorityFile":true"#))
            #expect(!text.contains("/etc/"), "\(text)")
            #expect(text.contains(#""address":"[fd00::2]:"#), "\(text)")
        }
        #expect(try Schemas().faults(of: await ada.get(Self.server).text, "mqttServer") == [])
        #expect(await ada.get("servers/\(ServerID(high: 1, low: 1))").status == 404)
        let plain = await ada.ask("PATCH", Self.server, #"{"usesTLS":false}"#, headers: ["if-match": "*"])
        #expect(plain.status == 409 && plain.detail.contains("poolsensors server edit"))
    }

    @Test func `a server that fails its test is added only if a person insists`() async throws {
        let (bench, ada) = try await owner()
        let body = #"{"name":"Plant","host":"gone.test","password":"\#(Self.secret)""#
        let refused = await ada.ask("POST", "servers", body + "}")
        #expect(refused.status == 409)
        #expect(refused.detail.contains("gone.test:1883 failed") && refused.detail.contains("a.test, b.test"))
        #expect(refused.detail.contains("isUntested") && !refused.text.contains(Self.secret))
        #expect(edits(bench).isEmpty)
        let added = await ada.ask("POST", "servers", body + #","isUntested":true}"#)
        #expect(added.status == 201 && added.object["hasPassword"] as? Bool == true)
        #expect(!added.text.contains(Self.secret) && !added.tag.isEmpty)
        guard case .addServer(let patch)? = edits(bench).first else { return #expect(Bool(false)) }
        #expect(patch.password == Self.secret && patch.host == "gone.test")
    }

    @Test func `a test says how it ended with the names of the certificate, and changes nothing`() async throws {
        let (bench, ada) = try await owner()
        let failed = await ada.ask("POST", "servers/tests", #"{"host":"gone.test","port":8883,"usesTLS":true}"#)
        #expect(failed.status == 200 && failed.object["code"] as? String == "tls-host")
        #expect(failed.object["sentence"] as? String == "TLS failed: the certificate is for a.test, b.test")
        #expect(failed.object["address"] as? String == "gone.test:8883")
        #expect(try Schemas().faults(of: failed.text, "serverTest") == [])
        let known = await ada.ask("POST", "servers/tests", #"{"serverID":"\#(SampleHub.server)","host":"broker.test"}"#)
        #expect(known.object["code"] as? String == "ok")
        #expect(bench.hub.commands.last == .testServer(SampleHub.server))
        #expect(edits(bench).isEmpty)
    }

    @Test func `a stored password goes to no other address`() async throws {
        let (bench, ada) = try await owner()
        for body in [#"{"host":"other.test"}"#, #"{"port":1884}"#, #"{"usesTLS":true}"#] {
            let edited = await ada.ask("PATCH", Self.server, body, headers: ["if-match": "*"])
            #expect(edited.status == 422 && edited.object["member"] as? String == "password", "\(edited.text)")
            let tested = await ada.ask(
                "POST", "servers/tests", #"{"serverID":"\#(SampleHub.server)","# + body.dropFirst())
            #expect(tested.status == 422)
        }
        #expect(bench.hub.commands.isEmpty)
        let moved = await ada.ask(
            "PATCH", Self.server, #"{"host":"other.test","password":"\#(Self.secret)"}"#, headers: ["if-match": "*"])
        #expect(moved.status == 200 && moved.object["host"] as? String == "other.test")
        #expect(!moved.text.contains(Self.secret))
    }

    @Test func `a change of a server needs its ETag`() async throws {
        let (_, ada) = try await owner()
        let tag = await ada.get(Self.server).tag
        #expect(await ada.ask("PATCH", Self.server, #"{"name":"Barn"}"#).status == 428)
        #expect(
            await ada.ask("PATCH", Self.server, #"{"name":"Barn"}"#, headers: ["if-match": tag]).status == 200)
        let late = await ada.ask("PATCH", Self.server, #"{"name":"Attic"}"#, headers: ["if-match": tag])
        #expect(late.status == 412 && late.text.contains("Barn"))
        #expect(await ada.ask("DELETE", Self.server, headers: ["if-match": tag]).status == 412)
        let kept = await ada.ask("DELETE", Self.server, headers: ["if-match": "*"])
        #expect(kept.status == 409 && kept.detail.contains("Lagoon") && kept.detail.contains("withDevices"))
        #expect(await ada.ask("DELETE", Self.server + "?withDevices=true", headers: ["if-match": "*"]).status == 200)
    }

    @Test func `members and guests see no server, and change nothing of what owners have`() async throws {
        let (bench, _) = try await owner()
        let all = [Grant(poolID: nil, level: .edit)]
        for (name, role) in [("Ben", Role.member), ("Gil", .guest)] {
            let client = try await bench.user(name, role, all)
            for target in [
                "servers", Self.server, "detection", "alerts/settings", "alerts/channels", "alerts/channels/ntfy",
                "history", "history/removal", "devices/\(SampleHub.lagoon)/source",
            ] {
                #expect(await client.get(target).status == 403, "\(target)")
            }
            for (method, target) in [
                ("POST", "servers"), ("POST", "servers/tests"), ("PATCH", Self.server), ("POST", "devices"),
                ("POST", "detection"), ("POST", "detection/devices"), ("PATCH", "alerts/settings"),
                ("PATCH", "alerts/channels/webhook"), ("PATCH", "history"), ("PATCH", "history/export"),
                ("POST", "pools"),
            ] {
                #expect(
                    await client.ask(method, target, "{}", headers: ["if-match": "*"]).status == 403, "\(target)")
            }
        }
        #expect(bench.hub.commands.isEmpty)
    }

    @Test func `what is sensitive needs the password again after half a day`() async throws {
        let (bench, ada) = try await owner()
        bench.pass(seconds: 13 * 3600)
        for (method, target) in [
            ("POST", "servers"), ("PATCH", Self.server), ("POST", "servers/tests"), ("PATCH", "alerts/channels/ntfy"),
            ("POST", "alerts/channels/ntfy/test"), ("PATCH", "history"), ("PATCH", "history/export"),
        ] {
            let answer = await ada.ask(method, target, "{}", headers: ["if-match": "*"])
            #expect(answer.status == 403 && answer.problem == "confirm-password", "\(target)")
        }
    }

    // MARK: - Devices

    @Test func `where a device publishes is changed by its own ETag`() async throws {
        let (bench, ada) = try await owner()
        let target = "devices/\(SampleHub.lagoon)/source"
        let read = await ada.get(target)
        #expect(read.object["topic"] as? String == "secret/topic/Lagoon")
        #expect(read.object["server"] as? String == "Home")
        #expect(try Schemas().faults(of: read.text, "deviceSource") == [])
        let edited = await ada.ask(
            "PATCH", target, #"{"topic":"pool/new","learnsInterval":true}"#, headers: ["if-match": read.tag])
        #expect(edited.status == 200 && edited.object["learnsInterval"] as? Bool == true)
        #expect(await ada.ask("PATCH", target, #"{"topic":"x"}"#, headers: ["if-match": read.tag]).status == 412)
        guard case .editDevice(_, let patch)? = edits(bench).first else { return #expect(Bool(false)) }
        #expect(patch.topic == "pool/new" && patch.expectedIntervalSeconds == 60)
        #expect(await ada.ask("DELETE", "devices/\(SampleHub.lagoon)", headers: ["if-match": "*"]).status == 200)
        #expect(edits(bench).last == .removeDevice(SampleHub.lagoon))
    }

    // MARK: - Detection

    private static let reading = [ValueSource(.ph, path: ValuePath([.key("a")]))]
    private static let other = [ValueSource(.ph, path: ValuePath([.key("b")]))]

    private static func progress(_ path: String = "a") -> DetectionProgress {
        let mapping = DeviceMapping(values: [ValueSource(.ph, path: ValuePath([.key(path)]))])
        let offer = DetectionOffer(
            name: "Probe", topic: "pool/probe", mapping: mapping, expectedIntervalSeconds: 20,
            suggestions: [
                .init(words: "read a", quantity: .ph, values: reading),
                .init(words: "read b", quantity: .ph, values: other),
            ], openQuantities: [.ph], openReasons: [.ph: "two members may be the pH"],
            leftOut: ["chlorine is left out; --suggestion 3 adds it"])
        let json = """
            {"proposals":[{"confidence":"low","remarks":["seen once"],"preview":[{"quantity":"ph","topic":"pool/probe",\
            "path":"a","raw":"7.2","value":7.2}],"leftOut":["chlorine"],"skipped":[{"topic":"pool/probe","path":"c","raw":"5","reason":"no unit"}]}],\
            "skipped":[],"unreadTopics":["pool/odd"]}
            """
        return DetectionProgress(
            serverID: SampleHub.server, server: "Home", isOver: true, secondsLeft: 0, isListening: false, messages: 3,
            lines: [], json: json, offers: [offer])
    }

    @Test func `the detection shows what it found, what it did not take and why`() async throws {
        let (bench, ada) = try await owner()
        #expect(await ada.get("detection").status == 404)
        bench.hub.find(Self.progress())
        await bench.watcher.look()
        let found = await ada.get("detection")
        #expect(found.status == 200)
        #expect(try Schemas().faults(of: found.text, "detection") == [])
        let offer = try #require((found.object["offers"] as? [[String: Any]])?.first)
        #expect((offer["values"] as? [[String: Any]])?.first?["value"] as? Double == 7.2)
        #expect((offer["skipped"] as? [[String: Any]])?.first?["reason"] as? String == "no unit")
        #expect((offer["questions"] as? [[String: Any]])?.first?["reason"] as? String == "two members may be the pH")
        #expect(offer["leftOut"] as? [String] == ["chlorine"] && !found.text.contains("--"))
        #expect((offer["mapping"] as? [String])?.first?.hasPrefix("ph=") == true)
    }

    @Test func `a doubtful quantity must be chosen, and what was looked at is what is added`() async throws {
        let (bench, ada) = try await owner()
        bench.hub.find(Self.progress())
        let id = DetectionView.id(of: Self.progress().offers[0])
        let doubtful = await ada.ask("POST", "detection/devices", #"{"offer":"\#(id)"}"#)
        #expect(doubtful.status == 422 && doubtful.object["member"] as? String == "suggestions.ph")
        #expect(doubtful.detail == "two members may be the pH: choose one of the suggestions 1, 2")
        let both = await ada.ask("POST", "detection/devices", #"{"offer":"\#(id)","suggestions":[1,2]}"#)
        #expect(both.status == 422)
        #expect(edits(bench).isEmpty)
        let added = await ada.ask(
            "POST", "detection/devices",
            #"{"offer":"\#(id)","suggestions":[2],"name":"Lagune","poolID":"\#(SampleHub.garden)"}"#)
        #expect(added.status == 201, "\(added.text)")
        guard case .addDevice(let patch)? = edits(bench).first else { return #expect(Bool(false)) }
        #expect(patch.name == "Lagune" && patch.topic == "pool/probe" && patch.learnsInterval == true)
        #expect(patch.poolID == .set(SampleHub.garden) && patch.mapping?.value?.values == Self.other)
        // Another mapping was found meanwhile: nobody has looked at it.
        bench.hub.find(Self.progress("elsewhere"))
        let late = await ada.ask("POST", "detection/devices", #"{"offer":"\#(id)","suggestions":[2]}"#)
        #expect(late.status == 409 && late.object["member"] as? String == "offer")
    }

    // MARK: - Alerts

    @Test func `the settings of alerts change by their ETag, and wrong ones are named`() async throws {
        let (bench, ada) = try await owner()
        let read = await ada.get("alerts/settings")
        #expect(try Schemas().faults(of: read.text, "alertSettings") == [])
        for (body, member) in [
            (#"{"cooldownSeconds":5}"#, "cooldownSeconds"), (#"{"muted":["acid"]}"#, "muted"),
            (#"{"language":"de"}"#, "language"), (#"{"quietHours":{"start":5,"end":5}}"#, "quietHours.end"),
            (#"{"quietHours":{"start":1440,"end":5}}"#, "quietHours.start"),
        ] {
            let wrong = await ada.ask("PATCH", "alerts/settings", body, headers: ["if-match": "*"])
            #expect(wrong.status == 422 && wrong.object["member"] as? String == member, "\(wrong.text)")
        }
        #expect(alertRequests(bench).isEmpty)
        let body = #"{"isEnabled":false,"muted":["orp"],"quietHours":{"start":1320,"end":420,"criticalPasses":false}}"#
        let edited = await ada.ask("PATCH", "alerts/settings", body, headers: ["if-match": read.tag])
        #expect(edited.status == 200 && edited.object["muted"] as? [String] == ["orp"])
        let settings = bench.hub.state.alerts.settings
        let night = QuietHours(startMinute: 1320, endMinute: 420, letsCriticalPass: false)
        #expect(!settings.isEnabled && settings.quietHours == night)
        #expect(await ada.ask("PATCH", "alerts/settings", "{}", headers: ["if-match": read.tag]).status == 412)
        let loud = await ada.ask("PATCH", "alerts/settings", #"{"quietHours":null}"#, headers: ["if-match": "*"])
        #expect(loud.status == 200 && bench.hub.state.alerts.settings.quietHours == nil)
    }

    @Test func `a channel is switched on after it is said what leaves the house, and its secrets come back never`()
        async throws
    {
        let (bench, ada) = try await owner()
        let ntfy = "alerts/channels/ntfy"
        let fields = #""fields":{"topic":"pool-8f3","server":"https://ntfy.test"}"#
        let body = #"{"isEnabled":true,\#(fields),"secrets":{"token":"tk_hidden"}"#
        let asked = await ada.ask("PATCH", ntfy, body + "}", headers: ["if-match": "*"])
        #expect(asked.status == 422 && asked.object["member"] as? String == "agrees")
        #expect(asked.detail.contains("https://ntfy.test") && bench.hub.secrets.isEmpty)
        let on = await ada.ask("PATCH", ntfy, body + #","agrees":true}"#, headers: ["if-match": "*"])
        #expect(on.status == 200, "\(on.text)")
        #expect(try Schemas().faults(of: on.text, "channel") == [])
        #expect(bench.hub.secrets == ["ntfy/token/https://ntfy.test": "tk_hidden"])
        for target in [ntfy, "alerts/channels"] { #expect(!(await ada.get(target).text.contains("tk_hidden"))) }
        // The same place needs no other consent, a wrong field is named, and a test goes to the hub.
        let renamed = await ada.ask("PATCH", ntfy, #"{"fields":{"topic":"other"}}"#, headers: ["if-match": "*"])
        #expect(renamed.status == 200)
        let wrong = await ada.ask("PATCH", ntfy, #"{"fields":{"topic":"a b"}}"#, headers: ["if-match": "*"])
        #expect(wrong.status == 422 && wrong.object["member"] as? String == "fields.topic")
        #expect(await ada.ask("POST", ntfy + "/test").status == 200)
        #expect(alertRequests(bench).last == .testChannel(.ntfy))
        #expect(await ada.ask("PATCH", ntfy, "{}").status == 428)
        #expect(await ada.ask("PATCH", ntfy, #"{"isEnabled":false}"#, headers: ["if-match": "*"]).status == 200)
        #expect(bench.hub.state.alerts.settings.channels.phones[.ntfy] == nil)
        #expect(await ada.get("alerts/channels/carrier-pigeon").status == 404)
    }

    @Test func `a webhook is signed with a secret that is stored under a name`() async throws {
        let (bench, ada) = try await owner()
        let hook = "alerts/channels/webhook"
        let body = """
            {"isEnabled":true,"agrees":true,"fields":{"url":"http://hook.test/a"},"secrets":{"secret":"\(Self.secret)"}}
            """
        let on = await ada.ask("PATCH", hook, body, headers: ["if-match": "*"])
        #expect(on.status == 200 && !on.text.contains(Self.secret), "\(on.text)")
        #expect(on.text.contains("not encrypted") && on.text.contains(#""isStored":true"#))
        let webhook = bench.hub.state.alerts.settings.channels.webhook
        #expect(webhook == .init(url: "http://hook.test/a", secretName: "page"))
        #expect(bench.hub.secrets == ["webhook/page": Self.secret])
        let bad = await ada.ask(
            "PATCH", hook, #"{"agrees":true,"fields":{"url":"ftp://x"}}"#, headers: ["if-match": "*"])
        #expect(bad.status == 422 && bad.detail.contains("http://"))
        let forgotten = await ada.ask("PATCH", hook, #"{"secrets":{"secret":""}}"#, headers: ["if-match": "*"])
        #expect(forgotten.status == 200 && bench.hub.state.alerts.settings.channels.webhook?.secretName == nil)
    }

    // MARK: - History and presets

    @Test func `the history says what a shorter time removes, and no folder is shown or named`() async throws {
        var state = SampleHub.state()
        state.export = ExportSettings(period: .daily, folder: "/srv/secret")
        let (bench, ada) = try await owner(state)
        let read = await ada.get("history")
        #expect(read.object["readings"] as? Int == 5000 && !read.text.contains("/srv"))
        #expect(try Schemas().faults(of: read.text, "keeping") == [])
        #expect(await ada.get("history/removal?rawDays=7").object["readings"] as? Int == 1234)
        #expect(await ada.get("history/removal?rawDays=6").status == 400)
        let wrong = await ada.ask("PATCH", "history", #"{"rawDays":30,"summaryDays":20}"#, headers: ["if-match": "*"])
        #expect(wrong.status == 422 && wrong.object["member"] as? String == "summaryDays")
        let edited = await ada.ask("PATCH", "history", #"{"rawDays":14}"#, headers: ["if-match": read.tag])
        #expect(edited.status == 200 && bench.hub.state.history.rawDays == 14)
        #expect(await ada.ask("PATCH", "history", #"{"rawDays":15}"#, headers: ["if-match": read.tag]).status == 412)
        let folder = await ada.ask("PATCH", "history/export", #"{"folder":"/x"}"#, headers: ["if-match": "*"])
        #expect(folder.status == 422)
        let weekly = await ada.ask("PATCH", "history/export", #"{"period":"weekly"}"#, headers: ["if-match": "*"])
        #expect(weekly.status == 200)
        #expect(bench.hub.state.export == ExportSettings(period: .weekly, folder: "/srv/secret"))
        #expect(await ada.ask("DELETE", "history/export", headers: ["if-match": "*"]).status == 200)
        #expect(bench.hub.state.export == nil)
        #expect(await ada.ask("PATCH", "history/export", "{}", headers: ["if-match": "*"]).status == 409)
    }

    @Test func `every account reads the presets of limits`() async throws {
        let (bench, _) = try await owner()
        let gil = try await bench.user("Gil", .guest, [Grant(poolID: SampleHub.garden, level: .read)])
        let answer = await gil.get("limits/presets")
        #expect(answer.status == 200 && answer.list.contains { $0["key"] as? String == "private-eu" })
        for preset in answer.list {
            let text = String(decoding: try JSONSerialization.data(withJSONObject: preset), as: UTF8.self)
            #expect(try Schemas().faults(of: text, "preset") == [])
        }
    }
}

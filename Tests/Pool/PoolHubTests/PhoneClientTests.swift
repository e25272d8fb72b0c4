import BrokerFixture
import Foundation
import Platform
import PoolAlerts
import PoolControl
import PoolModel
import SyncStore
import TestSupport
import Testing

@testable import PoolHub

/// The services for phones, with a web server in their place.
@Suite struct PhoneClientTests {
    private static let pushoverToken = "azGDORePK8gMaC0QOYAMyEEuzJnyUi"
    private static let pushoverUser = "uQiRzpo4DXghDmr9QzzfQu27cmVRsG"
    private static let telegramToken = "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw"

    /// What a test gives to each service, and what a message to it looks like.
    struct Case: Sendable, CustomTestStringConvertible {
        let channel: AlertChannel
        let fields: [String: String]
        let secrets: [String: String]
        let requestLine: String
        let contentType: String
        let authorization: String?
        let accepted: String
        let bodies: [String]
        var testDescription: String { channel.rawValue }
    }

    static let cases = [
        Case(
            channel: .ntfy, fields: ["topic": "pool-8f3k"], secrets: ["token": "tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2"],
            requestLine: "POST / HTTP/1.1", contentType: "application/json",
            authorization: "Bearer tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2", accepted: #"{"id":"sPs71M8A2T"}"#,
            bodies: [#""topic":"pool-8f3k""#, #""title":"PoolSensors: test""#, #""priority":3"#]),
        Case(
            channel: .pushover, fields: [:], secrets: ["token": pushoverToken, "user": pushoverUser],
            requestLine: "POST /1/messages.json HTTP/1.1", contentType: "application/x-www-form-urlencoded",
            authorization: nil, accepted: #"{"status":1,"request":"e460545a8b333d0da2f3602aff3133d6"}"#,
            bodies: ["token=\(pushoverToken)&user=\(pushoverUser)&title=PoolSensors%3A%20test&", "&priority=0&"]),
        Case(
            channel: .telegram, fields: ["chat": "-1001234567890"], secrets: ["token": telegramToken],
            requestLine: "POST /bot\(telegramToken)/sendMessage HTTP/1.1", contentType: "application/json",
            authorization: nil, accepted: #"{"ok":true,"result":{"message_id":365}}"#,
            bodies: [#""chat_id":"-1001234567890""#, #""disable_notification":false"#, #""text":"PoolSensors: test\n"#]),
    ]

    private let folder: TestHubFolder

    init() throws {
        folder = try TestHubFolder()
    }

    private func fields(_ example: Case, _ web: TinyWebServer) -> [String: String] {
        example.fields.merging(["server": "http://127.0.0.1:\(web.port)/"]) { $1 }
    }

    private func setUp(_ example: Case, _ web: TinyWebServer, on ask: (AlertRequest) async throws -> HubReply)
        async throws
    {
        for (name, secret) in example.secrets {
            let server = "http://127.0.0.1:\(web.port)"
            _ = try await ask(.setPhoneSecret(secret, example.channel, field: name, server: server))
        }
        var patch = AlertSettingsPatch()
        patch.phones = [example.channel: .set(PhoneSettings(fields(example, web)))]
        _ = try await ask(.change(patch))
    }

    private func atRest(_ request: AlertRequest) async throws -> HubReply {
        try await HubClient.perform(.alerts(request), path: folder.path)
    }

    @Test(arguments: cases)
    func `a test goes out in the form of the service, without a running hub, and says who accepted it`(
        example: Case
    ) async throws {
        // P68
        let web = try TinyWebServer()
        web.answer("200 OK", body: example.accepted)
        try await setUp(example, web) { try await atRest($0) }
        let reply = try await atRest(.testChannel(example.channel))
        let name = try #require(example.channel.phoneService).name
        #expect(reply == .done("\(name) at http://127.0.0.1:\(web.port) accepted a test notice"))
        let request = try #require(web.requests.items.first)
        #expect(web.requests.items.count == 1)
        #expect(request.headers[""] == example.requestLine)
        #expect(request.headers["content-type"] == example.contentType)
        #expect(request.headers["authorization"] == example.authorization)
        #expect(request.headers["user-agent"]?.hasPrefix("PoolSensors/") == true)
        for part in example.bodies {
            #expect(String(decoding: request.body, as: UTF8.self).contains(part), "\(part)")
        }
        guard case .alerts(let report) = try await atRest(.report(notices: 0)) else { throw NotRunning() }
        let channel = try #require(report.channels.first { $0.channel == example.channel })
        #expect(channel.isEnabled && channel.secrets == example.secrets.keys.sorted())
        // P115
        let everything = String(decoding: try CanonicalJSON.encode(report), as: UTF8.self)
        for secret in example.secrets.values { #expect(!everything.contains(secret)) }
        web.stop()
    }

    @Test(arguments: cases)
    func `a refusal is told with the service's words, and without a secret even if the service repeats it`(
        example: Case
    ) async throws {
        // P115
        let web = try TinyWebServer()
        let secret = try #require(example.secrets["token"])
        web.answer(
            "400 Bad Request",
            body:
                #"{"ok":false,"status":0,"error":"no \#(secret)","errors":["no \#(secret)"],"description":"no \#(secret)"}"#
        )
        try await setUp(example, web) { try await atRest($0) }
        guard case .refused(let words) = try await atRest(.testChannel(example.channel)) else {
            Issue.record("a refusal was taken for success")
            return
        }
        #expect(words.contains(#"answered with status 400, "no …""#) && !words.contains(secret), "\(words)")
        web.stop()
    }

    @Test func `a secret that is missing, or belongs to another address, is asked for and nothing is sent`()
        async throws
    {
        let web = try TinyWebServer()
        var example = PhoneClientTests.cases[2]
        try await setUp(example, web) { try await atRest($0) }
        let other = try TinyWebServer()
        example = Case(
            channel: .telegram, fields: example.fields, secrets: [:], requestLine: "", contentType: "",
            authorization: nil, accepted: "", bodies: [])
        try await setUp(example, other) { try await atRest($0) }
        guard case .refused(let words) = try await atRest(.testChannel(.telegram)) else {
            Issue.record("sent without a token")
            return
        }
        #expect(words.contains("give it with `poolsensors alerts channel telegram --secret-file token=FILE`"))
        #expect(other.requests.items.isEmpty && web.requests.items.isEmpty)
        web.stop()
        other.stop()
    }

    @Test func `nothing is sent while the service asks to wait, and a redirection is not followed`() async throws {
        let (web, elsewhere) = (try TinyWebServer(), try TinyWebServer())
        let hub = try HubFolder(path: folder.path)
        let client = PhoneClient(secrets: hub.secrets, poster: HTTPPoster())
        let service = try #require(PhoneService.of(.ntfy))
        let settings = PhoneSettings(["topic": "pool", "server": "http://127.0.0.1:\(web.port)"])
        let notice = AlertNotice(
            id: "1/1", episodeID: AlertEpisodeID(high: 0, low: 1), key: .test, kind: .test, severity: .warning,
            name: "Test", since: .now, at: .now, repeats: 0)
        var moment = AlertTime.now
        func send() async -> PhoneVerdict {
            await client.send(notice, to: service, settings, in: .english, at: moment)
        }
        web.answer("429 Too Many Requests\r\nRetry-After: 90", body: #"{"error":"limit reached"}"#)
        guard case .failed(let first, 90?) = await send() else { throw NotRunning() }
        #expect(first.contains("wait, or give a token"))
        web.answer("200 OK", body: #"{"id":"1"}"#)
        moment.uptimeMilliseconds += 89_001
        guard case .failed(let second, 1?) = await send() else { throw NotRunning() }
        #expect(second.hasSuffix("asked to wait 1 s more") && web.requests.items.count == 1)
        moment.uptimeMilliseconds += 999
        guard case .accepted = await send() else { throw NotRunning() }
        #expect(web.requests.items.count == 2)
        web.answer("307 Temporary Redirect\r\nLocation: http://127.0.0.1:\(elsewhere.port)/")
        guard case .failed = await send() else { throw NotRunning() }
        #expect(elsewhere.requests.items.isEmpty)
        web.stop()
        elsewhere.stop()
    }

    @Test func `a running hub sends the beginning and the end of an alert in this order, in the house's language`()
        async throws
    {
        // P57, P70, P74
        let broker = try await Broker.start()
        let web = try TinyWebServer()
        let example = PhoneClientTests.cases[0]
        web.answer("200 OK", body: example.accepted)
        let hub = TestHub(folder)
        try await hub.start()
        try await hub.configure(broker)
        var patch = AlertSettingsPatch()
        patch.language = .french
        patch.confirmationSamples = 1
        _ = try await hub.perform(.alerts(.change(patch)))
        try await setUp(example, web) { try await hub.perform(.alerts($0)) }
        try await waitForNtfy(at: hub)
        let publisher = try await Publisher(broker)
        try await publisher.publish(#"{"temperature":26.0,"ph":9.1,"chlorine":1.5,"orp":700}"#)
        await web.requests.wait { !$0.isEmpty }
        try await publisher.publish(#"{"temperature":26.0,"ph":7.2,"chlorine":1.5,"orp":700}"#)
        await web.requests.wait { $0.count > 1 }
        let said = web.requests.items.map { String(decoding: $0.body, as: UTF8.self) }
        #expect(said[0].contains(#""priority":5,"tags":["rotating_light"],"title":"Lagoon : critique""#), "\(said)")
        #expect(said[1].contains(#""priority":2,"tags":["white_check_mark"],"title":"Lagoon : terminé""#), "\(said)")
        #expect(said[1].contains("de retour dans ses limites"))
        try await hub.stop()
        web.stop()
        await broker.stop()
    }

    @Test func `the trouble of a service is shown until it accepts a notice`() async throws {
        let web = try TinyWebServer()
        web.answer("401 Unauthorized", body: #"{"error":"unauthorized"}"#)
        let hub = TestHub(folder)
        try await hub.start()
        let example = PhoneClientTests.cases[0]
        try await setUp(example, web) { try await hub.perform(.alerts($0)) }
        try await waitForNtfy(at: hub)
        _ = try await hub.perform(.alerts(.test))
        try await poll("the trouble of ntfy") {
            try await hub.alerts().channels.first { $0.channel == .ntfy }?.trouble?
                .contains("give it with `poolsensors alerts channel ntfy --secret-file token=FILE`") == true
        }
        web.answer("200 OK", body: example.accepted)
        _ = try await hub.perform(.alerts(.testChannel(.ntfy)))
        try await poll("no trouble") {
            try await hub.alerts().channels.first { $0.channel == .ntfy }?.trouble == nil
        }
        try await hub.stop()
        web.stop()
    }

    private func waitForNtfy(at hub: TestHub) async throws {
        try await poll("the channel in effect") {
            try await hub.alerts().channels.first { $0.channel == .ntfy }?.isEnabled == true
        }
    }
}

import ArgumentParser
import BrokerFixture
import Brokers
import Commands
import Foundation
import MQTT
import Platform
import Service
import SyncCore
import SyncStore
import SyncTransport
import Terminal
import TestSupport
import Testing
import Text
import Vault
import WatchConnectivity
import WatchConnectivityTesting
import WebServer

/// The toy app on a broker, a pair in virtual time and a control socket.
@Suite struct LampsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A broker with an account, and a lamp behind it that does what it is told.
    private struct Home {
        let broker: Broker
        let lamp: BrokerSession
        let orders = Recorder<String>()
        let statuses = Recorder<SessionStatus>()

        init() async throws {
            var configuration = Broker.Configuration()
            configuration.passwords = ["lamps": "sesame-71"]
            broker = try await Broker.start(configuration)
            var settings = BrokerSettings(name: "Home", host: broker.host, port: broker.port)
            settings.userName = "lamps"
            lamp = settings.session(
                password: "sesame-71", clientIdentifier: "lamp",
                onMessages: { [orders] messages in
                    for message in messages {
                        orders.record("\(message.topic.text) \(String(decoding: message.payload, as: UTF8.self))")
                    }
                    return .acknowledge
                }, onStatus: statuses.record)
            lamp.want([try TopicFilter("lamps/+/set")])
        }
    }

    @Test func `a lamp at the broker is on the watch, and is switched from the wrist and by a command`() async throws {
        let home = try await Home()
        let keys = try StateFolder(path: folder.url.appending(path: "keys").path)
        let place = try StateFolder(path: folder.url.appending(path: "phone").path)
        try LampPhone.secrets(place, keys: keys).keep(["broker": "sesame-71"])
        let values = Settings(
            flags: [:], environment: ["LAMPS_BROKER": "\(home.broker.host):\(home.broker.port)"], file: nil, app: .lamps
        )
        let address = try values.value(of: LampSettings.broker)
        var settings = BrokerSettings(name: "Home", host: address.host, port: try #require(Int(address.port)))
        settings.userName = "lamps"
        let password = try LampPhone.secrets(place, keys: keys).all()["broker"]

        let pair = try TestPair()
        let (messages, statuses, wishes) = (Recorder<MQTT.Message>(), Recorder<SessionStatus>(), Recorder<String>())
        let link = settings.session(
            password: password, clientIdentifier: "phone",
            onMessages: { all in
                all.forEach(messages.record)
                return .acknowledge
            }, onStatus: statuses.record)
        link.want([try TopicFilter("lamps/+/state")])
        let phone = LampPhone(session: pair.phone) { name, isOn in wishes.record("\(name) \(isOn ? "on" : "off")") }
        let watch = LampWatch(session: pair.watch)
        #expect(await pair.settle(), "both apps are activated")
        let service = LampPhone.service(path: place.path)
        let control = ControlServer(endpoint: try service.controlEndpoint()) { bytes in
            (try? phone.answer(bytes)) ?? []
        }

        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await link.run() }
            group.addTask { await home.lamp.run() }
            group.addTask { try await control.run() }
            for statuses in [statuses, home.statuses] {
                await statuses.wait { all in
                    if case .connected = all.last?.phase { true } else { false }
                }
            }

            // The lamp says how it is; its broker, the phone and the watch pass that on.
            let topic = try TopicName("lamps/kitchen/state")
            try await home.lamp.publish(Array("on".utf8), to: topic, isRetained: true)
            await messages.wait { !$0.isEmpty }
            try phone.note(try #require(messages.items.first))
            #expect(await pair.settle())
            let look = ResolvedTheme(theme: Theme(), capabilities: Capabilities(depth: .mono))
            let face = watch.face(look, size: Size(columns: 20, rows: 1))
            #expect(face.text == "▲ kitchen on")

            // From the wrist.
            let answers = Recorder<LampReply?>()
            try watch.turn("kitchen", on: false) { answers.record($0) }
            #expect(await pair.settle())
            #expect(answers.items == [.lamps(["kitchen": true])])
            #expect(wishes.items == ["kitchen off"])

            // By a command of another process, which reaches the running phone by the socket in its folder.
            #expect(
                try await LampTurnCommand.parse(["kitchen", "--state", place.path]).words()
                    == "kitchen is asked to be on")
            let failure = await #expect(throws: CommandFailure.self) {
                try await LampTurnCommand.parse(["kitchin", "--state", place.path]).words()
            }
            #expect(failure?.description == "there is no lamp \"kitchin\"; did you mean kitchen?")
            #expect(failure?.exitStatus == .notFound)

            // What the phone publishes reaches the lamp.
            let order = try TopicName("lamps/kitchen/set")
            try await link.publish(Array("off".utf8), to: order, isRetained: false)
            await home.orders.wait { $0.contains("lamps/kitchen/set off") }
            group.cancelAll()
        }
    }

    @Test func `a wrong password, and a phone that does not run, are told with the way out`() async throws {
        let home = try await Home()
        var settings = BrokerSettings(name: "Home", host: home.broker.host, port: home.broker.port)
        settings.userName = "lamps"
        let outcome = await BrokerTest.run(settings, password: "wrong", timeout: .seconds(60))
        guard case .ended(let reason) = outcome else {
            Issue.record("it ended otherwise: \(outcome)")
            return
        }
        let advice = BrokerAdvice(
            noun: "phone", editCommand: "lamps broker edit Home", testCommand: "lamps broker test Home")
        #expect(advice.words(for: reason, of: settings).contains("`lamps broker edit Home --username"))

        let place = try StateFolder(path: folder.url.appending(path: "phone").path)
        let failure = await #expect(throws: (any Error).self) {
            try await LampTurnCommand.parse(["kitchen", "--state", place.path]).words()
        }
        #expect(failure.map { "\($0)" } == "no phone runs on \(place.path); start it with: lamps phone")
    }

    @Test func `the page shows a house to those who were granted it, and to nobody else`() async throws {
        let accounts = try AccountStore(folder: folder.url.path, product: LampPage.product)
        let administration = AccountAdministration(accounts)
        try await administration.add(name: "Ada", password: "sesame-71-sesame", role: .owner, grants: [])
        try await administration.add(
            name: "Bo", password: "sesame-72-sesame", role: .guest, grants: [Grant(scope: "home", level: .read)])
        let phone = LampPhone(session: try TestPair().phone) { _, _ in }
        let settings = WebSettings(product: LampPage.product, hosts: ["lamps.test"])
        let api = LampPage.api(phone, settings: settings, accounts: accounts, code: SetupCode { _ in })
        func ask(_ method: String, _ target: String, _ body: String = "", cookie: String? = nil) async -> WebResponse {
            var headers = ["host": "lamps.test", "origin": "http://lamps.test", "content-type": "application/json"]
            headers["cookie"] = cookie
            return await api.respond(
                to: WebRequest(method: method, target: target, headers: headers, body: Array(body.utf8)))
        }
        #expect(await ask("GET", "/api/v1/houses/home/lamps").status == 401)
        let login = await ask("POST", "/api/v1/session", #"{"name":"Bo","password":"sesame-72-sesame"}"#)
        #expect(login.status == 201)
        let cookie = login.headers.first { $0.name == "set-cookie" }.map { String($0.value.prefix { $0 != ";" }) }
        #expect(cookie?.hasPrefix("lamps=") == true)
        #expect(await ask("GET", "/api/v1/houses/home/lamps", cookie: cookie).status == 200)
        #expect(await ask("GET", "/api/v1/houses/shed/lamps", cookie: cookie).status == 404)
        #expect(await ask("GET", "/api/v1/users", cookie: cookie).status == 403)
    }
}

import ArgumentParser
import Brokers
import Commands
import Foundation
import MQTT
import Platform
import Service
import SyncCore
import SyncStore
import Terminal
import Text
import Vault
import WatchConnectivity
import WebServer

/// A toy app on the floor for apps: lamps at a broker, shown and switched by a phone, a watch and commands.

/// What can be asked of the phone, by a watch or by a command.
enum LampCommand: Codable, Equatable {
    case list
    case turn(String, isOn: Bool)
}

enum LampReply: Codable, Equatable {
    case lamps([String: Bool])
    case unknown(String, nearest: String?)
}

extension AppName {
    static let lamps: AppName = "lamps"
}

/// The settings: flag, variable, file and default, one row each.
enum LampSettings {
    static let broker = Setting<HostAndPort>(
        key: "broker", flag: "--broker", valueName: "host:port", summary: "The MQTT broker",
        expected: HostAndPort.expected, fallback: .text("127.0.0.1:1883")
    ) { HostAndPort($0) }
    static let all = [broker.entry]
}

/// The phone: it follows the lamps at the broker, and shows them to its watch.
// A session may be used on any thread.
final class LampPhone: NSObject, WCSessionDelegate, @unchecked Sendable {
    private let lamps = Lock<[String: Bool]>([:])
    private let session: WCSession
    private let publish: @Sendable (String, Bool) -> Void

    init(session: WCSession, publish: @escaping @Sendable (String, Bool) -> Void) {
        self.session = session
        self.publish = publish
        super.init()
        session.delegate = self
        session.activate()
    }

    /// The folder, as others ask at it.
    static func service(path: String) -> ServiceFolder {
        ServiceFolder(path: path, noun: "phone", startAdvice: "start it with: lamps phone")
    }

    static func secrets(_ folder: StateFolder, keys: StateFolder) -> SealedSecrets {
        SealedSecrets(folder, keys: keys, purpose: "lamps 1", replacement: "give them again with `lamps broker`")
    }

    /// A lamp said how it is.
    func note(_ message: MQTT.Message) throws {
        let parts = message.topic.text.split(separator: "/")
        guard parts.count == 3, parts[2] == "state" else { return }
        let all = lamps.withLock { lamps in
            lamps[String(parts[1])] = message.payload == Array("on".utf8)
            return lamps
        }
        try session.updateApplicationContext(["lamps": all])
    }

    func answer(_ command: LampCommand) -> LampReply {
        let known = lamps.withLock(\.self)
        guard case .turn(let name, let isOn) = command else { return .lamps(known) }
        guard known[name] != nil else {
            return .unknown(name, nearest: NearMiss.nearest(to: name, in: known.keys.sorted()))
        }
        publish(name, isOn)
        return .lamps(known)
    }

    /// An answer to bytes from the control socket.
    func answer(_ bytes: [UInt8]) throws -> [UInt8] {
        try CanonicalJSON.encode(answer(try CanonicalJSON.decode(LampCommand.self, from: bytes)))
    }

    func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?
    ) {}

    func session(
        _ session: WCSession, didReceiveMessageData messageData: Data, replyHandler: @escaping (Data) -> Void
    ) {
        replyHandler(Data((try? answer(Array(messageData))) ?? []))
    }
}

/// The watch: its face is drawn from the newest context.
final class LampWatch: NSObject, WCSessionDelegate {
    private let session: WCSession

    init(session: WCSession) {
        self.session = session
        super.init()
        session.delegate = self
        session.activate()
    }

    func face(_ look: ResolvedTheme, size: Size) -> CellBuffer {
        var buffer = CellBuffer(size)
        let lamps = session.receivedApplicationContext["lamps"] as? [String: Bool] ?? [:]
        for (row, lamp) in lamps.sorted(by: { $0.key < $1.key }).enumerated() {
            let status: Status = lamp.value ? .warning : .normal
            let line = "\(look.glyph(status)) \(lamp.key.sanitized.fitted(columns: 12)) \(lamp.value ? "on" : "off")"
            buffer.write(line, x: 0, y: row, style: look.style(status))
        }
        return buffer
    }

    func turn(_ name: String, on isOn: Bool, then: @escaping @Sendable (LampReply?) -> Void) throws {
        let bytes = try CanonicalJSON.encode(LampCommand.turn(name, isOn: isOn))
        session.sendMessageData(
            Data(bytes),
            replyHandler: { then(try? CanonicalJSON.decode(LampReply.self, from: Array($0))) },
            errorHandler: { _ in then(nil) })
    }

    func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?
    ) {}
}

/// The command that switches a lamp of the running phone.
struct LampTurnCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "turn")

    @Option var state: String
    @Argument var name: String
    @Flag(inversion: .prefixedNo) var on = true

    func run() async throws { Output.standard.line(try await words()) }

    /// What it prints.
    func words() async throws -> String {
        let command = LampCommand.turn(name, isOn: on)
        let reply: LampReply = try await LampPhone.service(path: state).exchange(command) { (_: LampReply) in nil }
        switch reply {
        case .lamps: return "\(name) is asked to be \(on ? "on" : "off")"
        case .unknown(let name, let nearest):
            let advice = nearest.map { "did you mean \($0)?" } ?? "`lamps list` shows what there is"
            throw CommandFailure("there is no lamp \(Excerpt(name)); \(advice)", exitStatus: .notFound)
        }
    }
}

/// The page: lamps by house, for those who may see the house.
enum LampPage {
    static let product = WebProduct(
        app: .lamps, name: "Lamps", command: "lamps web",
        scope: WebProduct.Scope(
            noun: "house", plural: "houses", member: "houseID", path: "/api/v1/houses", listCommand: "lamps houses",
            identity: { ["home", "shed"].contains($0) ? $0 : nil }))

    static func api(_ phone: LampPhone, settings: WebSettings, accounts: AccountStore, code: SetupCode) -> WebAPI {
        WebAPI(settings: settings, accounts: accounts, setupCode: code, resource: { _ in nil }) { parts in
            let lamps = Route(
                "lamps", "GET", "/api/v1/houses/{house}/lamps", for: .read, in: "lamps", "The lamps of a house.",
                answer: .object("By name."))
            return parts.accountRoutes { ["home", "shed"].contains($0) } + [
                ServedRoute(
                    route: lamps,
                    handler: .forAccounts { context in
                        let missing = Problem(.missing, "there is no house \(Excerpt(context.subject))")
                        guard let house = product.scope.identity(context.subject) else { throw missing }
                        try context.check(of: house, missing: missing)
                        guard case .lamps(let lamps) = phone.answer(.list) else { throw missing }
                        return try .json(lamps)
                    })
            ]
        }
    }
}

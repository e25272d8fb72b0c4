import BrokerFixture
import Foundation
import Logging
import MQTT
import Platform
import PoolControl
import PoolHub
import PoolModel
import SyncCore
import SyncStore
import SyncTransport
import TestSupport
import Testing
import ZeroMQ

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A web server on a free port of 127.0.0.1 that accepts one request per connection and answers with a status.
final class TinyWebServer: Sendable {
    struct Request: Sendable {
        var headers: [String: String]
        var body: [UInt8]
    }

    let port: Int
    let requests = Recorder<Request>()
    private let listener: Int32
    private let status: Lock<String>
    private let body = Lock("")

    init(port: Int = 0, status: String = "204 No Content") throws {
        self.status = Lock(status)
        #if canImport(Glibc)
            let kind = Int32(SOCK_STREAM.rawValue)
        #else
            let kind = SOCK_STREAM
        #endif
        let listener = socket(AF_INET, kind, 0)
        var yes: Int32 = 1
        unsafe setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, 4)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port)).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe bind(listener, $0, length) }
        }
        guard bound == 0, listen(listener, 8) == 0 else { throw NotRunning() }
        var actual = sockaddr_in()
        var actualLength = length
        _ = unsafe withUnsafeMutablePointer(to: &actual) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(listener, $0, &actualLength)
            }
        }
        self.listener = listener
        self.port = Int(UInt16(bigEndian: actual.sin_port))
        Thread.detachNewThread { [self] in serve() }
    }

    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
    }

    /// Sets the status line of further answers, which may go on with headers, and their body.
    func answer(_ line: String, body: String = "") {
        status.withLock { $0 = line }
        self.body.withLock { $0 = body }
    }

    private func serve() {
        while true {
            let connection = accept(listener, nil, nil)
            if connection < 0 { break }
            take(connection)
            close(connection)
        }
        close(listener)
    }

    private func take(_ connection: Int32) {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = unsafe recv(connection, &buffer, buffer.count, 0)
            if count <= 0 { return }
            bytes += buffer.prefix(count)
            guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { continue }
            let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
            var headers: [String: String] = ["": String(lines[0])]
            for line in lines.dropFirst() {
                let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
                headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
            }
            let length = headers["content-length"].flatMap { Int($0) } ?? 0
            guard bytes.count >= end.upperBound + length else { continue }
            let line = status.withLock(\.self)
            let text = self.body.withLock(\.self)
            let head = "HTTP/1.1 \(line)\r\nContent-Length: \(text.utf8.count)\r\nConnection: close\r\n\r\n"
            let answer = Array((head + text).utf8)
            #if canImport(Glibc)
                let flags = Int32(MSG_NOSIGNAL)
            #else
                let flags = Int32(0)
            #endif
            _ = unsafe send(connection, answer, answer.count, flags)
            requests.record(Request(headers: headers, body: Array(bytes[end.upperBound...])))
            return
        }
    }
}

extension TinyWebServer.Request {
    /// The id of the notice in the body.
    var id: String? {
        (try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any])?["id"] as? String
    }

    /// Whether the signature is valid according to `Docs/guide/alerts.md`.
    func isSigned(with secret: String) -> Bool {
        guard let time = headers["x-poolsensors-timestamp"], let signature = headers["x-poolsensors-signature"] else {
            return false
        }
        // Computed by another program.
        let file = FileManager.default.temporaryDirectory.appending(path: "body-\(UInt64.random(in: 0...(.max)))")
        defer { try? FileManager.default.removeItem(at: file) }
        let openSSL = Process()
        let output = Pipe()
        openSSL.executableURL = URL(filePath: "/usr/bin/env")
        openSSL.arguments = ["openssl", "dgst", "-sha256", "-r", "-hmac", secret, file.path]
        openSSL.standardOutput = output
        do {
            try Data(Array("\(time).".utf8) + body).write(to: file)
            try openSSL.run()
        } catch {
            return false
        }
        openSSL.waitUntilExit()
        let text = String(decoding: output.fileHandleForReading.readEverything(), as: UTF8.self)
        return signature == "sha256=" + text.prefix(64)
    }
}

/// A client that records what a broker publishes.
final class Listener: Sendable {
    let messages = Recorder<MQTT.Message>()
    private let client: Client
    private let events = Recorder<Client.Event>()

    init(_ broker: Broker, to filter: String) async throws {
        client = try Client()
        try client.connect(to: BrokerAddress(host: broker.host, port: broker.port)) { [events, messages] event in
            if case .message(let message) = event { messages.record(message) }
            events.record(event)
        }
        await events.wait { !$0.isEmpty }
        try client.subscribe(to: [TopicFilter(filter)])
        await events.wait { events in
            events.contains { event in
                guard case .subscribed = event else { return false }
                return true
            }
        }
    }

    func close() { client.disconnect() }

    /// The newest payload of a topic, as text.
    func newest(_ topic: String) -> String? {
        messages.items.last { $0.topic.text == topic }.map { String(decoding: $0.payload, as: UTF8.self) }
    }
}

/// A watch with its store, which outlives its transports.
final class LinkedWatch: Sendable {
    let keys: CurveKeyPair
    let items = Recorder<ReceivedItem>()
    let registers = Recorder<Register>()
    let links = Recorder<Bool>()
    private let folder: TestHubFolder
    private let store: WatchStore
    private let running = Lock<(transport: WatchTransport, task: Task<Void, any Error>)?>(nil)
    private let code: InvitationCode

    /// Pairs a watch with a hub.
    init(pairedBy hub: TestHub, name: String = "wrist") async throws {
        guard case .invitation(let text, _) = try await hub.perform(.invite(name: name, validForSeconds: 3600)) else {
            throw NotRunning()
        }
        folder = try TestHubFolder()
        store = try WatchStore(in: StateFolder(path: folder.path))
        keys = try CurveKeyPair()
        code = try InvitationCode(text)
        _ = try await PairingTransport.pair(
            code, as: keys.publicKey, name: name, app: "poolsensors", patience: .seconds(3600))
    }

    /// Starts the watch with the hub's present endpoint.
    func start(at endpoint: Endpoint) throws {
        let transport = WatchTransport(
            configuration: .init(
                endpoint: endpoint, hubKey: code.hubKey, keys: keys,
                engine: .init(
                    name: "wrist", app: "poolsensors", schemaVersions: 1...2, node: keys.publicKey.peerKey.node)),
            state: try store.load(), storage: store, logger: Logger(label: "watch"),
            onTransfer: { [items] event in
                if case .exchange(.itemReceived(let item)) = event { items.record(item) }
            },
            onEvent: { [registers, links] event in
                if case .engine(.registerChanged(let register)) = event { registers.record(register) }
                if case .engine(.linkChanged(.linked)) = event { links.record(true) }
            })
        let task = Task { try await transport.run() }
        running.withLock { $0 = (transport, task) }
    }

    func stop() async throws {
        let task = running.withLock { running in
            defer { running = nil }
            return running?.task
        }
        task?.cancel()
        try await task?.value
    }

    /// Makes an edit, which is durable at the watch with or without a hub.
    func edit(_ changes: [CellChange]) async throws {
        guard let transport = running.withLock({ $0?.transport }) else { throw NotRunning() }
        _ = try await transport.edit(changes)
    }

    /// The newest state of the alerts; nil before the first one.
    var alerts: AlertState? { Self.alerts(registers.items) }

    /// The newest state of the alerts among registers.
    static func alerts(_ registers: [Register]) -> AlertState? {
        registers.last { $0.key == "alerts" }.flatMap { try? CanonicalJSON.decode(AlertState.self, from: $0.value) }
    }

    /// The ids of the received notices.
    static func ids(_ items: [ReceivedItem]) -> [String] {
        items.compactMap { item in
            guard case .dictionary(let members)? = try? PropertyList(decoding: item.payload),
                case .string(let json)? = members["alert"]
            else { return nil }
            return try? CanonicalJSON.decode(AlertNotice.self, from: Array(json.utf8)).id
        }
    }
}

extension TestHub {
    /// The notices that the terminal received.
    static func notices(_ events: [HubEvent]) -> [AlertNotice] {
        events.compactMap { event in
            guard case .alert(let notice) = event else { return nil }
            return notice
        }
    }

    var endpoint: Endpoint {
        get async throws { try Endpoint(try await report().endpoint ?? "") }
    }

    /// Changes the alert settings to use the webhook, and waits until they are in effect: a change is durable when it
    /// is answered, but a reading directly afterwards may still be evaluated by the old settings.
    func useWebhook(_ settings: AlertSettingsPatch) async throws {
        _ = try await perform(.alerts(.change(settings)))
        try await poll("the settings in effect") {
            try await alerts().channels.first { $0.channel == .webhook }?.isEnabled == true
        }
    }

    func alerts() async throws -> AlertReport {
        guard case .alerts(let report) = try await perform(.alerts(.report(notices: 100))) else { throw NotRunning() }
        return report
    }
}

import Foundation
import SyncCore
import SyncStore
import SyncTransport

let app: AppName = "lamps"
let name = CellKey(kind: "lamp", record: RandomID(high: 0, low: 1), group: "name")
let schema = Schema(versions: 1...1, rules: [.init(kind: name.kind, group: name.group): .init(.shared)])
let (hubKeys, watchKeys) = (try CurveKeyPair(), try CurveKeyPair())
let folder = NSTemporaryDirectory() + "lamp-\(ProcessInfo.processInfo.processIdentifier)"
try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(atPath: folder) }
let endpoint = try Endpoint("ipc://\(folder)/socket")

func withHub(_ work: (HubTransport) async throws -> Void) async throws {
    let store = try HubStore(in: StateFolder(path: folder + "/hub"))
    let hub = HubTransport(
        configuration: .init(endpoint: endpoint, keys: hubKeys, engine: .init(app: app, schema: schema)),
        state: try store.load(), transfers: try store.transfers(), storage: store)
    async let _ = hub.run()  // cancelled when `work` has returned
    try await work(hub)
}

func withWatch(_ work: (WatchTransport, AsyncStream<WatchTransport.Event>) async throws -> Void) async throws {
    let store = try WatchStore(in: StateFolder(path: folder + "/watch"))
    let (events, continuation) = AsyncStream.makeStream(of: WatchTransport.Event.self)
    let node = watchKeys.publicKey.peerKey.node
    let watch = WatchTransport(
        configuration: .init(
            endpoint: endpoint, hubKey: hubKeys.publicKey, keys: watchKeys,
            engine: .init(name: "wrist", app: app, schemaVersions: 1...1, node: node)),
        state: try store.load(), storage: store, onEvent: { continuation.yield($0) })
    async let _ = watch.run()
    try await work(watch, events)
}

try await withHub { hub in
    let invitation = try await hub.invite(name: "wrist", validForSeconds: 60)
    _ = try await PairingTransport.pair(
        invitation, as: watchKeys.publicKey, name: "wrist", app: app, patience: .seconds(10))
    _ = try await hub.transact([CellChange(key: name, value: "Lamp")])
    try await withWatch { watch, events in
        for await case .engine(.snapshotChanged) in events { break }
        hub.publish(Register(key: "power", order: 1, value: Array("40 W".utf8)))
        for await case .engine(.registerChanged(let register)) in events {
            print("value: \(String(decoding: register.value, as: UTF8.self))")
            break
        }
    }
}

// The hub does not run now.
try await withWatch { watch, _ in
    _ = try await watch.edit([CellChange(key: name, value: "Reading lamp")])
    let cell = try await watch.view().cells[name]
    print("edit: \(cell?.value ?? "none"), waits for the hub: \(cell?.isPending ?? false)")
}

try await withHub { hub in
    _ = try await hub.transact([CellChange(key: name, value: "Desk lamp")])
    try await withWatch { watch, events in
        for await case .engine(.editsConfirmed) in events { break }
        for conflict in try await watch.view().conflicts {
            print("conflict: \(conflict.loser.value ?? "none") lost against \(conflict.winner?.value ?? "none")")
            _ = try await watch.settle(conflict.id, restoring: true)
            for await case .engine(.editsConfirmed) in events { break }
        }
        print("the hub has: \(try await hub.status().cells[name]?.value ?? "none")")
    }
}

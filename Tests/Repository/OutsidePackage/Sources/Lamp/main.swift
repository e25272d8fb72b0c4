import Foundation
import SyncCore
import SyncStore
import SyncTransport

let app: AppName = "lamps"
let name = CellKey(kind: "lamp", record: RandomID(high: 0, low: 1), group: "name")
let schema = Schema(versions: 1...1, rules: [.init(kind: name.kind, group: name.group): .init(.shared)])
let folder = NSTemporaryDirectory() + "lamp-\(ProcessInfo.processInfo.processIdentifier)"
try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)

// The hub owns the name of the lamp, and invites the watch.
let hubStore = try HubStore(in: StateFolder(path: folder + "/hub"))
let hub = HubTransport(
    configuration: .init(
        endpoint: try Endpoint("ipc://\(folder)/socket"), keys: try CurveKeyPair(),
        engine: .init(app: app, schema: schema)),
    state: try hubStore.load(), transfers: try hubStore.transfers(), storage: hubStore)
let hubRun = Task { try await hub.run() }
_ = try await hub.transact([CellChange(key: name, value: "Lamp")])
let invitation = try await hub.invite(name: "wrist", validForSeconds: 60)

// The watch pairs once, and gets a copy of the name.
let keys = try CurveKeyPair()
_ = try await PairingTransport.pair(invitation, as: keys.publicKey, name: "wrist", app: app, patience: .seconds(10))
let watchStore = try WatchStore(in: StateFolder(path: folder + "/watch"))
let (events, continuation) = AsyncStream.makeStream(of: WatchTransport.Event.self)
let watch = WatchTransport(
    configuration: .init(
        endpoint: invitation.endpoint, hubKey: invitation.hubKey, keys: keys,
        engine: .init(name: "wrist", app: app, schemaVersions: 1...1)),
    state: try watchStore.load(), storage: watchStore, onEvent: { continuation.yield($0) })
let watchRun = Task { try await watch.run() }
for await case .engine(.snapshotChanged) in events { break }

// A value goes from the hub to the watch.
hub.publish(Register(key: "power", order: 1, value: Array("40 W".utf8)))
for await case .engine(.registerChanged(let register)) in events {
    print("value:", String(decoding: register.value, as: UTF8.self))
    break
}

// The watch loses the hub, and a person edits the name on it. Meanwhile the hub changes the same name.
watch.follow(try Endpoint("ipc://\(folder)/nowhere"))
_ = try await watch.edit([CellChange(key: name, value: "Reading lamp")])
print("edit:", try await watch.view().cells[name]?.value ?? "none")
_ = try await hub.transact([CellChange(key: name, value: "Desk lamp")])

// The link is back. The later value is shown; the other one is in the log of conflicts, and a person restores it.
watch.follow(invitation.endpoint)
for await case .engine(.editsConfirmed) in events { break }
for conflict in try await watch.view().conflicts {
    print("conflict:", conflict.loser.value ?? "none", "lost against", conflict.winner?.value ?? "none")
    _ = try await watch.settle(conflict.id, restoring: true)
    for await case .engine(.editsConfirmed) in events { break }
}
print("the hub has:", try await hub.status().cells[name]?.value ?? "none")

for run in [watchRun, hubRun] {
    run.cancel()
    try await run.value
}
try FileManager.default.removeItem(atPath: folder)

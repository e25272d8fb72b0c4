import Foundation
import SyncCore
import SyncStore
import SyncTransport
import Testing
import ZeroMQ

@testable import PoolWatch

@Suite struct WatchFolderTests {
    private func mode(_ path: String) throws -> Int? {
        (try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.intValue
    }

    @Test func `a new folder gets keys that stay, for its owner's eyes only`() throws {
        let place = try TestPlace()
        let key = try WatchFolder(path: place.path).keys.publicKey

        #expect(try WatchFolder(path: place.path).keys.publicKey == key)
        #expect(try mode(place.path) == 0o700)
        #expect(try mode(place.path + "/watch.key.secret") == 0o600)
        let other = try TestPlace()
        #expect(try WatchFolder(path: other.path).keys.publicKey != key)
    }

    @Test func `a folder that was never paired has no hub`() throws {
        let place = try TestPlace()
        #expect(try WatchFolder(path: place.path).hub == nil)
    }

    @Test func `a second watch on the folder is refused in words`() throws {
        let place = try TestPlace()
        let first = try WatchFolder(path: place.path)
        let error = #expect(throws: FolderError.self) { _ = try WatchFolder(path: place.path).path }
        #expect(try #require(error).description.contains("\(first.path) is in use"))
    }

    @Test func `a pairing is remembered`() async throws {
        let hub = try TestHub()
        let endpoint = try await hub.start()
        let place = try TestPlace()

        let paired = try await place.pair(with: hub, name: "wrist")

        #expect(paired == PairedHub(endpoint: endpoint, key: hub.keys.publicKey, name: "wrist"))
        #expect(try WatchFolder(path: place.path).hub == paired)
        #expect(try mode(place.path + "/hub.secret") == 0o600)
        // The hub decides on the name, and no two watches have the same.
        let second = try await TestPlace().pair(with: hub, name: "wrist")
        #expect(second.name != "wrist")
        try await hub.stop()
    }

    @Test(arguments: ["", String(repeating: "n", count: 65)])
    func `a name that the hub would not take is refused before it is asked`(_ name: String) async throws {
        let code = InvitationCode(
            app: "poolsensors", endpoint: try Endpoint("tcp://127.0.0.1:1"), hubKey: try CurveKeyPair().publicKey,
            secret: try CurveKeyPair().secretKey)
        let place = try TestPlace()
        var folder = try WatchFolder(path: place.path)
        do {
            _ = try await folder.pair(code, name: name)
            Issue.record("it was paired")
        } catch {
            #expect(error as? WatchFolderError == .nameUnfit(name))
        }
    }

    @Test func `a pairing that fails leaves the hub before`() async throws {
        let hub = try TestHub()
        _ = try await hub.start()
        let place = try TestPlace()
        let before = try await place.pair(with: hub)
        let used = try await hub.invite()
        let other = try TestPlace()
        var otherFolder = try WatchFolder(path: other.path)
        _ = try await otherFolder.pair(used, name: "other", patience: .seconds(3600))

        var folder = try WatchFolder(path: place.path)
        do {
            _ = try await folder.pair(used, name: "wrist", patience: .seconds(3600))
            Issue.record("it was paired")
        } catch {
            #expect(error is LinkError)
        }
        #expect(folder.hub == before)
        try await hub.stop()
    }

    @Test(arguments: ["", "{}", "not JSON", #"{"endpoint":"here","key":"","name":""}"#])
    func `a damaged record of the hub is named`(_ text: String) throws {
        let place = try TestPlace()
        _ = try WatchFolder(path: place.path).path
        try StateFolder(path: place.path).writeSecret("hub", Array(text.utf8))
        let error = #expect(throws: WatchFolderError.self) { _ = try WatchFolder(path: place.path).path }
        #expect(try #require(error).description.hasPrefix("\(place.path)/hub.secret does not say which hub"))
    }

    @Test func `a damaged key is named and not repeated`() throws {
        let place = try TestPlace()
        try StateFolder(path: place.path).writeSecret("watch.key", Array("hunter2".utf8))
        let error = #expect(throws: WatchFolderError.self) { _ = try WatchFolder(path: place.path).path }
        #expect(error == .keyUnreadable(path: "\(place.path)/watch.key.secret"))
        #expect(try #require(error).description.contains("hunter2") == false)
    }
}

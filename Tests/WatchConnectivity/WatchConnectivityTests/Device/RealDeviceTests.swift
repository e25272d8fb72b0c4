import Foundation
import SyncCore
import SyncStore
import SyncTransport
import TestSupport
import Testing

@testable import WatchConnectivity

/// Devices with everything real but the app, in one process.
@Suite(.timeLimit(.minutes(20)))
struct RealDeviceTests {
    private let folder: DeviceFolder

    init() throws {
        folder = try DeviceFolder()
    }

    @Test func `devices that share a folder pair, no matter which comes first, and exchange in order`() async throws {
        let watch = try HostedDevice(folder.setup(.watch, "watch"))
        await watch.start()
        // Nobody is there yet.
        #expect(!watch.peerDriver.view.isCompanionAppInstalled)
        let phone = try HostedDevice(folder.setup(.phone, "phone"))
        await phone.start()
        await watch.sees(\.isCompanionAppInstalled)
        await phone.sees(\.isWatchAppInstalled)
        for number in 0..<5 as Range<UInt8> {
            watch.queue(number)
            phone.queue(number)
        }
        await phone.app.calls.wait { HostedApp.infos($0).count == 5 }
        await watch.app.calls.wait { HostedApp.infos($0).count == 5 }
        #expect(phone.app.infos == [0, 1, 2, 3, 4] && watch.app.infos == [0, 1, 2, 3, 4])
        #expect(phone.device.counterparts.map(\.identity?.name) == ["watch"])
        watch.device.stop()
        phone.device.stop()
    }

    @Test func `a folder has one device at a time, of one kind`() throws {
        do {
            let device = try RealDevice(folder.setup(.phone, "phone", meeting: false))
            #expect { try RealDevice(folder.setup(.phone, "phone", meeting: false)) } throws: {
                guard case .inUse(_, let process)? = $0 as? FolderError else { return false }
                return process == getpid()
            }
            withExtendedLifetime(device) {}
        }
        let path = folder.path + "/phone"
        #expect(throws: DeviceError.otherRole(path: path, isPhone: true)) {
            try RealDevice(folder.setup(.watch, "phone", meeting: false))
        }
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o700)
        _ = try RealDevice(folder.setup(.phone, "phone", meeting: false))
    }

    @Test func `a meeting place has one phone`() throws {
        let first = try RealDevice(folder.setup(.phone, "first"))
        #expect(throws: FolderError.self) { try RealDevice(folder.setup(.phone, "second")) }
        withExtendedLifetime(first) {}
    }

    @Test func `a phone declines a watch of another app, and both say so in words`() async throws {
        let phone = try HostedDevice(folder.setup(.phone, "phone", meeting: false))
        await phone.start()
        var code = try InvitationCode(try await phone.device.invite())
        #expect(code.app == "watchconnectivity")
        var setup = folder.setup(.watch, "watch", meeting: false)
        setup.app = "tars"
        let watch = try HostedDevice(setup)
        await watch.start()
        // It reads the app in the code, and asks nobody.
        await #expect(throws: LinkError.otherApp(watch: "tars", hub: "watchconnectivity")) {
            try await watch.device.pair(with: code.text, patience: .seconds(3600))
        }
        // A code of before there were names says nothing; the phone does.
        code.app = nil
        let error = await #expect(throws: LinkError.self) {
            try await watch.device.pair(with: code.text, patience: .seconds(3600))
        }
        let words = "this watch is of tars, this hub is of watchconnectivity"
        #expect(error.map { "\($0)".contains(words) } == true)
        await phone.traces.wait { events in
            events.contains { if case .link(let text) = $0 { text.contains(words) } else { false } }
        }
        #expect(phone.device.counterparts.allSatisfy { $0.identity == nil })
        watch.device.stop()
        phone.device.stop()
    }

    @Test func `a watch that looks for its phone says that the meeting place is another app's`() async throws {
        var setup = folder.setup(.phone, "phone")
        setup.app = "imt"
        let phone = try HostedDevice(setup)
        await phone.start()
        setup = folder.setup(.watch, "watch")
        setup.app = "tars"
        let watch = try HostedDevice(setup)
        await watch.start()
        await watch.traces.wait { !Self.warnings($0).isEmpty }
        #expect(Self.warnings(watch.traces.items).allSatisfy { $0.contains("is of tars") && $0.contains("is of imt") })
        #expect(!watch.peerDriver.view.isCompanionAppInstalled)
        watch.device.stop()
        phone.device.stop()
    }

    private static func warnings(_ events: [TraceEvent]) -> [String] {
        events.compactMap { if case .warning(let text) = $0 { text } else { nil } }
    }

    // R157
    @Test func `a watch that is unpaired is forgotten, and its place is free for another one`() async throws {
        let phone = try HostedDevice(folder.setup(.phone, "phone"))
        await phone.start()
        let first = try HostedDevice(folder.setup(.watch, "first"))
        await first.start()
        await phone.sees(\.isWatchAppInstalled)
        first.device.stop()
        await phone.app.calls.wait { $0.last == .reachabilityDidChange }
        phone.queue(1)
        try await phone.device.unpair(phone.device.counterparts[0])
        await phone.sees { !$0.isPaired }
        #expect(phone.peerDriver.outstandingUserInfo.isEmpty)

        let second = try HostedDevice(folder.setup(.watch, "second"))
        await second.start()
        await phone.sees { $0.isPaired && $0.isWatchAppInstalled }
        phone.queue(2)
        await second.app.calls.wait { HostedApp.infos($0).count == 1 }
        #expect(second.app.infos == [2])
        #expect(phone.device.counterparts.map(\.identity?.name) == ["second"])
        second.device.stop()
        phone.device.stop()
    }

    // R89, R93, R126
    @Test func `what a link that has ended left unanswered goes by the next one, in its order`() async throws {
        let phone = try HostedDevice(folder.setup(.phone, "phone", meeting: false))
        await phone.start()
        let code = try await phone.device.invite()
        let watch = try HostedDevice(folder.setup(.watch, "watch", meeting: false))
        // Nobody can connect to such an endpoint: the link ends as soon as it begins, and answers nothing.
        let key = try InvitationCode(code).hubKey.peerKey.hexadecimal
        let identity = Peer.Identity(key: key, name: "watch", endpoint: "tcp://127.0.0.1:*")
        try watch.device.counterparts[0].identify(identity)
        await watch.start()
        await watch.traces.wait { events in
            events.contains { if case .warning(let text) = $0 { text.hasPrefix("the link has ended") } else { false } }
        }
        let status = try #require(arrivedMessage(Envelope.status(DeviceStatus()).encoded, number: 1))
        watch.peerDriver.handle(.engineEvent(.exchange(.messageReceived(status))))
        await watch.sees(\.isCompanionAppInstalled)
        for number in 0..<3 as Range<UInt8> { watch.queue(number) }
        for name in ["first", "second"] {
            try Data(name.utf8).write(to: URL(filePath: folder.path + "/" + name))
            watch.queueFile(folder.path + "/" + name)
        }
        try await watch.device.pair(with: code, patience: .seconds(3600))
        await phone.app.calls.wait { HostedApp.infos($0).count == 3 && HostedApp.files($0).count == 2 }
        #expect(phone.app.infos == [0, 1, 2] && HostedApp.files(phone.app.calls.items) == ["first", "second"])
        await watch.app.calls.wait { HostedApp.successCount($0) == 5 }
        #expect(watch.peerDriver.outstandingUserInfo.isEmpty && watch.peerDriver.outstandingFiles.isEmpty)
        watch.device.stop()
        phone.device.stop()
    }

    // R89, R93
    @Test func `pairing again with the same phone loses, doubles and reorders nothing that is queued`() async throws {
        let phone = try HostedDevice(folder.setup(.phone, "phone", meeting: false))
        await phone.start()
        let watch = try HostedDevice(folder.setup(.watch, "watch", meeting: false))
        await watch.start()
        try await watch.device.pair(with: try await phone.device.invite(), patience: .seconds(3600))
        await watch.sees(\.isCompanionAppInstalled)
        let code = try await phone.device.invite()
        for number in 0..<50 as Range<UInt8> { watch.queue(number) }
        async let again: Void = watch.device.pair(with: code, patience: .seconds(3600))
        for number in 50..<100 as Range<UInt8> { watch.queue(number) }
        try await again
        for number in 100..<110 as Range<UInt8> { watch.queue(number) }
        await watch.app.calls.wait { HostedApp.successCount($0) == 110 }
        await phone.app.calls.wait { HostedApp.infos($0).count >= 110 }
        #expect(phone.app.infos == (0..<110 as Range<UInt8>).map { $0 })
        watch.device.stop()
        phone.device.stop()
    }

    @Test func `a second watch is a second counterpart, with a queue of its own`() async throws {
        let phone = try HostedDevice(folder.setup(.phone, "phone"))
        await phone.start()
        let first = try HostedDevice(folder.setup(.watch, "wrist"))
        await first.start()
        await phone.sees(\.isReachable)
        var setup = folder.setup(.watch, "wrist")
        setup.stateFolder = folder.path + "/other"
        let second = try HostedDevice(setup)
        await second.start()
        await second.sees(\.isCompanionAppInstalled)
        await phone.changes.wait { [device = phone.device] _ in device.counterparts.count == 2 }
        #expect(phone.device.counterparts.map(\.identity?.name) == ["wrist", "wrist-2"])
        let app = HostedApp()
        phone.device.counterparts[1].peerDriver.attach(app)
        second.queue(7)
        first.queue(8)
        await phone.app.calls.wait { HostedApp.infos($0) == [8] }
        phone.device.counterparts[1].peerDriver.handle(.activate(hasDelegate: true))
        await app.calls.wait { HostedApp.infos($0) == [7] }
        for device in [first, second, phone] { device.device.stop() }
    }

    /// Waits until a board has these watches.
    private func names(_ names: [String], of registry: SessionRegistry) async throws {
        try await poll("the watches \(names)") { registry.watches.map(\.name) == names }
    }

    // R27, R157
    @Test func `a registry has a session for each watch by its name, and none for one that was unpaired`() async throws
    {
        let registry = SessionRegistry(role: .phone)
        var setup = folder.setup(.phone, "phone")
        setup.trace = .file("/dev/null")
        let phone = try RealDevice(setup, on: registry, trace: { _ in })
        // Before anybody is paired, there is the one of the default session.
        #expect(registry.watches.map(\.name) == [""])
        let session = registry.defaultSession
        phone.start()
        let first = try HostedDevice(folder.setup(.watch, "first"))
        await first.start()
        try await names(["first"], of: registry)
        let second = try HostedDevice(folder.setup(.watch, "second"))
        await second.start()
        try await names(["first", "second"], of: registry)
        #expect(registry.sessions.count == 2 && registry.watches.map(\.id) == ["1", "2"])
        second.device.stop()
        try await phone.unpair(phone.counterparts[1])
        try await names(["first"], of: registry)
        first.device.stop()
        try await phone.unpair(phone.counterparts[0])
        try await names([""], of: registry)
        #expect(registry.defaultSession === session)
        phone.stop()
    }

    @Test func `only a phone invites, only a watch accepts, and a wrong code is said to be one`() async throws {
        let phone = try RealDevice(folder.setup(.phone, "phone", meeting: false))
        let watch = try RealDevice(folder.setup(.watch, "watch", meeting: false))
        phone.start()
        watch.start()
        let code = try await phone.invite()
        await #expect(throws: DeviceError.onlyFor(isPhone: true)) { try await watch.invite() }
        await #expect(throws: DeviceError.onlyFor(isPhone: false)) { try await phone.pair(with: code) }
        await #expect(throws: (any Error).self) { try await watch.pair(with: "psw1-no-code") }
        try await watch.pair(with: code, patience: .seconds(3600))
        #expect(watch.counterparts[0].identity?.name == "watch")
        watch.stop()
        phone.stop()
    }
}

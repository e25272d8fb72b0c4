import Foundation
import SyncCore
import TestSupport
import Testing

@testable import WatchConnectivity

/// A device in this process, with an app that takes everything.
final class HostedDevice: Sendable {
    let device: RealDevice
    let app = HostedApp()
    let traces = Recorder<TraceEvent>()
    let changes = Recorder<Int>()

    init(_ setup: SessionSetup) throws {
        var observer = RealDevice.Observer()
        observer.trace = { [traces] in traces.record($0) }
        observer.counterpartsChanged = { [changes] in changes.record(0) }
        device = try RealDevice(setup, observer)
        device.counterparts[0].peerDriver.attach(app)
    }

    var peerDriver: PeerDriver { device.counterparts[0].peerDriver }

    /// Starts the device and activates its app's session.
    func start() async {
        device.start()
        peerDriver.handle(.activate(hasDelegate: true))
        await app.calls.wait { $0.contains(.activationDidComplete(.activated, nil)) }
    }

    func queue(_ number: UInt8) {
        peerDriver.handle(
            .transferUserInfo(RandomID.random(), .bytes([number]), isComplication: false, hasDelegate: true))
    }

    func queueFile(_ path: String) {
        peerDriver.transferFile(RandomID.random(), path: path, metadata: nil, hasDelegate: true)
    }

    /// Returns once the app sees what is wanted.
    func sees(_ condition: @escaping @Sendable (SessionView) -> Bool) async {
        await app.views.wait { [peerDriver] _ in condition(peerDriver.view) }
    }
}

/// An app that takes everything, and notes it.
final class HostedApp: PeerApp {
    let calls = Recorder<PeerState.Call>()
    let views = Recorder<SessionView>()

    func take(_ call: PeerState.Call, path: String?) -> PeerState.Handling {
        calls.record(call)
        return .handled
    }

    func viewChanged(from old: SessionView, to new: SessionView) {
        views.record(new)
    }

    /// The user infos that arrived.
    var infos: [UInt8] { Self.infos(calls.items) }

    static func infos(_ calls: [PeerState.Call]) -> [UInt8] {
        calls.compactMap { call in
            guard case .userInfo(let bytes) = call else { return nil }
            return bytes.first
        }
    }

    /// The names of the files that arrived.
    static func files(_ calls: [PeerState.Call]) -> [String] {
        calls.compactMap { call in
            guard case .file(let offer) = call else { return nil }
            return offer.name
        }
    }

    /// How many transfers have ended well.
    static func successCount(_ calls: [PeerState.Call]) -> Int {
        calls.count { call in
            switch call {
            case .didFinishUserInfo(_, nil), .didFinishFile(_, nil): true
            default: false
            }
        }
    }
}

/// A folder that goes with the test.
final class DeviceFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "device-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit {
        // What cannot be removed is left to the system.
        try? FileManager.default.removeItem(atPath: path)
    }

    func setup(_ side: SessionSetup.Side, _ name: String, meeting: Bool = true) -> SessionSetup {
        var setup = SessionSetup(
            side: side, stateFolder: path + "/" + name, meetingFolder: meeting ? path + "/meeting" : nil)
        setup.heartbeat = .milliseconds(200)
        setup.name = name
        return setup
    }
}

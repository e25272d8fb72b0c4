import Foundation
import Testing
import WatchConnectivity
import WatchConnectivityTesting

/// What an app does at a moment at which nothing can come of it is pointed out, in each of the ways to send.
@Suite struct UnheardTests {
    private static let names = [
        "sendMessage", "sendMessageData", "updateApplicationContext", "transferUserInfo",
        "transferCurrentComplicationUserInfo", "transferFile",
    ]

    /// Sends in each way.
    private func sendAll(_ session: WCSession, _ pair: TestPair) throws {
        let file = pair.folder.appending(path: "pool.txt")
        try Data("pool".utf8).write(to: file)
        session.sendMessage(["lap": 1], replyHandler: nil) { _ in }
        session.sendMessageData(Data([1]), replyHandler: nil) { _ in }
        // That it throws is one more way to learn it, which `try?` is often written for.
        try? session.updateApplicationContext(["lap": 1])
        session.transferUserInfo(["lap": 1])
        session.transferCurrentComplicationUserInfo(["lap": 1])
        session.transferFile(file, metadata: nil)
    }

    @Test func `what an app sends that is not running is pointed out, with the way out`() throws {
        let pair = try TestPair()
        let delegate = RecordingDelegate()
        pair.watchDevice.powerOff()
        pair.watchDevice.powerOn()
        try pair.asDefault(.watch) {
            WCSession.default.delegate = delegate
            WCSession.default.activate()
            try sendAll(WCSession.default, pair)
        }
        pair.settle()
        let way = "by an app that is not running: start it with `device.app = .foreground`"
        #expect(pair.warnings == (["activate"] + Self.names).map { "watch: \($0) \(way)" })
        #expect(delegate.calls.isEmpty)
    }

    @Test func `what an app sends before its activation completed is pointed out, with the code`() throws {
        let pair = try TestPair()
        let delegate = RecordingDelegate()
        pair.phone.delegate = delegate
        pair.phone.activate()
        try sendAll(pair.phone, pair)
        pair.settle()
        #expect(pair.warnings == Self.names.map { "phone: \($0) before the activation completed (7004)" })
        // Afterwards there is nothing to say.
        pair.phone.transferUserInfo(["lap": 2])
        pair.settle()
        #expect(pair.warnings.count == Self.names.count)
    }

    @Test func `what an app sends without a delegate is pointed out`() throws {
        let pair = try TestPair()
        try sendAll(pair.phone, pair)
        pair.settle()
        // That nobody is told of the end is pointed out besides.
        for name in Self.names { #expect(pair.warnings.contains("phone: \(name) without a delegate (7003)")) }
    }

    @Test func `what a delegate misses that is set too late is pointed out`() throws {
        // R4, R5, R13
        let (early, late, watch) = (RecordingDelegate(), RecordingDelegate(), RecordingDelegate())
        let pair = try TestPair()
        pair.watch.delegate = watch
        pair.watch.activate()
        pair.phone.activate()
        pair.settle()
        #expect(pair.warnings == ["phone: activate: the session has no delegate, so nothing happens"])
        pair.phone.delegate = early
        pair.phone.activate()
        pair.phone.delegate = early
        pair.settle()
        #expect(pair.warnings.count == 1)

        pair.phone.delegate = nil
        pair.link.cut()
        pair.settle()
        let missed = "phone: the session has no delegate: it misses sessionReachabilityDidChange"
        #expect(pair.warnings.dropFirst() == [missed])
        pair.phone.delegate = late
        pair.settle()
        #expect(
            pair.warnings.dropFirst(2) == [
                "phone: the delegate was set after the activation had completed, so it misses activationDidCompleteWith "
                    + "and every call that an earlier delegate got: set it before activate()"
            ])
        #expect(early.calls == ["activationDidComplete"] && late.calls.isEmpty)
        // The same one again misses nothing more.
        pair.phone.delegate = late
        #expect(pair.warnings.count == 3)
    }

    @Test func `what is sent by a session of a device that lost its power is pointed out`() throws {
        let duo = try Duo()
        let session = duo.pair.watch
        duo.pair.watchDevice.powerOff()
        session.transferUserInfo(["lap": 1])
        duo.pair.watchDevice.powerOn()
        duo.pair.watchDevice.app = .foreground
        duo.pair.settle()
        #expect(duo.pair.watch !== session)
        #expect(throws: (any Error).self) { try session.updateApplicationContext(["lap": 1]) }
        session.activate()
        duo.pair.settle()
        let way = "by a session of a device that lost its power: switch it on, and take `device.session` again"
        #expect(
            duo.pair.warnings
                == ["transferUserInfo", "updateApplicationContext", "activate"].map { "watch: \($0) \(way)" })
        #expect(duo.phone.userInfos.isEmpty)
    }
}

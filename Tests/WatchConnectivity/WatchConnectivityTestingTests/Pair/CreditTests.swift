import CreditWindows
import Foundation
import Platform
import SyncCore
import SyncSimulation
import Testing
import WatchConnectivity

@testable import WatchConnectivityTesting

/// What phone and watch send ahead on a bad link, counted from the frames alone.
@Suite struct CreditTests {
    @Test(arguments: [1, 16, 64] as [UInt32])
    func `neither device sends more than the other takes, and all arrives`(_ window: UInt32) throws {
        let pair = try TestPair(.init(window: window))
        pair.stage.world.withLock { $0.keepsFrames = true }
        let (phone, watch) = (RecordingDelegate(), RecordingDelegate())
        (pair.phone.delegate, pair.watch.delegate) = (phone, watch)
        // The greeting that names the window is kept, too.
        pair.link.reset()
        pair.phone.activate()
        pair.watch.activate()
        pair.settle()

        var faults = TestLink.Faults()
        (faults.dropChance, faults.duplicateChance, faults.reorderChance) = (0.05, 0.05, 0.05)
        faults.delays = .milliseconds(1)...(.milliseconds(20))
        pair.link.faults = faults
        for number in 0..<200 {
            let register = Register(key: "r\(number)", order: 1, value: [UInt8(number)])
            pair.stage.world.withLock { world in world.change { $0.give(.publish(register)) } }
        }
        let file = pair.folder.appendingPathComponent("log")
        try Data(repeating: 1, count: 1_048_576).write(to: file)
        for (session, count) in [(pair.phone, 100), (pair.watch, 100)] {
            for number in 0..<count { _ = session.transferUserInfo(["number": number]) }
            for number in 0..<100 {
                session.sendMessageData(Data([UInt8(number)]), replyHandler: nil, errorHandler: { _ in })
            }
            _ = session.transferFile(file, metadata: nil)
        }
        pair.advance(by: .seconds(30))
        pair.link.heal()
        pair.advance(by: .seconds(60))

        let book = pair.stage.world.withLock { CreditBook(of: $0.frames) }
        #expect(book.findings == [])
        for (delegate, isHub) in [(watch, true), (phone, false)] {
            let most = book.most[.init(watch: 0, isHub: isHub)] ?? .init()
            #expect(delegate.userInfos.compactMap { $0["number"] as? Int } == Array(0..<100))
            #expect(delegate.files.count == 1)
            #expect(most.registerCount == (isHub ? Int(window) : 0))
            #expect(most.itemCount == 32)
            #expect(most.messageCount > 1)
            #expect(most.chunkByteCount == 262_144)
        }
        #expect(pair.stage.world.withLock { $0.devices.watches[0].engine?.registers.count } == 200)
    }
}

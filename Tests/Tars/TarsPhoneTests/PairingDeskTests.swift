import Foundation
import PINPairing
import Peripherals
import Platform
import TarsModel
import TestSupport
import Testing
import Text

@testable import TarsPhone

/// The dialogue of a pairing at the phone, with a device that says what it should not.
@Suite(.timeLimit(.minutes(20))) struct PairingDeskTests {
    @Test func `T12 bytes that are no answer are ignored and counted, and the pairing goes on`() async throws {
        let serial = try Serial(short: "42")
        let (requests, source) = AsyncStream<LinkRequest>.makeStream()
        let desk = PairingDesk<TarsMaker> { _, request in source.yield(request) }
        let pairing = Task { try await desk.pair(serial, pin: PIN("314159")) }
        var device = PairingHolder(
            pin: try PIN("314159"), holder: serial.text, linkKey: [], record: PairingRecord())
        var registrations = 0
        for await request in requests {
            switch request {
            case .register:
                registrations += 1
                await desk.take(.registration(Data([0xFF, 0xFE])), of: serial)
                await desk.take(.registration(Data([0xC3, 0x28])), of: serial)
                #expect(await desk.ignoredCount == 2)
                // Another device's answer is not even counted.
                await desk.take(.registration(Data([0xFF])), of: try Serial(short: "43"))
                #expect(await desk.ignoredCount == 2)
                await desk.take(.registration(Data(LinkRequest.pinText.utf8)), of: serial)
            case .pairing(let bytes):
                await desk.take(.pairing(Data([0x7F, 1, 2])), of: serial)
                let message = try #require(PairingMessage(Array(bytes)))
                let outputs = device.handle(
                    message, random: (0..<32).map { _ in UInt8.random(in: 0...(.max)) }, at: Timestamp.now)
                for case .send(let answer) in outputs { await desk.take(.pairing(Data(answer.bytes)), of: serial) }
                if device.record.key != nil { source.finish() }
            case .command, .relayed, .follow, .scan: Issue.record("\(request) belongs to no pairing")
            }
        }
        let key = try await pairing.value
        #expect(registrations == 1)
        #expect(device.record.key?.isUnpaired(by: key.unpairing) == true)
        #expect(await desk.ignoredCount == 2)
    }
}

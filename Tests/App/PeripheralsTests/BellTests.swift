import Appliances
import Foundation
import PINPairing
import Peripherals
import Primitives
import Testing
import Text

/// A maker that nothing else knows.
private enum BellMaker: PeripheralMaker {
    static let device: Mark = ("BELL", "ringer")
    static let hub: Mark = ("BELH", "ringerHub")
    static let word = "bells"
}

private struct BellReport: PeripheralReport {
    var isOn: Bool
    var shown: [Int] { [isOn ? 1 : 0] }
}

/// A device that rings once for each command, with what this floor has: a second maker beside that of any app.
private struct Bell {
    let serial: SerialNumber<BellMaker>
    let key: LinkKey
    var answers = AnsweredCommands()
    var ringCount = 0

    mutating func take(_ sealed: [UInt8], at now: Timestamp) -> Data? {
        guard let bytes = key.open(sealed, for: serial),
            let message = try? CanonicalJSON.decode(CommandMessage<Never>.self, from: bytes)
        else { return nil }
        let known = answers.answer(to: message.id)
        if known == nil {
            ringCount += 1
            answers.keep(.done, to: message.id, until: message.until, at: now)
        }
        return Data(CanonicalJSON.bytes(ofEncodable: Acknowledgement(message.id, known ?? .done)))
    }
}

@Suite struct BellTests {
    private static let now = Moment(monotonic: Instant(nanoseconds: 0), wallMilliseconds: 1_780_315_200_000)

    private static func later(_ seconds: Int) -> Moment {
        Moment(
            monotonic: Instant(nanoseconds: Int64(seconds) * 1_000_000_000),
            wallMilliseconds: now.wallMilliseconds + Int64(seconds) * 1000)
    }

    @Test func `a device of another maker rings once by the short link and by its bridge`() throws {
        let serial = try SerialNumber<BellMaker>(short: "42")
        let hub = try SerialNumber<BellMaker>(short: "H1")
        #expect(serial.text.hasPrefix("BELL000000000042"))
        let key = try #require(LinkKey(bytes: [UInt8](repeating: 7, count: LinkKey.byteCount)))
        var bell = Bell(serial: serial, key: key)
        let appliance = try Appliance(
            id: .init(high: 0, low: 1), name: "Bell", kind: .button, abilities: [.press(holdMax: .zero)], dialect: .own)
        var control = PeripheralControl<BellMaker, BellReport>(seed: 1)
        control.use([PairedPeripheral(serial: serial, appliance: appliance, key: key)])
        var statuses: [Command.ID: CommandStatus] = [:]
        var ways: [String] = []

        /// Carries what leaves the phone to the bell; its answers come back unless they are lost.
        func carry(answering: Bool, at now: Moment) {
            while let output = control.nextOutput() {
                switch output {
                case .write(_, let sealed):
                    ways.append("short")
                    let answer = bell.take(sealed, at: Timestamp(milliseconds: now.wallMilliseconds))
                    if answering, let answer { control.handle(.reply(serial, .acknowledgement(answer)), at: now) }
                case .control(.publish(let topic, let sealed, _, _)):
                    ways.append(topic)
                    let answer = bell.take(sealed, at: Timestamp(milliseconds: now.wallMilliseconds))
                    guard answering, let answer else { continue }
                    control.handle(
                        .message(PeripheralTopic(serial, .ack), payload: Array(answer), isRetained: false), at: now)
                case .control(.status(let id, let status)): statuses[id] = status
                case .control(.changed): break
                }
            }
        }
        func act(_ number: UInt64, at now: Moment) -> Command.ID {
            let id = Command.ID(high: 1, low: number)
            let until = Timestamp(milliseconds: now.wallMilliseconds + 5000)
            control.handle(
                .act(Command(id: id, appliance: appliance.id, action: .press(hold: nil), until: until)), at: now)
            return id
        }

        let first = act(1, at: Self.now)
        carry(answering: true, at: Self.now)
        #expect(statuses[first] == .refused(.brokerOffline))
        control.handle(.heard(serial, rssi: -50), at: Self.now)
        let second = act(2, at: Self.now)
        // The answer by the short link is lost; a second later the bridge carries the same command.
        carry(answering: false, at: Self.now)
        control.handle(.broker(BrokerReach(isConnected: true)), at: Self.now)
        for (number, status) in [(hub, PeripheralStatus<BellMaker>(.online)), (serial, .init(.online, by: hub))] {
            control.handle(
                .message(PeripheralTopic(number, .status), payload: status.payload, isRetained: true), at: Self.now)
        }
        control.handle(.tick, at: Self.later(1))
        carry(answering: true, at: Self.later(1))
        #expect(ways == ["short", "bells/000042/set"])
        #expect(statuses[second] == .confirmed(milliseconds: 1000))
        #expect(bell.ringCount == 1)
    }

    @Test func `the devices of two makers do not take each other's numbers, topics and commands`() throws {
        enum Other: PeripheralMaker {
            static let device: Mark = ("RING", "ringer")
            static let hub: Mark = ("RINH", "ringerHub")
            static let word = "rings"
        }
        let serial = try SerialNumber<BellMaker>(short: "42")
        #expect(SerialNumber<Other>(advertised: Array(serial.text.utf8)) == nil)
        #expect(PeripheralTopic<Other>(PeripheralTopic(serial, .set).text) == nil)
        let key = try #require(LinkKey(bytes: [UInt8](repeating: 7, count: LinkKey.byteCount)))
        let sealed = key.seal([1, 2, 3], for: serial)
        #expect(key.open(sealed, for: try SerialNumber<Other>(short: "42")) == nil)
        let text = CanonicalJSON.bytes(ofEncodable: serial)
        #expect(try CanonicalJSON.decode(SerialNumber<BellMaker>.self, from: text) == serial)
        #expect(throws: (any Error).self) { try CanonicalJSON.decode(SerialNumber<Other>.self, from: text) }
    }
}

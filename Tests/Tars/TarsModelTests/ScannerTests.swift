import Appliances
import Peripherals
import TarsModel
import Testing
import Text

@Suite struct ScannerTests {
    private static let now = Instant(nanoseconds: 0)

    private func advertisement(_ name: String?, _ data: [UInt8]?) -> Advertisement {
        Advertisement(name: name, manufacturerData: data, rssi: -62)
    }

    @Test func `T6 fifty advertisements make one connection`() throws {
        let serial = try Serial(short: "0042A1")
        var scanner = Scanner<TarsMaker>(known: [serial])
        let heard = advertisement("iotDevice", Array(serial.text.utf8))
        let outcomes = (0..<50).map { _ in scanner.handle(heard, at: Self.now) }
        #expect(outcomes.first == .connect(serial))
        #expect(outcomes.dropFirst().allSatisfy { $0 == .listed(serial) })
        scanner.disconnected(serial)
        #expect(scanner.handle(heard, at: Self.now) == .connect(serial))
    }

    @Test(
        arguments: [
            ("iotdevice", "TARS0000000042A1", .name), ("iotDevice2", "TARS0000000042A1", .name),
            (" iotDevice", "TARS0000000042A1", .name), (nil, "TARS0000000042A1", .name),
            ("iotDevice", nil, .noSerial), ("iotDevice", "", .badSerial), ("iotDevice", "TARS0000000042A2", .badSerial),
            ("iotDevice", "tars0000000042A1", .badSerial), ("iotDevice", "TARS0000000042a1", .badSerial),
            ("iotDevice", "TARS+000000042A1", .badSerial), ("iotHub", "TARS0000000042A1", .badSerial),
        ] as [(String?, String?, Scanner<TarsMaker>.Ignored)])
    func `T2 T3 T4 T5 anything but the exact name and number is ignored and counted`(
        name: String?, body: String?, reason: Scanner<TarsMaker>.Ignored
    ) throws {
        let serial = try Serial(short: "0042A1")
        var scanner = Scanner<TarsMaker>(known: [serial])
        let data = body.map { Array(($0.isEmpty ? "" : $0 + String(serial.text.suffix(4))).utf8) }
        #expect(scanner.handle(advertisement(name, data), at: Self.now) == .ignored(reason))
        #expect(scanner.ignored == [reason: 1])
        #expect(scanner.sightings.isEmpty)
    }

    @Test func `T5 T14 an unknown serial is listed without a connection until a person registers it`() throws {
        let serial = try Serial(short: "7")
        var scanner = Scanner<TarsMaker>()
        let heard = advertisement("iotDevice", Array(serial.text.utf8))
        #expect(scanner.handle(heard, at: Self.now) == .listed(serial))
        scanner.register(serial)
        #expect(scanner.handle(heard, at: Self.now) == .connect(serial))
        scanner.unregister(serial)
        scanner.disconnected(serial)
        #expect(scanner.handle(heard, at: Self.now) == .listed(serial))
    }

    @Test func `T21 a hub advertises another name and another number than a device`() throws {
        let hub = try Serial(short: "H001")
        #expect(hub.bearer == .hub)
        #expect(hub.text.hasPrefix("TARH000000000001"))
        var scanner = Scanner<TarsMaker>(known: [hub])
        #expect(scanner.handle(advertisement("iotHub", Array(hub.text.utf8)), at: Self.now) == .connect(hub))
        #expect(
            scanner.handle(advertisement("iotDevice", Array(hub.text.utf8)), at: Self.now) == .ignored(.badSerial))
    }

    @Test func `T5 the check sum finds each changed digit and each swap of two`() throws {
        // The check value of this CRC for the digits 1 to 9 is 29B1.
        let serial = try Serial(short: "123456789ABC")
        let bytes = Array(serial.text.utf8)
        #expect(Serial(advertised: bytes) == serial)
        for place in 4..<20 {
            for digit in "0123456789ABCDEF".utf8 where bytes[place] != digit {
                var other = bytes
                other[place] = digit
                #expect(Serial(advertised: other) == nil)
            }
            if place < 19, bytes[place] != bytes[place + 1] {
                var other = bytes
                other.swapAt(place, place + 1)
                #expect(Serial(advertised: other) == nil)
            }
        }
        #expect(Serial(advertised: bytes + [0x30]) == nil)
    }

    @Test(arguments: ["", "xyz", "0042A1234567890", "+12", "H", "0x12"])
    func `what is no serial number is refused in a sentence`(text: String) {
        let problem = #expect(throws: ModelProblem.self) { try Serial(short: text) }
        #expect(problem?.description.hasSuffix("give 1 to 12 hexadecimal digits, such as 0042A1") == true)
    }

    @Test func `a scan keeps at most as many devices as a home has`() throws {
        var scanner = Scanner<TarsMaker>()
        for number in 0..<513 {
            let serial = try Serial(short: String(number, radix: 16))
            _ = scanner.handle(advertisement("iotDevice", Array(serial.text.utf8)), at: Self.now)
        }
        #expect(scanner.sightings.count == 512)
        #expect(scanner.ignored == [.tooMany: 1])
    }
}

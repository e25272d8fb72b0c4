import Appliances
import Foundation
import Peripherals
import Primitives
import TarsModel
import TarsPhone
import Text

/// A phone and some push devices in virtual time, on links that lose, repeat and break.
struct SimulatedHome {
    /// What the links do, each share 0…1.
    struct Weather {
        var loss = 0.0
        var doubling = 0.0
        /// The share of movements after which the way of the command breaks before the answer arrives.
        var breaking = 0.0
        /// The longest time on the way.
        var delay = Duration.milliseconds(20)
        var hasBroker = true
        var hasShortLink = true
    }

    private enum Letter {
        /// Sealed bytes for a device, and how they go.
        case command(Serial, [UInt8], Movement.Origin)
        /// A device's answer.
        case answer(Serial, Acknowledgement, Movement.Origin)

        var way: Movement.Origin {
            switch self {
            case .command(_, _, let way), .answer(_, _, let way): way
            }
        }
    }

    /// The bridge.
    private static let hub = try? Serial(short: "H001")
    /// How long a broken way stays broken at most.
    private static let repairTime = Duration.milliseconds(400)

    var weather = Weather()
    /// How often a way broke after a movement.
    private(set) var breakCount = 0
    private var breaks: [(at: Instant, way: Movement.Origin)] = []
    private var repairs: [(at: Instant, way: Movement.Origin)] = []
    private(set) var core: HomeCore
    private(set) var statuses: [Appliances.Command.ID: [CommandStatus]] = [:]
    private(set) var movements: [(movement: Movement, at: Instant)] = []
    private var moveCounts: [Appliances.Command.ID: Int] = [:]
    /// Every message that was published.
    private(set) var published: [(topic: String, expirySeconds: UInt32)] = []
    let devices: [PairedPeripheral<TarsMaker>]
    private var machines: [Serial: DeviceCore]
    private var post: [(at: Instant, letter: Letter)] = []
    private(set) var now = Instant(nanoseconds: 1_000_000_000_000)
    private var random: SplitMix64

    init(deviceCount: Int, seed: UInt64) throws {
        random = SplitMix64(seed: seed)
        core = HomeCore(seed: seed)
        var devices: [PairedPeripheral<TarsMaker>] = []
        for number in 1...deviceCount {
            let serial = try Serial(short: "\(number)")
            let appliance = try Appliance(
                id: Appliance.ID(high: 1, low: UInt64(number)), name: "Button \(number)", kind: .bot,
                abilities: DeviceMode.press.abilities, dialect: .own)
            let bytes = [UInt8](repeating: UInt8(number), count: LinkKey.byteCount)
            guard let key = LinkKey(bytes: bytes) else { continue }
            devices.append(PairedPeripheral<TarsMaker>(serial: serial, appliance: appliance, key: key))
        }
        self.devices = devices
        machines = Dictionary(
            uniqueKeysWithValues: devices.map { device in
                let record = DeviceRecord(settings: DeviceSettings(mode: .press))
                return (device.serial, DeviceCore(record: record, movementTime: .milliseconds(50)))
            })
        core.use(devices, [])
        settle()
    }

    var moment: Moment { Moment(monotonic: now, wallMilliseconds: now.nanoseconds / 1_000_000) }
    var wall: Timestamp { Timestamp(milliseconds: moment.wallMilliseconds) }

    mutating func handle(_ input: HomeCore.Input) {
        core.handle(input, at: moment)
        drain()
    }

    /// Tells the phone which ways there are.
    mutating func settle() {
        handle(.broker(BrokerReach(isConnected: weather.hasBroker, messagesExpire: true)))
        if weather.hasBroker, let hub = Self.hub {
            for (serial, status) in [(hub, PeripheralStatus<TarsMaker>(.online))]
                + devices.map({ ($0.serial, PeripheralStatus<TarsMaker>(.online, by: hub)) })
            {
                handle(
                    .message(
                        topic: PeripheralTopic<TarsMaker>(serial, .status).text, payload: status.payload,
                        isRetained: true))
            }
        }
        for device in devices {
            handle(weather.hasShortLink ? .heard(device.serial, rssi: -60) : .lost(device.serial))
        }
    }

    private mutating func drain() {
        while let output = core.nextOutput() {
            switch output {
            case .write(let serial, let sealed):
                // The phone notices that a device is gone when it writes.
                if weather.hasShortLink { send(.command(serial, sealed, .short)) }
            case .control(.publish(let topic, let payload, _, let seconds)):
                published.append((topic, seconds))
                guard let own = PeripheralTopic<TarsMaker>(topic), weather.hasBroker else { continue }
                send(.command(own.serial, payload, .bridge))
            case .control(.status(let id, let status)): statuses[id, default: []].append(status)
            case .control(.changed): break
            }
        }
    }

    /// Breaks a way: what is on it is lost, and the phone notices.
    private mutating func cut(_ way: Movement.Origin) {
        breakCount += 1
        post.removeAll { $0.letter.way == way }
        repairs.append((now.advanced(by: Self.repairTime * random.unit()), way))
        if way == .short { weather.hasShortLink = false } else { weather.hasBroker = false }
        settle()
    }

    private mutating func send(_ letter: Letter) {
        let copies = random.unit() < weather.doubling ? 2 : 1
        for _ in 0..<copies where random.unit() >= weather.loss {
            post.append((now.advanced(by: weather.delay * random.unit()), letter))
        }
    }

    /// Lets time pass, with everything that is due.
    mutating func run(for duration: Duration) {
        let end = now.advanced(by: duration)
        while now < end {
            now = now.advanced(by: .milliseconds(5))
            for (at, way) in breaks where at <= now { cut(way) }
            breaks.removeAll { $0.at <= now }
            for (at, way) in repairs where at <= now {
                if way == .short { weather.hasShortLink = true } else { weather.hasBroker = true }
                settle()
            }
            repairs.removeAll { $0.at <= now }
            for device in devices {
                guard let deadline = machines[device.serial]?.deadline(at: moment), deadline <= now else { continue }
                feed(.tick, to: device.serial, by: nil)
            }
            let due = post.filter { $0.at <= now }
            post.removeAll { $0.at <= now }
            for (_, letter) in due { deliver(letter) }
            if let deadline = core.deadline, deadline <= now { handle(.tick) }
            if weather.hasShortLink, now.nanoseconds % 1_000_000_000 < 5_000_000 {
                for device in devices { handle(.heard(device.serial, rssi: -60)) }
            }
        }
    }

    private mutating func deliver(_ letter: Letter) {
        switch letter {
        case .command(let serial, let sealed, let origin):
            guard let key = devices.first(where: { $0.serial == serial })?.key,
                let bytes = key.open(sealed, for: serial),
                let message = try? CanonicalJSON.decode(DeviceMessage.self, from: bytes)
            else { return }
            feed(.command(message.id, message.order, until: message.until, origin: origin), to: serial, by: origin)
        case .answer(let serial, let answer, let origin):
            let bytes = CanonicalJSON.bytes(ofEncodable: answer)
            switch origin {
            case .short: handle(.reply(serial, .acknowledgement(Data(bytes))))
            case .bridge, .timer:
                handle(
                    .message(topic: PeripheralTopic<TarsMaker>(serial, .ack).text, payload: bytes, isRetained: false))
            }
        }
    }

    private mutating func feed(_ input: DeviceCore.Input, to serial: Serial, by origin: Movement.Origin?) {
        let moment = moment
        var isBroken = false
        machines[serial]?.handle(input, at: moment)
        while let output = machines[serial]?.nextOutput() {
            switch output {
            case .keep, .tellState: break
            case .move(let movement):
                movements.append((movement, now))
                moveCounts[movement.id, default: 0] += 1
                guard let origin, random.unit() < weather.breaking else { continue }
                // Somewhere between the movement and the arrival of its answer.
                breaks.append((now.advanced(by: weather.delay * random.unit()), origin))
                isBroken = true
            case .answer(let id, let answer):
                if let origin, !isBroken { send(.answer(serial, Acknowledgement(id, answer), origin)) }
            }
        }
    }

    /// Asks for a press of a device.
    mutating func press(_ index: Int, within life: Duration = .seconds(5)) -> Appliances.Command.ID {
        let id = Appliances.Command.ID(high: random.next(), low: random.next())
        ask(id, .press(hold: nil), of: index, within: life)
        return id
    }

    mutating func ask(
        _ id: Appliances.Command.ID, _ action: Action, of index: Int, within life: Duration = .seconds(5)
    ) {
        let until = wall.advanced(byMilliseconds: life.wholeNanoseconds / 1_000_000)
        handle(.act(Appliances.Command(id: id, appliance: devices[index].appliance.id, action: action, until: until)))
    }

    mutating func chance() -> Double { random.unit() }

    /// How often a command moved its motor.
    func moves(_ id: Appliances.Command.ID) -> Int { moveCounts[id] ?? 0 }
}

import Foundation
import PINPairing
import Peripherals
import Platform
package import Primitives
import TarsModel
import Text
package import ZeroMQ

/// A simulated motor device: its radio, its clock and its files around a ``DeviceCore``.
package final class DeviceLoop: SocketLoop {
    /// What is asked of the device from outside of the air.
    package enum Request: Sendable {
        /// Its button is pressed: for 30 s it takes an owner without a PIN (T9).
        case pressButton
    }

    /// The version of the simulated program.
    package static let firmware = "1.0"
    /// How long it takes an owner without a PIN after its button was pressed.
    private static let openTime = Duration.seconds(30)

    private let options: DeviceOptions
    private let files: DeviceFiles
    private let beacon: Beacon
    private let onTrouble: (String) -> Void
    private var memory: DeviceMemory
    private var core: DeviceCore
    private var holder: PairingHolder
    private let pin: PIN
    /// Until when it takes an owner without a PIN.
    private var isOpenUntil: Instant
    private var faults: SplitMix64
    private var countedUntil: Instant
    /// The peer whose command is being taken in.
    private var sender: RoutingID?

    /// Opens a device's files and sockets; on the thread of its loop.
    ///
    /// - Parameters:
    ///   - options: How the device is.
    ///   - context: The context of its socket.
    ///   - onTrouble: Told why it stands still, on the thread.
    /// - Throws: ``DeviceProblem``, and what the file system and ZeroMQ say.
    package init(_ options: DeviceOptions, _ context: Context, onTrouble: @escaping (String) -> Void) throws {
        self.options = options
        self.onTrouble = onTrouble
        files = try DeviceFiles(folder: options.folder)
        memory =
            try files.memory() ?? DeviceMemory(record: DeviceRecord(settings: DeviceSettings(mode: options.mode)))
        core = DeviceCore(record: memory.record, movementTime: options.movementTime)
        pin = try PIN(options.pin)
        holder = PairingHolder(pin: pin, holder: options.serial.text, linkKey: [], record: memory.pairing)
        faults = SplitMix64(seed: options.faults.seed)
        countedUntil = Moment.now.monotonic
        isOpenUntil = countedUntil
        beacon = try Beacon(
            options.serial, rssi: options.rssi, every: options.advertisingInterval, in: options.air, context,
            at: countedUntil)
        try files.keep(memory)
    }

    package func begin(_ poller: inout Poller) { beacon.begin(&poller) }

    package func turn(_ requests: [Request], _ poller: inout Poller, at now: Moment) -> Instant? {
        do {
            for request in requests {
                switch request {
                case .pressButton: isOpenUntil = now.monotonic.advanced(by: Self.openTime)
                }
            }
            core.handle(.tick, at: now)
            try carryOut(at: now)
            while let (peer, request) = try beacon.next(at: now.monotonic) { try take(request, from: peer, at: now) }
            if try beacon.advertise(at: now.monotonic) { spend(at: now.monotonic) }
        } catch {
            // A device without its memory must not move: it stands still until it is started again.
            onTrouble("\(error)")
            return nil
        }
        return [core.deadline(at: now), beacon.deadline].compactMap(\.self).min()
    }

    // MARK: - The short link

    private func take(_ request: LinkRequest, from peer: RoutingID, at now: Moment) throws {
        switch request {
        case .command(let sealed): try take(Array(sealed), by: .short, from: peer, at: now)
        case .relayed(let sealed): try take(Array(sealed), by: .bridge, from: peer, at: now)
        case .follow: try beacon.send(.state(report(at: now)), to: peer)
        case .register:
            let answer = now.monotonic < isOpenUntil ? LinkRequest.successText : LinkRequest.pinText
            try beacon.send(.registration(Data(answer.utf8)), to: peer)
        case .pairing(let bytes):
            guard let message = PairingMessage(Array(bytes)) else { return }
            try pair(message, with: peer, at: now)
        case .scan: break
        }
    }

    /// Takes in a message of a pairing; the tries and the key are stored before anything is answered.
    private func pair(_ message: PairingMessage, with peer: RoutingID, at now: Moment) throws {
        if case .ask = message {
            // Who may have the device without a PIN agrees on the key with one that everybody knows.
            let isOpen = now.monotonic < isOpenUntil
            let pin = isOpen ? try PIN(LinkRequest.openPIN) : pin
            // Who presses the button has the device in hand: a lock-out is against guesses from afar.
            let record = isOpen ? holder.record.unlocked : holder.record
            holder = PairingHolder(pin: pin, holder: options.serial.text, linkKey: [], record: record)
        }
        var generator = SystemRandomNumberGenerator()
        let random = (0..<32).map { _ in UInt8.random(in: 0...(.max), using: &generator) }
        let outputs = holder.handle(message, random: random, at: Timestamp(milliseconds: now.wallMilliseconds))
        for output in outputs {
            switch output {
            case .keep(let record):
                memory.pairing = record
                try files.keep(memory)
            case .send(let message): try beacon.send(.pairing(Data(message.bytes)), to: peer)
            case .paired: isOpenUntil = now.monotonic
            case .unpaired: break
            }
        }
    }

    /// Takes a command that the owner's phone sealed; what anybody else made is not answered.
    private func take(_ sealed: [UInt8], by origin: Movement.Origin, from peer: RoutingID, at now: Moment) throws {
        guard let key = memory.pairing.key.flatMap({ LinkKey($0, of: TarsMaker.self) }),
            let bytes = key.open(sealed, for: options.serial),
            let message = try? CanonicalJSON.decode(DeviceMessage.self, from: bytes)
        else { return }
        sender = peer
        defer { sender = nil }
        core.handle(.command(message.id, message.order, until: message.until, origin: origin), at: now)
        try carryOut(at: now)
    }

    private func carryOut(at now: Moment) throws {
        while let output = core.nextOutput() {
            switch output {
            case .keep(let record):
                memory.record = record
                try files.keep(memory)
            case .move(let movement): try files.note(movement, at: now.monotonic)
            case .answer(let id, let answer):
                guard let sender, faults.unit() >= options.faults.unansweredShare else { continue }
                let bytes = try CanonicalJSON.encode(Acknowledgement(id, answer))
                try beacon.send(.acknowledgement(Data(bytes)), to: sender)
            case .tellState: try beacon.tell(.state(report(at: now)))
            }
        }
    }

    private func report(at now: Moment) -> Data {
        let report = DeviceReport(
            mode: core.record.settings.mode, isOn: core.record.isOn, position: core.record.position,
            battery: core.batteryPercent, firmware: Self.firmware,
            at: Timestamp(milliseconds: now.wallMilliseconds))
        return Data(CanonicalJSON.bytes(ofEncodable: report))
    }

    /// Counts what an advertisement, and the time since the last one, took of the battery.
    private func spend(at now: Instant) {
        let seconds = countedUntil.duration(to: now) / .seconds(1)
        countedUntil = now
        core.spend { use in
            use.seconds += seconds
            use.advertisements += 1
            if beacon.isConnected { use.connectedSeconds += seconds }
        }
        if let energy = options.energy { core.batteryPercent = core.record.energy.batteryPercent(energy) }
    }
}

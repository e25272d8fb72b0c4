import CommandSupport
import WatchConnectivity
import WatchConnectivityTesting

/// A test pair in virtual time, with an app on each device that only records.
final class PairBackend: ConnectivityBackend {
    private let pair: TestPair
    private let delegates: [RecordingDelegate]

    init(watchCount: Int) throws {
        pair = try TestPair(watches: watchCount)
        let devices = [pair.phoneDevice] + pair.watchDevices
        delegates = devices.map { _ in ConnectivityApp.delegate() }
        for (device, delegate) in zip(devices, delegates) {
            device.onLaunch = { session, _ in
                session.delegate = delegate
                session.activate()
            }
            device.relaunch()
        }
        pair.settle()
    }

    private func device(_ device: ConnectivityDevice) throws -> TestDevice {
        switch device {
        case .phone: return pair.phoneDevice
        case .watch(let number):
            guard pair.watchDevices.indices.contains(number) else {
                throw CommandFailure("there is no \(device.name)")
            }
            return pair.watchDevices[number]
        }
    }

    func perform(_ step: ConnectivityStep) throws {
        switch step {
        case .send(let sender, let content, let text):
            let device = try device(sender)
            guard device.hasPower else { throw CommandFailure("\(sender.name) does not run: start it first") }
            try ConnectivityApp.send(content, text, on: device.session)
        case .app(let device, let state): try self.device(device).app = state
        case .kill(let device): try self.device(device).powerOff()
        case .start(let device):
            try self.device(device).powerOn()
            try self.device(device).app = .foreground
        case .cut(let watch): try link(watch).cut()
        case .heal(let watch): try link(watch).heal()
        case .switchTo(let watch):
            _ = try device(.watch(watch))
            pair.switchWatch(to: watch)
        case .wait, .got: break
        }
        pair.settle()
    }

    private func link(_ watch: Int) throws -> TestLink {
        _ = try device(.watch(watch))
        return pair.links[watch]
    }

    func pass(_ duration: Duration) async throws { await pair.advance(by: duration) }

    func calls(of device: ConnectivityDevice) -> [String] {
        let place =
            switch device {
            case .phone: "phone"
            case .watch(let number): number == 0 ? "watch" : "watch \(number + 1)"
            }
        return pair.events.filter { $0.kind == .call && $0.place == place }.map(\.text)
    }

    func trace() -> String { pair.timeline }

    func end() {}
}

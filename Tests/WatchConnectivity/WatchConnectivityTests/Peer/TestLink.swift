import SyncCore

@testable import WatchConnectivity

/// A phone and a watch on one link, in virtual time.
final class TestLink {
    let phone: TestDevice
    let watch: TestDevice
    private(set) var isOpen = false
    private var sessionCount: UInt64 = 0
    private var ids = SplitMix64(seed: 99)

    init(_ behaviour: SessionBehaviour = SessionBehaviour(), isTraced: Bool = true) {
        phone = TestDevice(.phone, behaviour, isTraced: isTraced, seed: 1)
        watch = TestDevice(.watch, behaviour, isTraced: isTraced, seed: 2)
    }

    /// Two devices that are paired and linked, with both apps active and in front.
    static func active(_ behaviour: SessionBehaviour = SessionBehaviour(), isTraced: Bool = true) -> TestLink {
        let link = TestLink(behaviour, isTraced: isTraced)
        for device in link.devices {
            device.feed(.paired(true))
            device.feed(.appState(.foreground))
            device.feed(.activate(hasDelegate: true))
        }
        link.open()
        for device in link.devices { (device.calls, device.trace) = ([], []) }
        return link
    }

    var devices: [TestDevice] { [phone, watch] }

    func id() -> RandomID { RandomID(using: &ids) }

    func open() {
        guard !isOpen else { return }
        isOpen = true
        sessionCount += 1
        let (phonePositions, watchPositions) = (phone.positions, watch.positions)
        phone.open(sessionCount, peer: watchPositions)
        watch.open(sessionCount, peer: phonePositions)
        settle()
    }

    func close() {
        guard isOpen else { return }
        isOpen = false
        for device in devices { device.close() }
        settle()
    }

    /// Ends a device's process and starts it again; the link breaks.
    func restart(_ device: TestDevice) {
        close()
        device.restart()
        settle()
    }

    /// Lets all happen that happens without time passing.
    func settle() {
        while true {
            if !phone.frames.isEmpty {
                watch.receive(phone.frames.removeFirst())
            } else if !watch.frames.isEmpty {
                phone.receive(watch.frames.removeFirst())
            } else {
                return
            }
        }
    }

    /// Lets time pass, deadline by deadline.
    func advance(_ duration: Duration) {
        settle()
        let end = phone.moment.monotonic.advanced(by: duration)
        var count = 0
        while let due = devices.compactMap(\.deadline).min(), due <= end {
            move(to: due)
            count += 1
            precondition(count < 10_000, "a deadline comes again and again: \(due)")
        }
        move(to: end)
    }

    /// Lets all happen that happens within a second, such as what the engine stores when it is at leisure.
    func rest() {
        advance(.seconds(1))
    }

    private func move(to instant: Instant) {
        for device in devices {
            let passed = max(0, device.moment.monotonic.duration(to: instant).wholeNanoseconds)
            device.moment.monotonic = device.moment.monotonic.advanced(by: .nanoseconds(passed))
            device.moment.wallMilliseconds += passed / 1_000_000
        }
        for device in devices { device.timeReached() }
        settle()
    }
}

extension TestDevice {
    /// Takes the calls so far.
    func claim() -> [PeerState.Call] {
        defer { calls = [] }
        return calls
    }

    /// Takes the calls so far, without those that only tell of reachability.
    func claimContent() -> [PeerState.Call] {
        claim().filter { $0 != .reachabilityDidChange }
    }

    /// The warnings of the trace so far.
    var warnings: [String] {
        trace.compactMap { if case .warning(let text) = $0 { text } else { nil } }
    }

    var view: SessionView { peerState.view }

    /// The app sends a message without anything else to do.
    func send(_ number: UInt64, _ bytes: [UInt8], wantsReply: Bool = false, isData: Bool = false) {
        feed(
            .send(
                .init(number: number), .init(payload: .bytes(bytes), isData: isData, wantsReply: wantsReply),
                hasErrorHandler: true, hasDelegate: true))
    }

    func set(_ context: [UInt8]) {
        feed(.updateContext(.bytes(context), hasDelegate: true))
    }

    func transfer(_ id: RandomID, _ bytes: [UInt8], isComplication: Bool = false) {
        feed(.transferUserInfo(id, .bytes(bytes), isComplication: isComplication, hasDelegate: true))
    }

    func transferFile(_ id: RandomID, _ path: String, metadata: [UInt8]? = nil) {
        feed(.transferFile(id, path: path, metadata: metadata.map { .bytes($0) }, hasDelegate: true))
    }
}

func token(_ number: UInt64) -> PeerState.MessageToken { PeerState.MessageToken(number: number) }

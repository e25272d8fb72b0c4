/// Takes registers from a link: tells which numbers are news, and gives the hub credit for what arrived.
///
/// Numbers count from 1 in each session; a hole is a loss, or a frame that was overtaken. Each credit names all holes
/// that the hub may still have in flight, so a lost credit loses nothing: the next one says the same again.
struct LiveReceiver: Hashable, Sendable {
    /// The time that a watch may wait before it gives credit for the last frames.
    static let creditAfter = Duration.milliseconds(50)

    private let window: UInt64
    private let flaws: DesignFlaws
    private var highest: UInt64 = 0
    /// The numbers within a window below the highest that did not arrive, in ascending order.
    private(set) var missing: [UInt64] = []
    private var uncredited: UInt64 = 0
    private(set) var deadline: Instant?

    /// Creates the receiver of a session.
    init(window: UInt32, flaws: DesignFlaws = []) {
        self.window = UInt64(window)
        self.flaws = flaws
    }

    /// A live frame arrived; false if its number was seen before in this session, or is too old to matter.
    mutating func arrived(_ number: UInt64, now: Instant) -> Bool {
        if number > highest {
            // The hub has at most a window of consecutive numbers in flight: what lies below is settled.
            let oldest = number - min(number - 1, window)
            missing.removeAll { $0 < oldest }
            missing += max(highest + 1, oldest)..<number
            highest = number
        } else if let position = missing.firstIndex(of: number) {
            missing.remove(at: position)
        } else {
            return false
        }
        uncredited += 1
        deadline = deadline ?? now.advanced(by: Self.creditAfter)
        return true
    }

    /// The credit to give now, nil if it can wait.
    mutating func credit(now: Instant) -> Credit? {
        guard let due = deadline, uncredited >= max(1, window / 4) || due <= now else { return nil }
        deadline = nil
        uncredited = 0
        defer { if flaws.contains(.watchForgetsHoles) { missing = [] } }
        return Credit(highest: highest, missing: missing)
    }
}

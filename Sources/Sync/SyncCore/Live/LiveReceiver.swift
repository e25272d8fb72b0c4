/// Receives registers in a session: determines which numbers are new, and gives the hub credit for what arrived.
///
/// Numbers start from 1 in each session; a gap is a lost or delayed frame. Each credit lists all gaps that may still
/// matter to the hub, so a lost credit does no harm: the next one contains the same information.
struct LiveReceiver: Hashable, Sendable {
    /// The longest time before a watch gives credit for the last frames.
    static let creditAfter = Duration.milliseconds(50)

    private let window: UInt64
    private var highest: UInt64 = 0
    /// The numbers within a window below the highest that did not arrive, in ascending order.
    private(set) var missing: [UInt64] = []
    private var uncredited: UInt64 = 0
    private(set) var deadline: Instant?

    /// Creates the receiver of a session.
    init(window: UInt32) {
        self.window = UInt64(window)
    }

    /// A live frame arrived; false if its number was received before in this session, or is too old to matter.
    mutating func arrived(_ number: UInt64, now: Instant) -> Bool {
        if number > highest {
            // The hub has at most one window of consecutive numbers on their way: those below are settled.
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
        return Credit(highest: highest, missing: missing)
    }
}

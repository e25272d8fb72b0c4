/// Takes registers from a link: tells which are news, and gives the hub credit for what arrived.
///
/// Numbers count from 1 in each session; a gap is a loss, which the credit reports. A register's value is news only if
/// its order is greater than any seen before in the same epoch, whatever the session, so an older value never replaces
/// a newer one.
struct LiveReceiver: Hashable, Sendable {
    /// The time that a watch may wait before it gives credit for the last frames.
    static let creditAfter = Duration.milliseconds(50)

    private let window: UInt64
    private var highest: UInt64 = 0
    private var missing: [UInt64] = []
    private var uncredited: UInt64 = 0
    private(set) var deadline: Instant?

    /// Creates the receiver of a session.
    init(window: UInt32) {
        self.window = UInt64(window)
    }

    /// A live frame arrived; false if its number was seen before in this session.
    mutating func arrived(_ number: UInt64, now: Instant) -> Bool {
        if number <= highest {
            guard let position = missing.firstIndex(of: number) else { return false }
            missing.remove(at: position)
        } else {
            // The hub never has more than a window in flight, so a wider gap is no gap but nonsense.
            guard number - highest <= 2 * window else { return false }
            missing += (highest + 1..<number)
            highest = number
        }
        uncredited += 1
        deadline = deadline ?? now.advanced(by: Self.creditAfter)
        return true
    }

    /// The credit to give now, nil if it can wait.
    mutating func credit(now: Instant) -> Credit? {
        guard let due = deadline, uncredited >= max(1, window / 4) || due <= now else { return nil }
        let credit = Credit(highest: highest, missing: missing)
        deadline = nil
        missing = []
        uncredited = 0
        return credit
    }
}

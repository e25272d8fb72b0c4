import Platform

/// Counts the attempts of each key in a minute; a key with too many has to wait, longer each time.
///
/// A lock that is in force is never forgotten. When there is no room for another key, the new ones are counted together.
final class RateLimiter: Sendable {
    /// What is counted of one key.
    private struct Count {
        var began: ContinuousClock.Instant
        var count = 0
        /// How long the next lock is.
        var lock: Duration
        var lockedUntil: ContinuousClock.Instant?
    }

    private struct State {
        var counts: [String: Count] = [:]
        /// When keys were forgotten last.
        var cleared: ContinuousClock.Instant?
    }

    private static let window = Duration.seconds(60)
    private static let firstLock = Duration.seconds(30)
    static let longestLock = Duration.seconds(15 * 60)
    /// The most keys.
    static let keyCountMax = 16_384
    /// How many times the limit all those have together for whom there is no room.
    private static let sharedFactor = 16
    /// Counts all for whom there is no room; no key is empty.
    private static let shared = ""

    private let limit: Int
    private let doubles: Bool
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state = Lock(State())

    /// Creates a limiter.
    ///
    /// - Parameters:
    ///   - limit: How often something may happen in a minute.
    ///   - doubles: Whether each further lock is twice as long, to 15 minutes; otherwise it ends with the minute.
    ///   - now: The clock.
    init(limit: Int, doubles: Bool, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.limit = limit
        self.doubles = doubles
        self.now = now
    }

    /// Counts once more.
    ///
    /// - Returns: nil if it may happen, else in how many seconds it may.
    func count(_ key: String) -> Int? {
        let now = now()
        return state.withLock { state in
            let key = Self.place(of: key, &state, at: now)
            var count = state.counts[key] ?? Count(began: now, lock: Self.firstLock)
            defer { state.counts[key] = count }
            if let until = count.lockedUntil {
                if now < until { return Self.seconds(from: now, to: until) }
                count.lockedUntil = nil
                (count.began, count.count) = (now, 0)
            }
            if count.began.duration(to: now) >= Self.window {
                // A quiet time as long as the longest lock makes good again.
                if count.began.duration(to: now) >= Self.longestLock { count.lock = Self.firstLock }
                (count.began, count.count) = (now, 0)
            }
            count.count += 1
            let isShared = key == Self.shared
            guard count.count > (isShared ? limit * Self.sharedFactor : limit) else { return nil }
            // Those who are counted together wait no longer than to the end of the minute.
            let doubles = doubles && !isShared
            let until = doubles ? now + count.lock : count.began + Self.window
            count.lockedUntil = until
            if doubles { count.lock = min(count.lock * 2, Self.longestLock) }
            return Self.seconds(from: now, to: until)
        }
    }

    /// Takes a count back: what happened was right, or did not happen.
    func forgive(_ key: String) {
        state.withLock { state in
            let key = state.counts[key] == nil ? Self.shared : key
            guard var count = state.counts[key], count.count > 0 else { return }
            count.count -= 1
            // A key of which nothing is left takes no room, so that attempts that are not looked at cannot fill it.
            let isEmpty = count.count == 0 && count.lock == Self.firstLock && count.lockedUntil == nil
            state.counts[key] = isEmpty ? nil : count
        }
    }

    /// The number of keys that are remembered.
    var keyCount: Int { state.withLock(\.counts.count) }

    /// The key itself if there is room for it.
    private static func place(of key: String, _ state: inout State, at now: ContinuousClock.Instant) -> String {
        if state.counts[key] != nil || state.counts.count < keyCountMax - 1 { return key }
        // Once a second: while all are in use, each look at all of them would be in vain.
        if state.cleared.map({ $0.duration(to: now) >= .seconds(1) }) ?? true {
            state.cleared = now
            // What was locked before is remembered longer, so that its next lock is not a short one.
            state.counts = state.counts.filter { _, count in
                if let until = count.lockedUntil, now < until { return true }
                return count.began.duration(to: now) < (count.lock > firstLock ? longestLock : window)
            }
        }
        return state.counts.count < keyCountMax - 1 ? key : shared
    }

    private static func seconds(from now: ContinuousClock.Instant, to end: ContinuousClock.Instant) -> Int {
        max(1, Int(now.duration(to: end).components.seconds) + 1)
    }
}

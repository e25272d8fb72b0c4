import Platform

/// Counts the attempts of each key in a minute; a key with too many has to wait, longer each time.
final class RateLimiter: Sendable {
    /// What is counted of one key.
    private struct Count {
        var began: ContinuousClock.Instant
        var count = 0
        /// How long the next lock is.
        var lock: Duration
        var lockedUntil: ContinuousClock.Instant?
    }

    private static let window = Duration.seconds(60)
    private static let firstLock = Duration.seconds(30)
    static let longestLock = Duration.seconds(15 * 60)
    /// The most keys; beyond it the idle ones are forgotten, then all.
    static let keyCountMax = 4096

    private let limit: Int
    private let doubles: Bool
    private let now: @Sendable () -> ContinuousClock.Instant
    private let counts = Lock<[String: Count]>([:])

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
        return counts.withLock { counts in
            if counts[key] == nil, counts.count >= Self.keyCountMax { Self.forget(&counts, at: now) }
            var count = counts[key] ?? Count(began: now, lock: Self.firstLock)
            defer { counts[key] = count }
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
            guard count.count > limit else { return nil }
            let until = doubles ? now + count.lock : count.began + Self.window
            count.lockedUntil = until
            if doubles { count.lock = min(count.lock * 2, Self.longestLock) }
            return Self.seconds(from: now, to: until)
        }
    }

    /// Takes a count back: what happened was right.
    func forgive(_ key: String) {
        counts.withLock { counts in
            guard let count = counts[key], count.count > 0 else { return }
            counts[key]?.count = count.count - 1
        }
    }

    /// The number of keys that are remembered.
    var keyCount: Int { counts.withLock(\.count) }

    private static func forget(_ counts: inout [String: Count], at now: ContinuousClock.Instant) {
        counts = counts.filter { $0.value.lockedUntil.map { now < $0 } ?? ($0.value.began.duration(to: now) < window) }
        if counts.count >= keyCountMax { counts = [:] }
    }

    private static func seconds(from now: ContinuousClock.Instant, to end: ContinuousClock.Instant) -> Int {
        max(1, Int(now.duration(to: end).components.seconds) + 1)
    }
}

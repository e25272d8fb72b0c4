import PoolModel

/// The attempts to deliver the notices of a key.
struct DeliveryAttempts: Sendable {
    /// The result of an attempt.
    enum Result: Equatable, Sendable {
        case delivered
        /// It may succeed later, but not before these seconds.
        case failed(retryAfterSeconds: Int)
        /// It will not succeed unless somebody changes something.
        case refused
        case denied
    }

    private struct Key: Hashable, Sendable {
        var notice: AlertNotice.ID
        var channel: AlertChannel
    }

    private struct Attempt: Sendable {
        var count = 0
        var isInProgress = false
        var retryAt: Int64?
    }

    /// The most attempts of a notice over a channel.
    private static let countMax = 8
    /// The longest pause between two attempts.
    private static let longestPauseMilliseconds: Int64 = 300_000
    /// The longest pause that a channel may ask for, in seconds.
    private static let longestWaitSeconds = 3600

    /// The attempts that are in progress or waiting.
    private var attempts: [Key: Attempt] = [:]
    /// The notices that were sent to a channel.
    private var sent: Set<AlertNotice.ID> = []

    /// Whether a notice was sent to a channel.
    func isSent(_ id: AlertNotice.ID) -> Bool { sent.contains(id) }

    /// Whether a notice is on its way over an open channel.
    func isInProgress(_ delivery: AlertDelivery) -> Bool {
        delivery.channelDeliveries.contains {
            $0.outcome == .open
                && attempts[Key(notice: delivery.notice.id, channel: $0.channel)]?.isInProgress == true
        }
    }

    /// Begins the attempts of a notice that are due.
    ///
    /// - Parameters:
    ///   - delivery: The notice.
    ///   - now: The time on the engine's clock.
    ///   - wakes: The times at which further attempts are due are added here.
    /// - Returns: The channels of these attempts.
    mutating func begin(_ delivery: AlertDelivery, at now: Int64, _ wakes: inout [Int64]) -> [AlertChannel] {
        var due: [AlertChannel] = []
        for channel in delivery.channelDeliveries where channel.outcome == .open {
            let key = Key(notice: delivery.notice.id, channel: channel.channel)
            var attempt = attempts[key] ?? Attempt()
            if attempt.isInProgress { continue }
            if let retryAt = attempt.retryAt, retryAt > now {
                wakes.append(retryAt)
                continue
            }
            attempt.isInProgress = true
            attempt.count += 1
            attempt.retryAt = nil
            attempts[key] = attempt
            due.append(channel.channel)
        }
        if !due.isEmpty { sent.insert(delivery.notice.id) }
        return due
    }

    /// An attempt ended; returns the outcome of the delivery, which stays open if there will be another attempt.
    mutating func end(
        _ id: AlertNotice.ID, over channel: AlertChannel, _ result: Result, at now: Int64
    ) -> AlertDelivery.Outcome {
        let key = Key(notice: id, channel: channel)
        var attempt = attempts[key] ?? Attempt()
        attempt.isInProgress = false
        defer { attempts[key] = attempt }
        switch result {
        case .delivered: return .delivered
        case .denied, .refused: return .abandoned
        case .failed where attempt.count >= Self.countMax: return .abandoned
        case .failed(let seconds):
            // The pauses are 5, 10, 20 … 300 s, or longer if the channel asks for it.
            let pause = min(5000 << Int64(max(0, attempt.count - 1)), Self.longestPauseMilliseconds)
            attempt.retryAt = now + max(pause, Int64(min(max(0, seconds), Self.longestWaitSeconds)) * 1000)
            return .open
        }
    }

    /// Forgets the notices that are not in the outbox any more.
    mutating func keepOnly(_ notices: Set<AlertNotice.ID>) {
        attempts = attempts.filter { notices.contains($0.key.notice) }
        sent.formIntersection(notices)
    }

    /// Forgets all attempts.
    mutating func removeAttempts() { attempts = [:] }
}

import MQTT

/// The samples on their way: nothing is lost and nothing counts twice, however often the connection breaks.
///
/// A sample is `waiting` until it is handed to a connection, then `in flight` until the broker confirms it. When the
/// connection ends, what was in flight waits again, in its old order and before everything younger.
struct ProbeOutbox {
    /// The most samples that are in flight or wait.
    let capacity: Int
    private var waiting: [ProbeSource.Sample] = []
    /// How many at the start of ``waiting`` were handed out already; they go once they are many.
    private var consumed = 0
    private var inFlight: [PacketIdentifier: ProbeSource.Sample] = [:]
    /// The samples that were handed to a connection at least once.
    private(set) var publishedCount = 0
    /// The samples that the broker confirmed.
    private(set) var acknowledgedCount = 0
    /// How often a sample was handed out once more.
    private(set) var repeatedCount = 0
    /// The samples that the broker refused; they are not tried again.
    private(set) var refusedCount = 0
    private var highestPublished = -1

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// The samples that wait or are in flight.
    var unacknowledgedCount: Int { waiting.count - consumed + inFlight.count }

    /// Whether another sample may be added.
    var hasRoom: Bool { unacknowledgedCount < capacity }

    /// The sample to hand to the connection next, nil if none waits.
    var next: ProbeSource.Sample? { consumed < waiting.count ? waiting[consumed] : nil }

    /// Adds a sample behind all others.
    mutating func add(_ sample: ProbeSource.Sample) {
        precondition(hasRoom, "the outbox is full with \(capacity) samples")
        waiting.append(sample)
    }

    /// The connection took ``next`` under this number.
    mutating func handedOver(as identifier: PacketIdentifier) {
        guard let sample = next else { preconditionFailure("a connection took a sample that was not there") }
        consumed += 1
        if consumed > 1024 {
            waiting.removeFirst(consumed)
            consumed = 0
        }
        inFlight[identifier] = sample
        if sample.number > highestPublished {
            highestPublished = sample.number
            publishedCount += 1
        } else {
            repeatedCount += 1
        }
    }

    /// The broker answered; a number that is not known is one of an earlier connection.
    mutating func answered(_ identifier: PacketIdentifier, isAccepted: Bool) {
        guard inFlight.removeValue(forKey: identifier) != nil else { return }
        if isAccepted {
            acknowledgedCount += 1
        } else {
            refusedCount += 1
        }
    }

    /// The connection ended: what it did not bring to its end waits again.
    mutating func connectionEnded() {
        let lost = inFlight.values.sorted { $0.number < $1.number }
        inFlight = [:]
        waiting = lost + waiting[consumed...]
        consumed = 0
    }
}

import Commands
import MQTT

/// The samples on their way: none is lost and none counts twice, however often the connection breaks.
///
/// A sample is `waiting` until it is passed to a connection, then `in flight` until the broker confirms it. When the
/// connection ends, samples in flight wait again, in their old order and before all later ones.
struct ProbeOutbox {
    /// The most samples that may wait or be in flight.
    let capacity: Int
    private var waiting: [ProbeSource.Sample] = []
    /// How many at the start of ``waiting`` were passed on already; they are removed when they are many.
    private var consumed = 0
    private var inFlight: [PacketIdentifier: ProbeSource.Sample] = [:]
    /// The samples that were passed to a connection at least once.
    private(set) var publishedCount = 0
    /// The samples that the broker confirmed.
    private(set) var acknowledgedCount = 0
    /// How often a sample was passed on again.
    private(set) var repeatedCount = 0
    /// The samples that the broker refused; they are not tried again.
    private(set) var refusedCount = 0
    private var highestPublished = -1

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// The samples that wait or are in flight.
    var unacknowledgedCount: Int { waiting.count - consumed + inFlight.count }

    /// Whether another sample can be added.
    var hasRoom: Bool { unacknowledgedCount < capacity }

    /// The next sample for the connection; nil if none waits.
    var next: ProbeSource.Sample? { consumed < waiting.count ? waiting[consumed] : nil }

    /// Adds a sample after all others.
    mutating func add(_ sample: ProbeSource.Sample) {
        precondition(hasRoom, "the outbox is full with \(capacity) samples")
        waiting.append(sample)
    }

    /// Notes that the connection accepted ``next`` under this packet identifier.
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

    /// Notes an answer of the broker; an unknown packet identifier belongs to an earlier connection.
    mutating func answered(_ identifier: PacketIdentifier, isAccepted: Bool) {
        guard inFlight.removeValue(forKey: identifier) != nil else { return }
        if isAccepted {
            acknowledgedCount += 1
        } else {
            refusedCount += 1
        }
    }

    /// Notes that the connection ended: its unconfirmed samples wait again.
    mutating func connectionEnded() {
        let lost = inFlight.values.sorted { $0.number < $1.number }
        inFlight = [:]
        waiting = lost + waiting[consumed...]
        consumed = 0
    }
}

import CommandSupport
import MQTT
import PoolModel
import WaterChemistry

/// What a probe publishes, and when.
struct ProbePlan: Sendable {
    /// The topics, one for each device.
    var topics: [TopicName]
    /// The samples a second of each device.
    var rate: Double
    /// The seed of the first device; those of the others follow.
    var seed: UInt64
    var profile: ProbeProfile
    var format: ProbeFormat
    var isRetained: Bool
    var qualityOfService: QualityOfService
    /// The simulated time of the first sample.
    var start: Timestamp
    /// The simulated seconds in one second.
    var speed: Double
    /// The total number of samples to publish; nil for no end.
    var count: Int?
    /// When the acid doser of the first device runs empty, from the start of the probe; nil if it never does.
    var acidRunsOut: Duration?

    /// The slot of a sample: its device, when it is due, and its simulated time.
    struct Slot: Equatable, Sendable {
        var device: Int
        /// The time from the start of the probe to the sample.
        var due: Duration
        /// The simulated time of the pool.
        var moment: Timestamp
    }

    /// The pH of a device while its acid doser is empty: it rises in some seconds to ``emptyDoserPH``, stays there for
    /// three minutes, and returns.
    func ph(_ ph: Double, of slot: Slot) -> Double {
        guard let acidRunsOut, slot.device == 0, slot.due > acidRunsOut else { return ph }
        let seconds = (slot.due - acidRunsOut).seconds
        let share = min(1, seconds / 12, max(0, (200 - seconds) / 12))
        return ((ph + share * max(0, Self.emptyDoserPH - ph)) * 100).rounded() / 100
    }

    /// Above the standard limit, but not critical.
    private static let emptyDoserPH = 7.85

    /// The slot of the sample with this number, counted from 0.
    ///
    /// The devices publish in turn at equal intervals, so that no two samples of a device have the same millisecond.
    func slot(_ number: Int) -> Slot {
        let (round, device) = number.quotientAndRemainder(dividingBy: topics.count)
        let turn = Double(round) + Double(device) / Double(topics.count)
        let seconds = turn / rate
        return Slot(
            device: device, due: .nanoseconds(Int64(seconds * 1e9)),
            moment: start.advanced(byMilliseconds: Int64(seconds * speed * 1000)))
    }

    /// The topics of numbered devices.
    ///
    /// - Throws: `MQTTError` if a topic cannot begin with the prefix.
    static func topics(prefix: String, count: Int) throws -> [TopicName] {
        try (1...count).map { try TopicName("\(prefix)/\($0)") }
    }
}

/// Makes the samples of a plan, one after the other.
struct ProbeSource {
    /// One sample, ready to be published.
    struct Sample: Equatable, Sendable {
        /// The number among the samples that were published, from 0.
        var number: Int
        var topic: TopicName
        var payload: [UInt8]
    }

    private let plan: ProbePlan
    private var pools: [SimulatedPool]
    private var slotNumber = 0
    /// The number of samples that were taken.
    private(set) var takenCount = 0
    /// The samples that were left out: the probes were silent then, as real ones sometimes are.
    private(set) var silentCount = 0

    init(_ plan: ProbePlan) {
        self.plan = plan
        pools = plan.topics.indices.map { device in
            SimulatedPool(seed: plan.seed &+ UInt64(device), profile: plan.profile.pool)
        }
    }

    /// Whether all samples of the plan were taken.
    var isExhausted: Bool { plan.count.map { takenCount >= $0 } ?? false }

    /// When the next sample is due; nil after the last.
    var nextDue: Duration? { isExhausted ? nil : plan.slot(slotNumber).due }

    /// Takes the next sample that is due by a time; nil if none is.
    mutating func take(elapsed: Duration) -> Sample? {
        while !isExhausted {
            let slot = plan.slot(slotNumber)
            guard slot.due <= elapsed else { return nil }
            slotNumber += 1
            // After a start a person wants to see values, so the first minutes have no silent phase.
            let isNew = slot.moment < plan.start.advanced(byMilliseconds: SimulatedPool.outageMilliseconds)
            guard var values = pools[slot.device].sample(at: slot.moment, isSteady: isNew) else {
                silentCount += 1
                continue
            }
            values[.ph] = values[.ph].map { plan.ph($0, of: slot) }
            let payload =
                switch plan.format {
                case .json: ProbePayload.json(values, at: slot.moment)
                case .text: ProbePayload.text(values)
                }
            defer { takenCount += 1 }
            return Sample(number: takenCount, topic: plan.topics[slot.device], payload: payload)
        }
        return nil
    }
}

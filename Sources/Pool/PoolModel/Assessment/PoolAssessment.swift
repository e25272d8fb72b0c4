/// What a household wants to know of a pool first, such as "You can swim.": one finding, said in one sentence.
///
/// It is the worst that is true, in the order of ``Finding``. A page, a face and a line for people begin with it; the
/// word of one device is its ``Headline``.
public struct PoolAssessment: Codable, Hashable, Sendable {
    /// A value in a finding.
    public struct Reading: Codable, Hashable, Sendable {
        /// The quantity.
        public var quantity: Quantity
        /// The value in the quantity's unit.
        public var value: Double
        /// The limit that it exceeds; nil within the limits.
        public var deviation: Limits.Deviation?

        /// Creates a value.
        public init(_ quantity: Quantity, _ value: Double, _ deviation: Limits.Deviation? = nil) {
            self.quantity = quantity
            self.value = value
            self.deviation = deviation
        }
    }

    /// What is true of a pool, from the worst on.
    public enum Finding: Codable, Hashable, Sendable {
        /// Fresh values are critical, or were and are not safe again yet.
        case critical([Reading], isPassing: Bool)
        /// An alert is critical that is not listed.
        case unlistedAlert(AlertSeverity)
        /// A value that is not fresh was critical; its age in seconds, nil if unknown.
        case wasCritical(Reading, seconds: Int?)
        /// Add this, then measure.
        case add(Advice.Portion)
        /// A value is out of its range, but a product still acts, for so many seconds.
        case letAct(DoseProduct, seconds: Int)
        /// Fresh values are out of their ranges.
        case outOfRange([Reading])
        /// A probe gives impossible values; nil if its messages cannot be read.
        case faulty(Quantity?)
        /// The probes disagree.
        case disagreement(Quantity)
        /// The newest value is far from those before it.
        case unsettled(Quantity)
        /// The watch has no link to the hub.
        case noLink(LinkState)
        /// The hub does not answer.
        case noHub
        /// No device is known.
        case noDevice
        /// No reading ever came.
        case noReading
        /// The age of all readings is unknown.
        case ageUnknown
        /// All probes have been silent for so many seconds.
        case silent(seconds: Int, probes: Int)
        /// The newest value of a quantity is old; its age in seconds, nil if unknown.
        case old(Quantity, seconds: Int?)
        /// No usable value of a quantity ever came.
        case noValue(Quantity)
        /// An alert is open that is not about a value.
        case alert(AlertState.Alert)
        /// A value is back in its range, but its alert is not over yet.
        case recovering(Reading)
        /// Nothing measures these quantities, without which nobody can say whether the water is good.
        case notMeasured([Quantity])
        /// A product was added that acts for so many seconds.
        case dosed(DoseProduct, seconds: Int)
        /// Everything is good, but whether a product was added is not known.
        case dosesUnknown
        /// Everything is good; a value that is no reason not to swim, such as cold water, or nil.
        case swim(Reading?)
    }

    /// The name of the pool, or of the device if it is in none; empty if there is neither.
    public var name: String
    /// The pool; nil for a device without a pool.
    public var poolID: PoolID?
    /// The device, if it is in no pool.
    public var deviceID: DeviceID?
    /// The finding.
    public var finding: Finding

    /// Creates an assessment.
    public init(name: String, poolID: PoolID? = nil, deviceID: DeviceID? = nil, _ finding: Finding) {
        self.name = name
        self.poolID = poolID
        self.deviceID = deviceID
        self.finding = finding
    }

    /// The worst of some assessments, the first one of equals; nil without any.
    ///
    /// A device that never reported anything says nothing about the others, and is left out where there are others.
    public static func worst(of assessments: [PoolAssessment]) -> PoolAssessment? {
        let heard = assessments.filter { $0.finding != .noReading }
        // `min` returns the first of equals.
        return (heard.isEmpty ? assessments : heard).min { $0.finding.facts.rank < $1.finding.facts.rank }
    }

    /// The word for programs: `swim`, `do-not-swim`, `add`, `wait`, `check` or `unknown`.
    public var label: String { finding.facts.label.rawValue }

    /// The severity, for signs and colours: normal only if people can swim, offline if nothing is known.
    public var status: Status { finding.facts.label.status }

    /// Whether it tells what was.
    package var isFormer: Bool { if case .wasCritical = finding { true } else { false } }

    /// The words for programs.
    enum Label: String, CaseIterable {
        case swim
        case doNotSwim = "do-not-swim"
        case add
        case wait
        case check
        case unknown

        var status: Status {
            switch self {
            case .swim: .normal
            case .doNotSwim: .critical
            case .add, .wait, .check: .warning
            case .unknown: .offline
            }
        }
    }
}

extension PoolAssessment.Finding {
    /// Its place in the order, the worst first, and its word for programs.
    var facts: (rank: Int, label: PoolAssessment.Label) {
        switch self {
        case .critical: (0, .doNotSwim)
        case .unlistedAlert(.critical): (1, .doNotSwim)
        case .wasCritical: (2, .doNotSwim)
        case .noLink, .noHub: (3, .unknown)
        case .noDevice, .noReading, .ageUnknown, .silent: (4, .unknown)
        case .faulty: (5, .check)
        case .disagreement: (6, .check)
        case .unsettled: (7, .check)
        case .add: (8, .add)
        case .letAct: (9, .wait)
        case .outOfRange: (10, .check)
        case .old, .noValue: (11, .unknown)
        case .unlistedAlert(.warning), .alert: (12, .check)
        case .recovering: (13, .wait)
        case .notMeasured: (14, .unknown)
        case .dosed: (15, .wait)
        case .dosesUnknown: (16, .unknown)
        case .swim: (17, .swim)
        }
    }
}

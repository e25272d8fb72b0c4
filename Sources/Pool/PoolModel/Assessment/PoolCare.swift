/// The value of the register ``RegisterKey/pool(_:)``.
public struct PoolCareReport: Codable, Hashable, Sendable {
    /// What the hub knows of the pool; nil if it could not find out.
    public var care: PoolCare?

    /// Creates a report.
    public init(care: PoolCare?) { self.care = care }
}

/// What a hub knows of a pool besides the newest values: the dose that acts, the dose to add, and what makes values
/// doubtful.
///
/// A ``PoolAssessment`` needs it. The hub makes it from its history, and sends it to the watches, which have none.
public struct PoolCare: Codable, Hashable, Sendable {
    /// A product that was added.
    public struct Acting: Codable, Hashable, Sendable {
        /// What was added.
        public var product: DoseProduct
        /// Until when it acts, by the hub's clock.
        public var until: Timestamp

        /// Creates it.
        public init(_ product: DoseProduct, until: Timestamp) {
            self.product = product
            self.until = until
        }
    }

    /// Why a value is doubtful.
    public enum Doubt: String, Codable, Hashable, Sendable {
        /// The devices of the pool disagree.
        case disagreement
        /// The newest value is far from those before it.
        case unsettled
        /// The newest value is one that water, or a working probe, cannot have.
        case faulty
    }

    /// The pool.
    public var poolID: PoolID
    /// The dose that acts the longest, whose time may be over; nil if none acts.
    public var acting: Acting?
    /// What the advice says to add first; nil if it says to add nothing, or gives no advice.
    public var portion: Advice.Portion?
    /// The values that advice refuses to use although they are recent.
    public var doubts: QuantityMap<Doubt>

    /// Creates it; by default nothing acts, nothing is to be added, and nothing is doubtful.
    public init(
        poolID: PoolID, acting: Acting? = nil, portion: Advice.Portion? = nil, doubts: QuantityMap<Doubt> = [:]
    ) {
        self.poolID = poolID
        self.acting = acting
        self.portion = portion
        self.doubts = doubts
    }

    /// What advice and doses say.
    ///
    /// The portion is of the product that was added last, if the advice has one of it: people have it at hand.
    ///
    /// - Parameters:
    ///   - advice: The advice for the pool.
    ///   - doses: The doses of the pool, in any order.
    public init(_ advice: Advice, doses: [Dose]) {
        self.init(poolID: advice.poolID)
        let ends = doses.map { dose in
            Acting(
                dose.product,
                until: dose.actsUntil(on: dose.product.quantity ?? .ph, turnoverHours: advice.numbers.turnoverHours))
        }
        acting = ends.filter { $0.until > advice.at }.max { $0.until < $1.until }
        let known = doses.sorted { $0.at > $1.at }.map(\.product)
        for step in advice.steps {
            switch step.outcome {
            case .dose(let portions):
                let used = known.lazy.compactMap { product in portions.choices.first { $0.product == product } }.first
                portion = portion ?? used ?? portions.choices.first
            case .refused(.disagreement(let quantity, _, _, _, _, _)): doubts[quantity] = .disagreement
            case .refused(.unsettled(let quantity, _, _)): doubts[quantity] = .unsettled
            case .refused(.quarantined(let quantity)): doubts[quantity] = .faulty
            case .refused, .nothing, .wait: break
            }
        }
    }

    /// The dose that acts at a time; nil if none does.
    func acting(at now: Timestamp) -> Acting? { acting.flatMap { $0.until > now ? $0 : nil } }
}

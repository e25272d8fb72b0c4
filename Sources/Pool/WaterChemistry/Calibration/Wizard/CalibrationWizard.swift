public import PoolModel

/// The conversation in which a person calibrates one quantity of one device.
///
///     method → (pH: temperature of the buffers) → reference → measured ⟲ → more? → review → done
///            → manual: slope → offset ──────────────────────────────────────→ review
///
/// It is a value and knows no clock: the same answers and readings give the same prompts. Going back forgets the step
/// that is gone back to, and cancelling changes nothing anywhere.
public struct CalibrationWizard: Hashable, Sendable {
    /// Where the conversation stands.
    public enum Step: Hashable, Sendable {
        /// The state while the method is asked.
        case method
        /// The state while the temperature of the buffers is asked.
        case bufferTemperature
        /// The state while the value of a reference is asked; points count from 0.
        case reference(point: Int)
        /// The state while the probe is in that reference.
        case measured(point: Int)
        /// The state while it is asked whether another comparison follows.
        case more
        /// The state while a slope is asked.
        case slope
        /// The state while an offset is asked.
        case offset
        /// The state while the outcome is shown and not yet saved.
        case review
        /// The state after the outcome was accepted.
        case done
        /// The state after the person left.
        case cancelled
    }

    /// The quantity.
    public let quantity: Quantity
    /// The language of the prompts.
    public let language: GuideLanguage
    /// Where it stands.
    public internal(set) var step: Step
    /// The method, once it is known.
    public internal(set) var method: Calibration.Method?
    /// The raw values that the device sends.
    public internal(set) var live: StableReading
    /// The outcome, once it was accepted; it begins when it was accepted.
    public internal(set) var result: CalibrationResult?

    let author: String
    let current: Calibration?
    let firstStep: Step
    var celsius = 25.0
    var references: [Double] = []
    var measured: [Double] = []
    var slope = 1.0
    var offset = 0.0

    /// A live value that is older than this, in milliseconds, cannot be taken.
    static let readingAgeMax: Int64 = 15 * 60_000

    /// Starts a conversation.
    /// - Parameters:
    ///   - quantity: What is calibrated.
    ///   - method: How; nil to ask.
    ///   - language: The language.
    ///   - author: Who does it.
    ///   - current: The calibration in force, for the comparison of before and after.
    ///   - stableCount: How many raw values have to agree before they can be taken.
    public init(
        quantity: Quantity, method: Calibration.Method? = nil, language: GuideLanguage, author: String,
        current: Calibration? = nil, stableCount: Int = 5
    ) {
        self.quantity = quantity
        self.language = language
        self.author = author
        self.current = current
        live = StableReading(of: quantity, countNeeded: stableCount)
        let usable = method.flatMap { Calibration.Method.usual(for: quantity).contains($0) ? $0 : nil }
        self.method = usable
        firstStep = usable.map { Self.start(of: $0, quantity) } ?? .method
        step = firstStep
    }

    /// Whether the conversation is over.
    public var isOver: Bool { step == .done || step == .cancelled }

    /// Takes a raw value of the device, uncorrected; at any time, also between prompts.
    public mutating func receive(raw: Double, sampledAt moment: Timestamp) {
        live.receive(raw, sampledAt: moment)
    }

    /// Takes what a person typed; empty stands for the prompt's suggestion.
    /// - Parameters:
    ///   - text: The text; decimals with a point or a comma.
    ///   - moment: Now, by the clock that stamps the readings.
    /// - Returns: Whether it was taken.
    public mutating func answer(_ text: String, at moment: Timestamp) -> CalibrationReply {
        let typed = text.trimmedOfBlanks
        guard !isOver else {
            return .refused(language.pick("The calibration is over.", "L'étalonnage est terminé."))
        }
        switch CalibrationWord(typed) {
        case .cancel:
            cancel()
            return .accepted
        case .back:
            guard back() else {
                return .refused(language.pick("This is the first step.", "C'est la première étape."))
            }
            return .accepted
        case let word: return take(typed, word, at: moment)
        }
    }

    /// Leaves the conversation; nothing is calibrated.
    public mutating func cancel() {
        guard step != .done else { return }
        step = .cancelled
    }

    /// Goes one step back and forgets what was answered there.
    /// - Returns: Whether there was a step to go back to.
    @discardableResult
    public mutating func back() -> Bool {
        guard !isOver, step != firstStep, let previous else { return false }
        step = previous
        switch step {
        case .reference(let point):
            references.removeSubrange(point...)
            measured.removeSubrange(min(point, measured.count)...)
        case .measured(let point):
            measured.removeSubrange(point...)
            live.restart()
        case .method, .bufferTemperature, .more, .slope, .offset, .review, .done, .cancelled: break
        }
        return true
    }

    private var previous: Step? {
        switch step {
        case .method, .done, .cancelled: nil
        case .bufferTemperature, .slope: .method
        case .reference(0): quantity == .ph ? .bufferTemperature : .method
        case .reference: .measured(point: references.count - 1)
        case .measured(let point): .reference(point: point)
        case .more: .measured(point: measured.count - 1)
        case .offset: .slope
        case .review: method == .manual ? .offset : .measured(point: measured.count - 1)
        }
    }

    static func start(of method: Calibration.Method, _ quantity: Quantity) -> Step {
        switch method {
        case .manual: .slope
        case .zeroPoint, .twoPoint, .regression, .scale: quantity == .ph ? .bufferTemperature : .reference(point: 0)
        }
    }
}

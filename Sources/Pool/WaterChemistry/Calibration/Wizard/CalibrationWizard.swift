public import PoolModel

/// The dialog in which a person calibrates one quantity of one device.
///
///     method → (pH: temperature of the buffers) → reference → measured ⟲ → more? → review → done
///            → manual: slope → offset ──────────────────────────────────────→ review
///
/// It is a value without a clock: the same answers and readings give the same prompts. Going back discards the
/// answers of that step, and cancelling changes nothing.
public struct CalibrationWizard: Hashable, Sendable {
    /// The present step of the dialog.
    public enum Step: Hashable, Sendable {
        /// The step that asks for the method.
        case method
        /// The step that asks for the temperature of the buffers.
        case bufferTemperature
        /// The step that asks for the value of a reference; points count from 0.
        case reference(point: Int)
        /// The step in which the probe is in that reference.
        case measured(point: Int)
        /// The step that asks whether another comparison follows.
        case more
        /// The step that asks for a slope.
        case slope
        /// The step that asks for an offset.
        case offset
        /// The step that shows the result before it is saved.
        case review
        /// The state after the result was accepted.
        case done
        /// The state after the person cancelled.
        case cancelled
    }

    /// The quantity.
    public let quantity: Quantity
    /// The language of the prompts.
    public let language: GuideLanguage
    /// The present step.
    public internal(set) var step: Step
    /// The method, once it is known.
    public internal(set) var method: Calibration.Method?
    /// The raw values from the device.
    public internal(set) var live: StableReading
    /// The result, once it was accepted; it is valid from that time on.
    public internal(set) var result: CalibrationResult?

    let author: String
    let current: Calibration?
    let firstStep: Step
    var celsius = 25.0
    var references: [Double] = []
    var measured: [Double] = []
    var slope = 1.0
    var offset = 0.0

    /// The age in milliseconds above which a live value is not accepted.
    static let readingAgeMax: Int64 = 15 * 60_000

    /// Starts a dialog.
    ///
    /// - Parameters:
    ///   - quantity: The quantity.
    ///   - method: The method; nil to ask for it.
    ///   - language: The language.
    ///   - author: The author.
    ///   - current: The calibration in force, for comparing before and after.
    ///   - stableCount: The number of raw values that have to agree before they are accepted.
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

    /// Whether the dialog is over.
    public var isOver: Bool { step == .done || step == .cancelled }

    /// Handles an uncorrected value of the device; may be called at any time, also between prompts.
    public mutating func receive(raw: Double, sampledAt moment: Timestamp) {
        live.receive(raw, sampledAt: moment)
    }

    /// Handles a person's input; an empty text means the prompt's suggestion.
    ///
    /// - Parameters:
    ///   - text: The text; decimals with a point or a comma.
    ///   - moment: Now, on the same clock as the readings.
    /// - Returns: Whether it was accepted.
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

    /// Cancels the dialog; nothing is calibrated.
    public mutating func cancel() {
        guard step != .done else { return }
        step = .cancelled
    }

    /// Goes one step back, and discards what was answered there.
    ///
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

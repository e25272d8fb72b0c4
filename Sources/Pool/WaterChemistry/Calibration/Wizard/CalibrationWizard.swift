public import PoolModel

/// The dialog in which a person calibrates one quantity of one device.
///
///     method → (buffers: their temperature) → reference → measured ⟲ → more? → review → done
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
    public let language: TextLanguage
    /// The present step.
    public private(set) var step: Step
    /// The method, once it is known.
    public private(set) var method: Calibration.Method?
    /// The raw values from the device.
    public private(set) var live: StableReading
    /// The result, once it was accepted; it is valid from that time on.
    public private(set) var result: CalibrationResult?

    /// The calibration in force.
    let current: Calibration?
    /// The first step of this dialog.
    let firstStep: Step
    /// The temperature of the buffers.
    private(set) var celsius = 25.0
    /// The values of the references so far.
    private(set) var references: [Double] = []
    /// The measured values so far.
    private(set) var measured: [Double] = []
    private let author: String
    private var slope = 1.0
    private var offset = 0.0

    /// The age in milliseconds above which a live value is not accepted.
    private static let readingAgeMax: Int64 = 15 * 60_000

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
        quantity: Quantity, method: Calibration.Method? = nil, language: TextLanguage, author: String,
        current: Calibration? = nil, stableCount: Int = 5
    ) {
        self.quantity = quantity
        self.language = language
        self.author = author
        self.current = current
        live = StableReading(of: quantity, countNeeded: stableCount)
        let usable = method.flatMap { quantity.facts.calibrationMethods.contains($0) ? $0 : nil }
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
        case .reference(0): quantity.facts.calibrationGuide.usesBuffers ? .bufferTemperature : .method
        case .reference: .measured(point: references.count - 1)
        case .measured(let point): .reference(point: point)
        case .more: .measured(point: measured.count - 1)
        case .offset: .slope
        case .review: method == .manual ? .offset : .measured(point: measured.count - 1)
        }
    }

    private var numbers: TypedNumberReader { TypedNumberReader(language: language) }

    private static func start(of method: Calibration.Method, _ quantity: Quantity) -> Step {
        switch method {
        case .manual: .slope
        case .zeroPoint, .twoPoint, .regression, .scale:
            quantity.facts.calibrationGuide.usesBuffers ? .bufferTemperature : .reference(point: 0)
        }
    }

    /// The device's value that can be accepted now: stable, and not too old.
    func takeableValue(at moment: Timestamp) -> Double? {
        guard let newest = live.latestAt, moment.milliseconds(since: newest) <= Self.readingAgeMax else { return nil }
        return live.stableValue
    }

    /// Why the device's value cannot be accepted now.
    func notStable(at moment: Timestamp) -> String {
        if live.stableValue != nil {
            return language.pick(
                "The device's last value is more than 15 minutes old: wait for a new one, or type what it shows.",
                "La dernière valeur de l'appareil a plus de 15 minutes : attendez, ou tapez ce qu'il affiche.")
        }
        return language.pick(
            "The device's value is not stable yet (\(live.count) of \(live.countNeeded)): wait, or type what "
                + "it shows.",
            "La valeur de l'appareil n'est pas encore stable (\(live.count) sur \(live.countNeeded)) : attendez, ou "
                + "tapez ce qu'il affiche.")
    }
}

extension CalibrationWizard {
    /// Handles an answer at the present step.
    private mutating func take(
        _ typed: Substring, _ word: CalibrationWord?, at moment: Timestamp
    ) -> CalibrationReply {
        switch step {
        case .method: takeMethod(typed)
        case .bufferTemperature: takeBufferTemperature(typed)
        case .reference: takeReference(typed)
        case .measured: takeMeasured(typed, word, at: moment)
        case .more: takeMore(word, isEmpty: typed.isEmpty)
        case .slope: takeSlope(typed)
        case .offset: takeOffset(typed)
        case .review: takeReview(word, at: moment)
        case .done, .cancelled: .refused("")
        }
    }

    /// The completed comparisons.
    private var points: [Calibration.Point] {
        zip(measured, references).map { Calibration.Point(measured: $0, reference: $1) }
    }

    /// The result of the answers, valid from a given time.
    func outcome(at moment: Timestamp, isForced: Bool) throws(CalibrationError) -> CalibrationResult {
        guard let method, method != .manual else {
            return try Calibration.entered(
                slope: slope, offset: offset, for: quantity, validFrom: moment, madeAt: moment, author: author,
                isForced: isForced)
        }
        return try Calibration.computed(
            method, from: points, for: quantity, validFrom: moment, madeAt: moment, author: author,
            isForced: isForced)
    }

    private mutating func takeMethod(_ typed: Substring) -> CalibrationReply {
        let usual = quantity.facts.calibrationMethods
        let index = typed.isEmpty ? 1 : Int(typed)
        let named = usual.first { $0.rawValue.lowercased() == typed.lowercased() }
        let numbered = index.flatMap { usual.indices.contains($0 - 1) ? usual[$0 - 1] : nil }
        guard let chosen = named ?? numbered else {
            return .refused(
                language.pick("Type a number from 1 to \(usual.count).", "Tapez un nombre de 1 à \(usual.count)."))
        }
        method = chosen
        references = []
        measured = []
        step = Self.start(of: chosen, quantity)
        return .accepted
    }

    private mutating func takeBufferTemperature(_ typed: Substring) -> CalibrationReply {
        switch numbers.value(typed, of: .temperature, suggestion: 25) {
        case .refusal(let reason): return .refused(reason)
        case .number(let value):
            guard (0...50).contains(value) else {
                return .refused(
                    language.pick(
                        "Buffers are used from 0 to 50 °C: let them come nearer to 25 °C.",
                        "Les tampons s'utilisent de 0 à 50 °C : ramenez-les vers 25 °C."))
            }
            celsius = value
            step = .reference(point: 0)
            return .accepted
        }
    }

    private mutating func takeReference(_ typed: Substring) -> CalibrationReply {
        switch numbers.value(typed, of: quantity, suggestion: suggestedReference) {
        case .refusal(let reason): return .refused(reason)
        case .number(let value):
            if let reason = implausible(value) { return .refused(reason) }
            references.append(value)
            // Values from before the probe was in this solution do not count.
            live.restart()
            step = .measured(point: references.count - 1)
            return .accepted
        }
    }

    private mutating func takeMeasured(
        _ typed: Substring, _ word: CalibrationWord?, at moment: Timestamp
    ) -> CalibrationReply {
        if typed.isEmpty || word == .take {
            guard let stable = takeableValue(at: moment) else { return .refused(notStable(at: moment)) }
            return measure(stable)
        }
        switch numbers.value(typed, of: quantity, suggestion: nil) {
        case .refusal(let reason): return .refused(reason)
        case .number(let value): return measure(value)
        }
    }

    private mutating func measure(_ value: Double) -> CalibrationReply {
        if let reason = implausible(value) { return .refused(reason) }
        // Reported at once, because the probe is still in the solution: two points cannot have the same measured
        // value.
        if method == .twoPoint, measured.first == value {
            return .refused(CalibrationError.measuredEqual(quantity, value).sentence(in: language))
        }
        measured.append(value)
        let counts = method?.pointCounts ?? 0...0
        if measured.count < counts.lowerBound {
            step = .reference(point: measured.count)
        } else {
            step = measured.count < counts.upperBound ? .more : .review
        }
        return .accepted
    }

    private mutating func takeMore(_ word: CalibrationWord?, isEmpty: Bool) -> CalibrationReply {
        switch word {
        case .yes: step = .reference(point: measured.count)
        case .no: step = .review
        case .back, .cancel, .take, .force, nil:
            guard isEmpty else { return .refused(language.pick("Type yes or no.", "Tapez oui ou non.")) }
            step = .review
        }
        return .accepted
    }

    private mutating func takeSlope(_ typed: Substring) -> CalibrationReply {
        switch numbers.plainNumber(typed, suggestion: current?.slope ?? 1) {
        case .refusal(let reason): return .refused(reason)
        case .number(let value):
            guard value > 0 else { return .refused(CalibrationError.slopeNotPositive(value).sentence(in: language)) }
            slope = value
            step = .offset
            return .accepted
        }
    }

    private mutating func takeOffset(_ typed: Substring) -> CalibrationReply {
        switch numbers.plainNumber(typed, suggestion: current?.offset ?? 0) {
        case .refusal(let reason): return .refused(reason)
        case .number(let value):
            offset = value
            step = .review
            return .accepted
        }
    }

    private mutating func takeReview(_ word: CalibrationWord?, at moment: Timestamp) -> CalibrationReply {
        switch word {
        case .yes, .force:
            do throws(CalibrationError) {
                result = try outcome(at: moment, isForced: word == .force)
                step = .done
                return .accepted
            } catch {
                return .refused(error.sentence(in: language))
            }
        case .no:
            cancel()
            return .accepted
        case .back, .cancel, .take, nil:
            return .refused(language.pick("Type yes, no or back.", "Tapez oui, non ou retour."))
        }
    }

    private func implausible(_ value: Double) -> String? {
        guard !quantity.plausibleRange.contains(value) else { return nil }
        return CalibrationError.implausible(quantity, value).sentence(in: language)
    }
}

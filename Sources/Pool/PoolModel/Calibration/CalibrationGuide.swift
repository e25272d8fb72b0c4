/// How a person compares a probe with references.
package struct CalibrationGuide: Hashable, Sendable {
    /// A value that is known before the comparison.
    enum Reference: Hashable, Sendable {
        case value(Double)
        /// The value of a buffer at its temperature.
        case buffer(CalibrationBuffer)
    }

    /// The comparisons of a method.
    struct Course: Hashable, Sendable {
        /// How to prepare each comparison; the last text is that of all further ones.
        let preparations: [QuantityFacts.Words]
        /// The usual references; without one only a measurement can determine the value.
        let references: [Reference]

        init(_ preparations: QuantityFacts.Words..., references: [Reference] = []) {
            self.preparations = preparations
            self.references = references
        }
    }

    private let usual: Course
    private let others: [Calibration.Method: Course]
    /// How to measure.
    package let measuring: QuantityFacts.Words

    /// Creates a guide.
    ///
    /// - Parameters:
    ///   - usual: The comparisons of all methods without comparisons of their own.
    ///   - others: The comparisons of some methods.
    ///   - measuring: How to measure.
    init(_ usual: Course, others: [Calibration.Method: Course] = [:], measuring: QuantityFacts.Words) {
        self.usual = usual
        self.others = others
        self.measuring = measuring
    }

    /// Whether some reference depends on the temperature of a buffer.
    package var usesBuffers: Bool {
        ([usual] + others.values).contains { course in
            course.references.contains { if case .buffer = $0 { true } else { false } }
        }
    }

    /// How to prepare a comparison; points count from 0.
    package func preparation(of point: Int, by method: Calibration.Method) -> QuantityFacts.Words {
        let texts = course(method).preparations
        return texts[min(point, texts.count - 1)]
    }

    /// The usual reference of a comparison; nil if only a measurement can determine it.
    ///
    /// For a buffer it is the value at this temperature in °C, if the temperature is in the buffer's table.
    package func reference(of point: Int, by method: Calibration.Method, celsius: Double) -> Double? {
        let references = course(method).references
        guard references.indices.contains(point) else { return nil }
        switch references[point] {
        case .value(let value): return value
        case .buffer(let buffer):
            let value = buffer.ph(atCelsius: celsius) ?? buffer.nominal
            // Rounded to the displayed digits, so that an empty answer means the value that the person sees.
            return (value * 100).rounded() / 100
        }
    }

    private func course(_ method: Calibration.Method) -> Course { others[method] ?? usual }
}

extension CalibrationGuide {
    /// The guide of a quantity whose probe needs no care of its own.
    static let plain = CalibrationGuide(
        Course(
            QuantityFacts.Words(
                "Put the probe into a solution whose value you know, or measure the water with another meter that you trust.",
                "Plongez la sonde dans une solution de valeur connue, ou mesurez l'eau avec un autre appareil fiable.")
        ),
        measuring: QuantityFacts.Words(
            "Leave the probe where it is, and wait until the value is stable.",
            "Laissez la sonde en place et attendez que la valeur se stabilise."))
}

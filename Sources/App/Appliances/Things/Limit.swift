/// A value that the model does not hold, in a sentence that names the value and what is allowed.
package struct ModelProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The sentence, without a full stop.
    package let description: String

    /// Creates a problem with its sentence.
    package init(_ description: String) { self.description = description }
}

/// The range of one kind of value.
package struct Limit: Sendable {
    /// How long a button is held.
    package static let hold = Limit("hold time", 0.1...655, unit: "s")
    /// The time before a step of a program or scene.
    package static let delay = Limit("delay of a step", 0...655, unit: "s")
    /// The time that a program or scene takes in all.
    package static let runTime = Limit("time of all steps", 0...3600, unit: "s")
    /// The steps of a program after its first verb.
    package static let programSteps = Limit("number of program steps", 0...8)
    /// The steps of a scene.
    package static let sceneSteps = Limit("number of scene steps", 1...16)
    /// The brightness of a light.
    package static let level = Limit("level", 0...100, unit: "%")
    /// How far a cover is open.
    package static let position = Limit("position", 0...100, unit: "%")
    /// The length of a name in UTF-8.
    package static let name = Limit("length of the name", 1...64, unit: "bytes")
    /// How long a command is valid.
    package static let timeToLive = Limit("time to live", 1...60, unit: "s")
    /// The appliances of a home.
    package static let appliances = Limit("number of appliances", 0...512)
    /// The shortcuts of a home.
    package static let shortcuts = Limit("number of shortcuts", 0...64)
    /// The scenes of a home.
    package static let scenes = Limit("number of scenes", 0...64)
    /// The timers in a device.
    package static let timers = Limit("number of timers", 0...5)

    private let thing: String
    /// What is allowed.
    package let range: ClosedRange<Double>
    private let unit: String

    private init(_ thing: String, _ range: ClosedRange<Double>, unit: String = "") {
        self.thing = thing
        self.range = range
        self.unit = unit.isEmpty ? "" : " " + unit
    }

    /// Checks a value.
    ///
    /// - Throws: ``ModelProblem``, such as `the level is 101 %: give 0 to 100 %`.
    package func check(_ value: Double) throws(ModelProblem) {
        guard range.contains(value) else {
            let (low, high) = (Self.text(range.lowerBound), Self.text(range.upperBound))
            throw ModelProblem("the \(thing) is \(Self.text(value))\(unit): give \(low) to \(high)\(unit)")
        }
    }

    /// Checks a count or a whole number.
    package func check(_ value: Int) throws(ModelProblem) { try check(Double(value)) }

    /// Checks a time.
    package func check(_ value: Duration) throws(ModelProblem) { try check(value / .seconds(1)) }

    /// Checks a name: its length, and that each character can be seen.
    package static func check(name text: String) throws(ModelProblem) {
        try name.check(text.utf8.count)
        if let hidden = HiddenCharacter.find(in: text) {
            throw ModelProblem("the name \(Excerpt(text)) holds the invisible \(hidden.codePoint): leave it out")
        }
    }

    /// A number without `.0`.
    static func text(_ value: Double) -> String {
        Int(exactly: value).map { "\($0)" } ?? "\(value)"
    }
}

/// Why a mapping cannot be used.
@nonexhaustive
public enum MappingError: Error, Hashable, Sendable {
    /// Why a text is not a topic filter.
    @nonexhaustive
    public enum FilterProblem: Hashable, Sendable {
        /// It is not a valid topic.
        case topic(TopicProblem)
        /// `+` is not a whole level, or `#` not the whole last one.
        case misplacedWildcard(Character)
        /// It has a wildcard where only a single topic is allowed.
        case wildcard
        /// It has more bytes than a mapping may have.
        case tooLong(byteCount: Int)
        /// It has more `..` than the device's topic has levels.
        case aboveRoot(deviceTopic: String)
    }

    /// Why a path with `[*]` cannot be used.
    @nonexhaustive
    public enum SamplesProblem: Hashable, Sendable {
        /// It has `[*]` more than once.
        case repeated
        /// The value has no time in its own sample.
        case withoutTime
        /// Only the places of values, and of what belongs to them, have samples.
        case notOfValue
    }

    /// A list has too few or too many entries.
    case countOutOfRange(field: String, count: Int, range: ClosedRange<Int>)
    /// A topic or filter is not valid in MQTT.
    case topicInvalid(field: String, topic: String, FilterProblem)
    /// A path has too many steps, or a key that is too long.
    case pathTooLong(field: String, path: ValuePath)
    /// A path with `[*]` cannot be used.
    case samplesInvalid(field: String, path: ValuePath, SamplesProblem)
    /// A number is not finite, or is a scale of 0.
    case numberInvalid(field: String, number: Double)
    /// A unit does not belong to the quantity.
    case unitMismatch(field: String, SourceUnit, Quantity)
    /// A word is empty or too long.
    case wordInvalid(field: String, word: String)
    /// A condition or a source has no words.
    case wordsMissing(field: String)
    /// A word means both "available" and "unavailable".
    case wordAmbiguous(field: String, word: String)
    /// The name of the profile is empty or too long.
    case profileInvalid(String)
    /// The whole mapping is too large to be stored.
    case tooLarge(byteCount: Int, limit: Int)
}

extension MappingError: CustomStringConvertible {
    /// One sentence for a person: the field, the value and what to do.
    public var description: String {
        switch self {
        case .countOutOfRange(let field, let count, let range):
            "\(field) has \(count) entries: give \(range.lowerBound) to \(range.upperBound)."
        case .topicInvalid(let field, let topic, let flaw):
            "\(field) \(Excerpt(topic)) \(flaw)."
        case .pathTooLong(let field, let path):
            "\(field) \(Excerpt("\(path)")) is too long: a path has at most \(MappingLimits.pathStepCountMax) steps, "
                + "a key at most \(MappingLimits.keyByteCountMax) bytes, a place at most \(ValuePath.indexMax)."
        case .samplesInvalid(let field, let path, let problem): "\(field) \(Excerpt("\(path)")) \(problem)."
        case .numberInvalid(let field, let number):
            "\(field) is \(number): give a finite number, and for a scale not 0."
        case .unitMismatch(let field, let unit, let quantity):
            "\(field) is \(unit.rawValue), in which no \(quantity.rawValue) is measured: give "
                + quantity.facts.units.map(\.unit.rawValue).joined(separator: " or ") + "."
        case .wordInvalid(let field, let word):
            "\(field) has the word \(Excerpt(word)): a word has 1 to \(MappingLimits.wordByteCountMax) bytes."
        case .wordsMissing(let field): "\(field) names no word: give at least one."
        case .wordAmbiguous(let field, let word):
            "\(field) has the word \(Excerpt(word)) for online and for offline: remove it from one of them."
        case .profileInvalid(let name):
            "The profile name \(Excerpt(name)) must have 1 to \(MappingLimits.profileByteCountMax) bytes."
        case .tooLarge(let byteCount, let limit):
            "The mapping takes \(byteCount) bytes, at most \(limit) can be stored: remove values or words."
        }
    }
}

extension MappingError.SamplesProblem: CustomStringConvertible {
    /// The error and what to do, as the second half of a sentence.
    public var description: String {
        switch self {
        case .repeated: "has [*] twice: a sample is one element of one list"
        case .withoutTime: "has samples, but no time in each of them: give their time, as in --time 'samples[*].t'"
        case .notOfValue: "has samples, but the value has none: use [*] in the place of the value, too"
        }
    }
}

extension MappingError.FilterProblem: CustomStringConvertible {
    /// The error and what to do, as the second half of a sentence.
    public var description: String {
        switch self {
        case .topic(let flaw): "\(flaw)"
        case .misplacedWildcard(let character):
            "has a \(character) in the wrong place: + stands for one whole level, # for the whole rest at the end"
        case .wildcard: "holds a wildcard: name the one topic"
        case .tooLong(let byteCount):
            "has \(byteCount) bytes, at most \(MappingLimits.topicByteCountMax) are possible: shorten it"
        case .aboveRoot(let deviceTopic):
            "has more .. than the device's topic \(Excerpt(deviceTopic)) has levels above it: remove some"
        }
    }
}

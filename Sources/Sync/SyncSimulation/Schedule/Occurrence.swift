/// Something that a run drew at random, with a stable name: its kind, its watch, and its number among those of its
/// kind.
///
/// Each draws from its own stream, so that one can be left out and all others stay as they were.
public struct Occurrence: Hashable, Sendable {
    /// What may occur.
    public enum Kind: String, CaseIterable, Sendable {
        // What the application does.
        case change, publication, invitation, unpairing, edit, settling, item, cancelling, message, file
        // What goes wrong with the hub.
        case hubCrash, hubRollback, hubStall, hubClockJump, hubStoreFailure, hubStoreDelay, hubFileFailure
        case hubStoreTail
        // What goes wrong with a watch.
        case watchCrash, watchStall, watchClockJump, watchStoreFailure, watchStoreDelay, lateStart
        case watchRollback, watchFileFailure, watchStoreTail
        // What goes wrong when a watch connects.
        case connectFailure
        // What goes wrong between the two.
        case reset, partition, replay, forgery, flood, uploadFlood
        // What goes wrong with single messages.
        case lossToHub, lossToWatch, copyToHub, copyToWatch, delayToHub, delayToWatch, lateToHub, lateToWatch
        case damageToHub, damageToWatch
        // What is requested when the faults have ended.
        case encore
    }

    /// What occurs.
    public var kind: Kind
    /// The number of the watch that it concerns, from 0; nil if it concerns the hub or the application alone.
    public var watch: Int?
    /// Which of its kind and watch it is, from 1.
    public var number: Int

    /// Creates a name.
    public init(_ kind: Kind, watch: Int? = nil, number: Int) {
        self.kind = kind
        self.watch = watch
        self.number = number
    }
}

extension Occurrence: CustomStringConvertible, Comparable {
    /// The name in words, such as `hubCrash 2` or `lossToHub 17 of watch 0`.
    public var description: String {
        "\(kind.rawValue) \(number)" + (watch.map { " of watch \($0)" } ?? "")
    }

    /// Reads a name; nil if the text is not one.
    public init?(_ text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 2 || words.count == 5, let kind = Kind(rawValue: String(words[0])),
            let number = Int(words[1]), number > 0
        else { return nil }
        self.init(kind, number: number)
        guard words.count == 5 else { return }
        guard words[2] == "of", words[3] == "watch", let watch = Int(words[4]), watch >= 0 else { return nil }
        self.watch = watch
    }

    /// Whether the left name comes first in a list.
    public static func < (left: Occurrence, right: Occurrence) -> Bool {
        (left.kind.rawValue, left.watch ?? -1, left.number) < (right.kind.rawValue, right.watch ?? -1, right.number)
    }
}

/// Which of the drawn occurrences happen.
public enum OccurrenceSelection: Hashable, Sendable {
    /// Everything that the seed draws.
    case all
    /// Everything but these.
    case without(Set<Occurrence>)
    /// Only these.
    case only(Set<Occurrence>)
}

/// Decides which drawn occurrences happen, and remembers them for a shrinker.
struct OccurrenceFilter {
    let selection: OccurrenceSelection
    let keepsRecord: Bool
    private(set) var passed: [Occurrence] = []

    init(selection: OccurrenceSelection, keepsRecord: Bool) {
        self.selection = selection
        self.keepsRecord = keepsRecord
    }

    /// Whether an occurrence that was drawn happens.
    mutating func pass(_ kind: Occurrence.Kind, watch: Int? = nil, number: Int) -> Bool {
        pass(Occurrence(kind, watch: watch, number: number))
    }

    /// Whether an occurrence that was drawn happens.
    mutating func pass(_ occurrence: Occurrence) -> Bool {
        switch selection {
        case .all: break
        case .without(let some): if some.contains(occurrence) { return false }
        case .only(let some): guard some.contains(occurrence) else { return false }
        }
        if keepsRecord { passed.append(occurrence) }
        return true
    }
}

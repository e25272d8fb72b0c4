/// The newest value of each register, and the order in which they changed.
///
/// A change is noted here once, however many watches there are: each link remembers how many changes it has looked at, and
/// finds later what it has missed.
struct RegisterTable: Sendable {
    /// The most registers; more would let one watch's link grow without bound.
    static let countMax = 4096

    /// What became of a value.
    enum Outcome: Hashable, Sendable {
        /// It is the newest of its register now, which has this place.
        case newest(at: Int)
        /// The register holds a value of the same or of a greater order.
        case old
        /// There is no room for another register.
        case full
    }

    /// That a register changed; void once it has changed again.
    private struct Change: Sendable {
        var number: UInt64
        var place: Int
    }

    /// The place of each register, which it keeps as long as the table lives.
    private var places = SortedMap<String, Int>()
    private var registers: [Register] = []
    /// The number of the last change of each register, by its place.
    private var lastChanges: [UInt64] = []
    /// The last change of each register and some void ones, in their order.
    private var changes: [Change] = []
    /// How many changes there were.
    private(set) var changeCount: UInt64 = 0

    /// The register at a place.
    subscript(place: Int) -> Register { registers[place] }

    /// The places of all registers, in the order of their keys.
    var placesByKey: [Int] { places.values }

    /// Takes a value if it is newer than the one that is held.
    mutating func take(_ register: Register) -> Outcome {
        if let place = places[register.key] {
            guard register.order > registers[place].order else { return .old }
            registers[place] = register
            noteChange(at: place)
            return .newest(at: place)
        }
        let place = registers.count
        guard place < Self.countMax else { return .full }
        places[register.key] = place
        registers.append(register)
        lastChanges.append(0)
        noteChange(at: place)
        return .newest(at: place)
    }

    private mutating func noteChange(at place: Int) {
        changeCount += 1
        lastChanges[place] = changeCount
        changes.append(Change(number: changeCount, place: place))
        // As many void ones as others, at most: so a change costs the same however many there were.
        guard changes.count > 2 * registers.count else { return }
        changes.removeAll { [lastChanges] in lastChanges[$0.place] != $0.number }
    }

    /// The places of the registers that changed after so many changes, in the order of their last change.
    func places(changedAfter count: UInt64) -> [Int] {
        var found: [Int] = []
        for change in changes.reversed() {
            guard change.number > count else { break }
            if lastChanges[change.place] == change.number { found.append(change.place) }
        }
        return found.reversed()
    }
}

/// The newest value of each register, and the order of the changes.
///
/// Each change is recorded once, however many watches there are: each link remembers how many changes it has read,
/// and finds later changes when it reads the table again.
struct RegisterTable: Sendable {
    /// The most registers; without a limit, the queue of a watch could grow without bound.
    static let countMax = 4096

    /// The result of a value.
    enum Outcome: Hashable, Sendable {
        /// It is now the newest of its register, which has this place.
        case newest(at: Int)
        /// The register holds a value with the same or a greater order.
        case old
        /// There is no room for another register.
        case full
    }

    /// A change of a register; it is void when the register changes again.
    private struct Change: Sendable {
        var number: UInt64
        var place: Int
    }

    /// The place of each register; it never changes.
    private var places = SortedMap<String, Int>()
    private var registers: [Register] = []
    /// The number of the last change of each register, by its place.
    private var lastChanges: [UInt64] = []
    /// The last change of each register and some void ones, in order.
    private var changes: [Change] = []
    /// The number of changes so far.
    private(set) var changeCount: UInt64 = 0

    /// The register at a place.
    subscript(place: Int) -> Register { registers[place] }

    /// The places of all registers, in the order of their keys.
    var placesByKey: [Int] { places.values }

    /// Accepts a value if it is newer than the present one.
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
        // At most as many void changes as others are kept, so that the cost of a change does not grow with their
        // number.
        guard changes.count > 2 * registers.count else { return }
        changes.removeAll { [lastChanges] in lastChanges[$0.place] != $0.number }
    }

    /// The places of the registers that changed after the first `count` changes, in the order of their last change.
    func places(changedAfter count: UInt64) -> [Int] {
        var found: [Int] = []
        for change in changes.reversed() {
            guard change.number > count else { break }
            if lastChanges[change.place] == change.number { found.append(change.place) }
        }
        return found.reversed()
    }
}

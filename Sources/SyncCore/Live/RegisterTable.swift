/// The newest value of each register, in the order of their keys.
struct RegisterTable: Hashable, Sendable {
    /// The most registers; more would let one watch's link grow without bound.
    static let countMax = 4096

    /// What became of a value.
    enum Outcome: Hashable, Sendable {
        /// It is the newest of its register now.
        case newest
        /// The register holds a value of the same or of a greater order.
        case old
        /// There is no room for another register.
        case full
    }

    private(set) var registers = SortedMap<String, Register>()

    /// Takes a value if it is newer than the one that is held.
    mutating func take(_ register: Register) -> Outcome {
        if let held = registers[register.key] {
            guard register.order > held.order else { return .old }
        } else if registers.count >= Self.countMax {
            return .full
        }
        registers[register.key] = register
        return .newest
    }
}

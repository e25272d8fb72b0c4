/// A register as a watch keeps it: the value, and the epoch in which its order counts.
public struct HeldRegister: Hashable, Sendable {
    /// The value.
    public var register: Register
    /// The epoch in which its order counts.
    public var epoch: Epoch

    /// Creates a register of an epoch.
    public init(register: Register, epoch: Epoch) {
        self.register = register
        self.epoch = epoch
    }
}

/// A watch's registers: the newest value of each, and which of them the store does not have yet.
///
/// The store gets them once a second at most, so a crash costs at most that second; the hub sends the newest again.
struct RegisterCache: Hashable, Sendable {
    /// The time between the first change and the write.
    static let flushAfter = Duration.seconds(1)
    /// The most registers of a watch; the hub has no more either.
    static let countMax = 4096

    private(set) var registers: SortedMap<String, HeldRegister>
    private var dirty: Set<String> = []
    private(set) var deadline: Instant?

    /// Creates the cache of a watch whose store holds these.
    init(_ stored: SortedMap<String, HeldRegister>) {
        registers = stored
    }

    /// Takes a value of an epoch that the fence lets pass.
    ///
    /// False if the register holds the same or a newer value of that epoch, or if there is no room.
    mutating func take(_ register: Register, of epoch: Epoch, now: Instant) -> Bool {
        if let held = registers[register.key] {
            if held.epoch == epoch, held.register.order >= register.order { return false }
        } else if registers.count >= Self.countMax {
            return false
        }
        registers[register.key] = HeldRegister(register: register, epoch: epoch)
        dirty.insert(register.key)
        deadline = deadline ?? now.advanced(by: Self.flushAfter)
        return true
    }

    /// The registers to write now, in the order of their keys; empty if none or if they can wait.
    mutating func flush(now: Instant, early: Bool) -> [HeldRegister] {
        guard let due = deadline, due <= now || early else { return [] }
        deadline = nil
        let changed = registers.pairs.filter { dirty.contains($0.key) }.map(\.value)
        dirty = []
        return changed
    }

    /// A write failed: these are to be written again.
    mutating func flushFailed(_ lost: [HeldRegister], now: Instant) {
        dirty.formUnion(lost.map(\.register.key))
        deadline = deadline ?? now.advanced(by: Self.flushAfter)
    }
}

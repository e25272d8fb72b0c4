/// A register as a watch stores it: the value, and the epoch of its order.
public struct HeldRegister: Hashable, Sendable {
    /// The value.
    public var register: Register
    /// The epoch of its order.
    public var epoch: Epoch

    /// Creates a register of an epoch.
    public init(register: Register, epoch: Epoch) {
        self.register = register
        self.epoch = epoch
    }
}

/// A watch's registers: the newest value of each, and which of them are not stored yet.
///
/// They are written at most once a second, so a crash loses at most that second; the hub sends the newest values
/// again.
struct RegisterCache: Hashable, Sendable {
    /// The time between the first change and the write.
    static let flushAfter = Duration.seconds(1)
    /// The most registers of a watch; the hub has the same limit.
    static let countMax = 4096

    private(set) var registers: SortedMap<String, HeldRegister>
    private var dirty: Set<String> = []
    private var due: Instant?
    private var isWriting = false

    /// Creates the cache of a watch with the contents of its store.
    init(_ stored: SortedMap<String, HeldRegister>) {
        registers = stored
    }

    /// When ``flush(now:early:)`` is due; nil if only an event can change that.
    var deadline: Instant? { isWriting ? nil : due }

    /// Accepts a value of an epoch that the fence accepts.
    ///
    /// - Returns: False if the register holds the same or a newer value of that epoch, or if there is no room.
    mutating func take(_ register: Register, of epoch: Epoch, now: Instant) -> Bool {
        if let held = registers[register.key] {
            let isOld = held.epoch == epoch && held.register.order >= register.order
            if isOld { return false }
        } else if registers.count >= Self.countMax {
            return false
        }
        registers[register.key] = HeldRegister(register: register, epoch: epoch)
        dirty.insert(register.key)
        due = due ?? now.advanced(by: Self.flushAfter)
        return true
    }

    /// The registers to write now, in the order of their keys; empty if there are none or if they can wait.
    ///
    /// They wait while a write is in progress, so a slow store is never behind by more than one write. With `early`
    /// they do not wait.
    mutating func flush(now: Instant, early: Bool) -> [HeldRegister] {
        guard let due, early || due <= now && !isWriting else { return [] }
        self.due = nil
        isWriting = true
        let changed = registers.pairs.filter { dirty.contains($0.key) }.map(\.value)
        dirty = []
        return changed
    }

    /// A write is durable.
    mutating func flushed() {
        isWriting = false
    }

    /// A write failed: these registers have to be written again.
    mutating func flushFailed(_ lost: [HeldRegister], now: Instant) {
        isWriting = false
        dirty.formUnion(lost.map(\.register.key))
        due = due ?? now.advanced(by: Self.flushAfter)
    }
}

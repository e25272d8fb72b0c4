import Synchronization

/// A deliberate error of this process's wall clock, for tests with devices whose clocks differ.
package enum WallClockOffset {
    private static let offset = Atomic<Int64>(0)

    /// The milliseconds that are added to the system's wall clock; 0 except in such tests.
    package static var milliseconds: Int64 {
        get { offset.load(ordering: .relaxed) }
        set { offset.store(newValue, ordering: .relaxed) }
    }
}

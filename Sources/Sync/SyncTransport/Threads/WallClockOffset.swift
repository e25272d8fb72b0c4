import Synchronization

/// How far this process's wall clock is off on purpose, so that tests can have devices whose clocks differ.
package enum WallClockOffset {
    private static let offset = Atomic<Int64>(0)

    /// The milliseconds that are added to what the system's wall clock shows; 0 unless a test says otherwise.
    package static var milliseconds: Int64 {
        get { offset.load(ordering: .relaxed) }
        set { offset.store(newValue, ordering: .relaxed) }
    }
}

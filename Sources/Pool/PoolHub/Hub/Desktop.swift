package import PoolModel

extension PoolHub {
    /// The desktop on which a hub shows its alerts; the program that runs the hub provides it.
    package struct Desktop: Sendable {
        /// The result of showing a notice.
        package enum Outcome: Equatable, Sendable {
            /// The notice is shown.
            case shown
            /// It failed for this reason; the hub tries again.
            case failed(String)
            /// The desktop may not be used, or there is none.
            case denied
        }

        /// Returns whether the desktop may be used now.
        package var isAvailable: @Sendable () -> Bool
        /// Shows a notice.
        package var show: @Sendable (AlertNotice) async -> Outcome

        /// Creates a desktop.
        package init(
            isAvailable: @escaping @Sendable () -> Bool, show: @escaping @Sendable (AlertNotice) async -> Outcome
        ) {
            self.isAvailable = isAvailable
            self.show = show
        }
    }
}

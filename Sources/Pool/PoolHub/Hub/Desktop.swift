public import PoolModel

extension PoolHub {
    /// The desktop on which a hub may show its alerts; the code that runs the hub knows whether there is one.
    public struct Desktop: Sendable {
        /// How it went.
        public enum Outcome: Equatable, Sendable {
            /// It is shown.
            case shown
            /// It is not, for this reason; the hub tries again.
            case failed(String)
            /// It may not be shown, or there is no desktop.
            case denied
        }

        /// Whether there is a desktop that may be used now.
        public var isAvailable: @Sendable () -> Bool
        /// Shows a notice.
        public var show: @Sendable (AlertNotice) async -> Outcome

        /// Creates a desktop.
        public init(
            isAvailable: @escaping @Sendable () -> Bool, show: @escaping @Sendable (AlertNotice) async -> Outcome
        ) {
            self.isAvailable = isAvailable
            self.show = show
        }
    }
}

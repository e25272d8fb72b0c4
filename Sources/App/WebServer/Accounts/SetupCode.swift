import Platform

/// The code that proves that the person who makes the first account can read the terminal of the server.
///
/// Wrong ones do not end it, because then a stranger could end each code: it has more than 10¹¹ values, and an address may
/// try few of them.
package final class SetupCode: Sendable {
    private struct State {
        var code: String
        var expires: ContinuousClock.Instant
    }

    /// How long a code can be used.
    package static let validity = Duration.seconds(15 * 60)
    /// Without those that look alike.
    private static let signs = Array("ABCDEFGHJKMNPQRSTUVWXYZ23456789")

    private let state = Lock<State?>(nil)
    private let show: @Sendable (String) -> Void
    private let now: @Sendable () -> ContinuousClock.Instant

    /// Creates a source of codes.
    ///
    /// - Parameters:
    ///   - now: The clock.
    ///   - show: Shows a new code at the terminal.
    package init(
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }, show: @escaping @Sendable (String) -> Void
    ) {
        self.now = now
        self.show = show
    }

    /// Makes a code and shows it.
    package func begin() {
        var generator = SystemRandomNumberGenerator()
        let code = String((0..<8).map { _ in Self.signs[Int.random(in: 0..<Self.signs.count, using: &generator)] })
        state.withLock { $0 = State(code: code, expires: now() + Self.validity) }
        show(code)
    }

    /// Whether a code is the shown one; when that is too old, another one is shown.
    package func accepts(_ text: String) -> Bool {
        let typed = String(text.uppercased().filter { $0.isLetter || $0.isNumber })
        let isRight = state.withLock { state -> Bool? in
            guard let known = state, now() < known.expires else { return nil }
            return known.code == typed
        }
        if isRight == nil { begin() }
        return isRight ?? false
    }

    /// Forgets the code: the first account is made.
    package func end() { state.withLock { $0 = nil } }
}

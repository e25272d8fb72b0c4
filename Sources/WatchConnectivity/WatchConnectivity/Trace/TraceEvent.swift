/// An event in a trace; together they show why a session behaved as it did.
package enum TraceEvent: Hashable, Sendable {
    /// The app called a method, or a call of the app was refused.
    case app(String)
    /// The app is being called, or was called.
    case call(String)
    /// Something crossed the link, or the link changed.
    case link(String)
    /// The device did something on its own.
    case device(String)
    /// Something that a developer should look at: a dropped equal context, a missing method, a failure that no handler observed.
    case warning(String)
}

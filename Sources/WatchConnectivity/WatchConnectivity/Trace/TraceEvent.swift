/// What a trace tells: enough to see why a session behaved as it did.
package enum TraceEvent: Hashable, Sendable {
    /// The app called something, or a call of the app's was refused.
    case app(String)
    /// The app is called, or was.
    case call(String)
    /// Something crossed the link, or the link changed.
    case link(String)
    /// The device did something by itself.
    case device(String)
    /// Something that a developer should look at: a dropped equal context, a missing method, a failure nobody observed.
    case warning(String)
}

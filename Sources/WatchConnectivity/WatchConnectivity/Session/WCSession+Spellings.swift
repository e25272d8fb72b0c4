extension WCSession {
    /// The spelling of Swift 2.
    @available(*, unavailable, renamed: "default")
    public class func defaultSession() -> WCSession { .default }

    /// The spelling of Swift 2.
    @available(*, unavailable, renamed: "activate()")
    public func activateSession() {}
}

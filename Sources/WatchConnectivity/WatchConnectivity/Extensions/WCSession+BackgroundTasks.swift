extension WCSession {
    /// Gets the background tasks of this session's app instead of the delegate of ``WKApplication``; nil for that
    /// delegate.
    ///
    /// It is called on the session's queue: for tests, and for processes that do not serve their main queue.
    public var backgroundTaskHandler: ((Set<WKRefreshBackgroundTask>) -> Void)? {
        get { backing.backgroundTaskHandler }
        set { backing.backgroundTaskHandler = newValue }
    }
}

extension AlertState {
    /// How many alerts nobody has acknowledged; those that are not listed count as such.
    public var unacknowledgedCount: Int { alerts.count { !$0.isAcknowledged } + moreCount }

    /// How many of the listed alerts somebody has acknowledged.
    public var acknowledgedCount: Int { alerts.count { $0.isAcknowledged } }
}

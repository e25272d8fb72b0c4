extension ConfigurationEntry {
    /// The kinds and groups that watches may see: all that a projection lets through (P99).
    public static var visibleGroups: [(kind: String, group: String)] {
        EntryGroup.allCases.filter(\.isVisibleToWatches).map { (kind: $0.kind, group: $0.group) }
    }
}

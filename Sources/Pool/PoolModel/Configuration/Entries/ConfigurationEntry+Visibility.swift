extension ConfigurationEntry {
    /// The record versions that hubs and watches of this program read and write; version 2 has pools, and
    /// version 3 the quantities beyond the first four.
    public static let versions: ClosedRange<UInt32> = 1...3

    /// The kinds and groups that watches may see: everything that a projection contains.
    public static var visibleGroups: [(kind: String, group: String)] {
        EntryGroup.allCases.filter(\.isVisibleToWatches).map { (kind: $0.kind, group: $0.group) }
    }

    /// The first record version in which watches see entries of this kind and group.
    public static func firstVersion(kind: String, group: String) -> UInt32 {
        EntryGroup(kind: kind, group: group)?.firstVersion ?? 1
    }

    /// Whether a person may change entries of this kind and group on a watch.
    public static func isEditableOnWatches(kind: String, group: String) -> Bool {
        EntryGroup(kind: kind, group: group)?.isEditableOnWatches ?? false
    }
}

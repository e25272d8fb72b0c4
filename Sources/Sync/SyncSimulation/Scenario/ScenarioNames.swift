/// The names that the text of a scenario has given so far, and how names and values are read.
struct ScenarioNames {
    /// The watches, in the order in which they came in.
    private(set) var watches: [String] = []
    /// The copies that were made, with the device of each.
    private var backups: [String: String] = [:]

    /// The names of all devices.
    var devices: [String] { ["hub"] + watches }

    // MARK: - Devices and copies

    mutating func newWatch(_ words: inout ScenarioTokens) throws(ScenarioError) -> String {
        let taken = watches
        let name = try words.word("a new name of 1…16 letters and digits") {
            CellName.isFit(record: $0) && $0 != "hub" && $0 != "all" && $0.first?.isLetter == true
                && !taken.contains($0)
        }
        watches.append(name)
        return name
    }

    func watch(_ words: inout ScenarioTokens) throws(ScenarioError) -> String {
        try words.word(watches.isEmpty ? "a watch; none has come in yet" : "a watch: \(Self.choice(watches))") {
            watches.contains($0)
        }
    }

    func device(_ words: inout ScenarioTokens) throws(ScenarioError) -> String {
        try words.word("a device: \(Self.choice(devices))") { $0 == "hub" || watches.contains($0) }
    }

    /// The device whose possession comes next, as in `Anna's`.
    func owner(_ words: inout ScenarioTokens) throws(ScenarioError) -> String {
        let devices = devices
        return try words.read("whose: \(Self.choice(devices.map { $0 + "'s" }))") { word in
            devices.first { word == $0 + "'s" }
        }
    }

    mutating func newBackup(of device: String, _ words: inout ScenarioTokens) throws(ScenarioError) -> String {
        let label = try words.word("a name of the copy: 1…16 letters and digits") { CellName.isFit(record: $0) }
        backups[label] = device
        return label
    }

    func backup(of device: String, _ words: inout ScenarioTokens) throws(ScenarioError) -> String {
        let labels = backups.filter { $0.value == device }.map(\.key).sorted()
        let expected = labels.isEmpty ? "a copy of \(device); none was made yet" : "a copy: \(Self.choice(labels))"
        return try words.word(expected) { labels.contains($0) }
    }

    // MARK: - Values

    func cell(_ words: inout ScenarioTokens) throws(ScenarioError) -> CellName {
        let groups = Self.choice(ScenarioSchema.groups)
        return try words.read("a cell such as kitchen.name, with one of the groups \(groups)") { CellName($0) }
    }

    func record(_ words: inout ScenarioTokens) throws(ScenarioError) -> String {
        try words.word("a record such as kitchen, or a cell such as kitchen.name", CellName.isFit(record:))
    }

    func duration(_ words: inout ScenarioTokens) throws(ScenarioError) -> Duration {
        try words.read(DurationNotation.expected) { word in
            DurationNotation.duration(word).flatMap { $0 > .zero ? $0 : nil }
        }
    }

    func fileName(_ words: inout ScenarioTokens) throws(ScenarioError) -> String {
        try words.word("the name of a file, such as plan.png") { name in
            name.contains(".") && name.utf8.allSatisfy { $0 != UInt8(ascii: "/") } && name.first != "."
        }
    }

    /// A size such as `3MB`.
    func byteCount(_ words: inout ScenarioTokens) throws(ScenarioError) -> Int {
        let units = [("MB", 1_000_000), ("KB", 1000), ("B", 1)]
        return try words.read("a size of at most 64MB, such as 3MB, 200KB or 10B") { word in
            for (unit, size) in units where word.hasSuffix(unit) {
                guard let number = Int(word.dropLast(unit.count)), (0...64_000_000 / size).contains(number) else {
                    return nil
                }
                return number * size
            }
            return nil
        }
    }

    static func choice(_ names: [String]) -> String {
        guard let last = names.last, names.count > 1 else { return names.first ?? "none" }
        return names.dropLast().joined(separator: ", ") + " or " + last
    }
}

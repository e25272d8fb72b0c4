extension AvailabilitySource {
    /// Reads the notation for people: `topic[#path]`, then the words if they differ from the default ones.
    ///
    ///     ~/status
    ///     ~/../LWT online=Online offline=Offline
    ///     ~/availability#state
    ///     ~/temp offline=unavailable|"not there"
    ///     ~/info#uptime online>0
    ///
    /// With only `offline=`, every other word means "available"; with only `online=`, every other one "unavailable".
    ///
    /// - Throws: ``NotationError`` with the position of the first error.
    public init(notation: some StringProtocol) throws(NotationError) {
        var cursor = NotationCursor(notation)
        cursor.skipBlanks()
        let start = cursor
        let place = try NotationPlace(from: &cursor)
        guard let topic = place.topic else { throw start.error(.expected("a topic such as ~/status")) }
        var words: (online: [String]?, offline: [String]?) = (nil, nil)
        while cursor.skipBlanks(), !cursor.isAtEnd {
            let start = cursor
            let name = cursor.bareWord()
            guard name == "online" || name == "offline" else {
                throw start.error(.expected("online= or offline=, or online>0 and the like"))
            }
            let list = try NotationWords.readCompared(from: &cursor)
            if name == "online" { words.online = (words.online ?? []) + list }
            if name == "offline" { words.offline = (words.offline ?? []) + list }
        }
        guard cursor.isAtEnd else { throw cursor.error(.expected("a blank and online= or offline=, or the end")) }
        let isUsual = words.online == nil && words.offline == nil
        self.init(
            topic: topic, path: place.path, online: isUsual ? Self.usualOnline : words.online ?? [],
            offline: isUsual ? Self.usualOffline : words.offline ?? [])
    }

    /// The notation of the source; ``init(notation:)`` returns the same source.
    public var notation: String {
        let text = "\(NotationPlace(topic: topic, path: path))"
        if online == Self.usualOnline, offline == Self.usualOffline { return text }
        let words = NotationWords.clauses(online, after: "online") + NotationWords.clauses(offline, after: "offline")
        return ([text] + words).joined(separator: " ")
    }
}

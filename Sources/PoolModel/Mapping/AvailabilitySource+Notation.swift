extension AvailabilitySource {
    /// Reads the notation for people: `topic[#path]`, then the words if they are not the usual ones.
    ///
    ///     ~/status
    ///     ~/../LWT online=Online offline=Offline
    ///     ~/availability#state
    ///     ~/temp offline=unavailable|"not there"
    ///
    /// With `offline=` alone every other word means "there".
    ///
    /// - Throws: ``NotationError`` with the place of the first fault.
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
            guard name == "online" || name == "offline", cursor.skip("=") else {
                throw start.error(.expected("online= or offline="))
            }
            let list = try NotationWords.read(from: &cursor)
            if name == "online" { words.online = list } else { words.offline = list }
        }
        guard cursor.isAtEnd else { throw cursor.error(.expected("a blank and online= or offline=, or the end")) }
        let isUsual = words.online == nil && words.offline == nil
        self.init(
            topic: topic, path: place.path, online: isUsual ? Self.usualOnline : words.online ?? [],
            offline: isUsual ? Self.usualOffline : words.offline ?? [])
    }

    /// The notation of the source: ``init(notation:)`` gives the same again.
    public var notation: String {
        var text = "\(NotationPlace(topic: topic, path: path))"
        if online == Self.usualOnline, offline == Self.usualOffline { return text }
        if !online.isEmpty { text += " online=\(NotationWords.text(of: online))" }
        if !offline.isEmpty { text += " offline=\(NotationWords.text(of: offline))" }
        return text
    }
}

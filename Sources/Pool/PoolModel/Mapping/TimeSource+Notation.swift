extension TimeSource {
    /// Reads the notation for people: `[topic#]path`, then the form if it is not automatic, then the zone of times
    /// that have none.
    ///
    ///     last_seen
    ///     ~/ph/attributes#timestamp iso8601
    ///     time seconds
    ///     Time local
    ///     Time Europe/Paris
    ///
    /// - Throws: ``NotationError`` with the position of the first error.
    public init(notation: some StringProtocol) throws(NotationError) {
        var cursor = NotationCursor(notation)
        cursor.skipBlanks()
        let place = try NotationPlace(from: &cursor)
        self.init(topic: place.topic, path: place.path)
        var isFormKnown = false
        while zone == nil, cursor.skipBlanks(), !cursor.isAtEnd {
            let start = cursor
            let word = cursor.prefix { !$0.properties.isWhitespace }
            if !isFormKnown, let form = Form(rawValue: word.lowercased()) {
                self.form = form
                isFormKnown = true
            } else if word.lowercased() == Self.ownZone || LocalClock(word) != nil {
                zone = word.lowercased() == Self.ownZone ? Self.ownZone : word
            } else {
                let names = Form.allCases.map(\.rawValue).joined(separator: ", ")
                throw start.error(
                    .expected("one of the forms \(names), or a time zone: \(Self.ownZone) or such as Europe/Paris"))
            }
        }
        cursor.skipBlanks()
        guard cursor.isAtEnd else { throw cursor.error(.expected("a blank and a form, a time zone, or the end")) }
    }

    /// The notation of the source; ``init(notation:)`` returns the same source.
    public var notation: String {
        "\(NotationPlace(topic: topic, path: path))" + (form == .automatic ? "" : " \(form.rawValue)")
            + (zone.map { " \($0)" } ?? "")
    }
}

extension TimeSource {
    /// Reads the notation for people: `[topic#]path`, then the form if it is not automatic.
    ///
    ///     last_seen
    ///     ~/ph/attributes#timestamp iso8601
    ///     time seconds
    ///
    /// - Throws: ``NotationError`` with the place of the first fault.
    public init(notation: some StringProtocol) throws(NotationError) {
        var cursor = NotationCursor(notation)
        cursor.skipBlanks()
        let place = try NotationPlace(from: &cursor)
        self.init(topic: place.topic, path: place.path)
        if cursor.skipBlanks(), !cursor.isAtEnd {
            let start = cursor
            guard let form = cursor.bareWord().flatMap({ Form(rawValue: $0.lowercased()) }) else {
                let names = Form.allCases.map(\.rawValue).joined(separator: ", ")
                throw start.error(.expected("one of the forms \(names)"))
            }
            self.form = form
            cursor.skipBlanks()
        }
        guard cursor.isAtEnd else { throw cursor.error(.expected("a blank and a form, or the end")) }
    }

    /// The notation of the source: ``init(notation:)`` gives the same again.
    public var notation: String {
        "\(NotationPlace(topic: topic, path: path))" + (form == .automatic ? "" : " \(form.rawValue)")
    }
}

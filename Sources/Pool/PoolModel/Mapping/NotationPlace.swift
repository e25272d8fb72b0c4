/// A place in the messages of a device in the notation for people: `[topic#]path`, or only a topic.
///
/// A text that starts with `~`, `/` or a quotation mark, or that has a `/` outside brackets, is a topic; a `#` after
/// it starts the path. Any other text is a path in the device's own topic.
struct NotationPlace: Equatable, CustomStringConvertible {
    var topic: String?
    var path: ValuePath

    init(topic: String?, path: ValuePath) {
        self.topic = topic
        self.path = path
    }

    init(from cursor: inout NotationCursor) throws(NotationError) {
        var ahead = cursor
        if let quoted = try ahead.quotedText() {
            topic = quoted
        } else {
            let (text, hasMark) = Self.topic(from: &ahead)
            topic = hasMark || text.hasPrefix("~") || text.contains("/") ? text : nil
        }
        guard let topic else {
            path = try ValuePath(from: &cursor)
            if path == .whole { throw cursor.error(.expected("a path, or a topic such as ~/ph")) }
            return
        }
        if topic.isEmpty { throw cursor.error(.expected("a topic before the #; ~ is the device's own")) }
        if let flaw = TopicPattern.flaw(of: topic) {
            throw cursor.error(.expected("a topic: the text \(flaw)"))
        }
        cursor = ahead
        path = .whole
        guard cursor.skip("#") else { return }
        path = try ValuePath(from: &cursor)
        if path == .whole { throw cursor.error(.expected("a path after the #")) }
    }

    var description: String {
        guard let topic else { return path == .whole ? "~" : "\(path)" }
        var cursor = NotationCursor(topic)
        let (text, hasMark) = Self.topic(from: &cursor)
        let isBare = cursor.isAtEnd && text == topic && !hasMark && (topic.hasPrefix("~") || topic.contains("/"))
        let shown = isBare ? topic : NotationCursor.quoted(topic)
        return path == .whole ? shown : "\(shown)#\(path)"
    }

    /// The part of a topic that is here without quotation marks, and whether the mark of a path follows.
    private static func topic(from cursor: inout NotationCursor) -> (text: String, hasMark: Bool) {
        var text = ""
        while let scalar = cursor.peek {
            // A wildcard is always a whole level; elsewhere "#" starts the path, and "+" the offset.
            let isLevelStart = text.isEmpty || text.unicodeScalars.last == "/"
            if scalar == "#", !isLevelStart { return (text, true) }
            if scalar == "+", !isLevelStart { break }
            if scalar.properties.isWhitespace || "*\"[]{}".unicodeScalars.contains(scalar) { break }
            text.unicodeScalars.append(scalar)
            cursor.advance()
        }
        return (text, false)
    }
}

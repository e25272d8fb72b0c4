/// The words that the rows of a list must contain, as a person types them after `/`.
struct ListFilter: Equatable, Sendable {
    private var field = TextField()
    /// Whether keys go to the filter.
    private(set) var isTyping = false

    var text: String { field.text.sanitized }

    /// Whether there is something to show of it.
    var isShown: Bool { isTyping || !text.isEmpty }

    /// Whether each word is in one of the texts, in capitals or not.
    func accepts(_ texts: [String]) -> Bool {
        let all = texts.joined(separator: "\n").lowercased()
        return text.lowercased().split(separator: " ").allSatisfy { all.contains($0) }
    }

    mutating func startTyping() { isTyping = true }

    mutating func stopTyping() { isTyping = false }

    /// Inserts text.
    ///
    /// - Returns: False unless the filter is being typed.
    mutating func paste(_ text: String) -> Bool {
        if isTyping { field.insert(text) }
        return isTyping
    }

    /// Handles a key: text while the filter is being typed, Enter to keep it, Esc to clear it.
    ///
    /// - Returns: Whether the key was one of the filter.
    mutating func press(_ key: Key) -> Bool {
        switch key {
        case .escape where isShown:
            self = ListFilter()
            return true
        case .backspace where isTyping && field.text.isEmpty, .enter where isTyping:
            isTyping = false
            return true
        case .character, .backspace, .delete, .left, .right, .home, .end, .control:
            return isTyping && field.press(key)
        case .escape, .enter, .tab, .backTab, .function:
            isTyping = false
            return false
        case .alt, .insert, .up, .down, .pageUp, .pageDown: return false
        }
    }
}

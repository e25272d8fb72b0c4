import Text

/// The clipboard of a terminal: the control sequence OSC 52, which most terminals understand and the others ignore.
enum Clipboard {
    /// The most bytes that are copied; terminals refuse longer sequences.
    static let byteCountMax = 8192

    /// The bytes that put a text into the clipboard, as far as it fits.
    static func sequence(for text: String) -> [UInt8] {
        var text = text
        while text.utf8.count > byteCountMax { text.removeLast() }
        return Array("\u{1B}]52;c;".utf8) + Base64.text(Array(text.utf8)) + Array("\u{1B}\\".utf8)
    }
}

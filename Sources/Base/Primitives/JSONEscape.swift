/// The escapes of JSON texts that have one letter.
///
/// Source: RFC 8259.
package enum JSONEscape {
    /// The character that a letter after a backslash stands for; nil for `u`, whose digits follow, and for letters that
    /// escape nothing.
    package static func character(named letter: UInt8) -> UInt8? {
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): letter
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: nil
        }
    }
}

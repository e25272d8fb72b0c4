import Primitives
import TestSupport
import Testing

@testable import Terminal

struct SanitizedTextTests {
    @Test(arguments: [
        ("Lagoon", "Lagoon"),
        ("露天風呂 onsen", "露天風呂 onsen"),
        ("Kids’ pool №2 – naïve", "Kids’ pool №2 – naïve"),
        ("\u{1B}[31mred\u{1B}[0m", "[31mred[0m"),
        ("\u{1B}]0;title\u{07}", "]0;title"),
        ("\u{9B}31m", "31m"),
        ("a\u{202E}b\u{2066}c\u{200F}d", "abcd"),
        ("a\u{200B}b\u{FEFF}c\u{AD}d\u{2060}e", "abcde"),
        ("a\u{3164}b\u{115F}c\u{34F}d", "abcd"),
        ("\u{E000}\u{F8FF}x\u{10FFFD}", "x"),
        ("\u{378}\u{FFFE}y", "y"),
        ("line\nbreak\r\n\ttab", "linebreaktab"),
        ("two\u{A0}kinds\u{3000}of\u{2003}space", "two kinds of space"),
        ("  trimmed  ", "trimmed"),
        ("👩‍🚀 and ♨️ and 👍🏽", "👩 and ♨ and 👍"),
        ("🇯🇵", "🇯🇵"),
        ("e\u{301}", "e\u{301}"),
        ("z\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}\u{307}", "z\u{301}\u{302}\u{303}\u{304}\u{305}"),
        ("\u{301}alone", "alone"),
        ("\u{E0001}tag\u{E0061}", "tag"),
        ("", ""),
        ("\u{200B}\u{202E}", ""),
    ])
    func `what a stranger wrote is shown without what could do harm`(text: String, expected: String) {
        #expect(text.sanitized == expected)
    }

    @Test
    func `a text of any length is bounded`() {
        #expect(String(repeating: "x", count: 100_000).sanitized.count == 256)
        let marks = "z" + String(repeating: "\u{301}", count: 100_000)
        #expect(marks.sanitized.unicodeScalars.count == 6)
    }

    @Test
    func `sanitizing twice changes nothing more`() {
        var generator = SplitMix64(seed: 8)
        for _ in 0..<2000 {
            var text = ""
            for _ in 0..<8 {
                let shift = UInt32.random(in: 0...14, using: &generator)
                let value = UInt32.random(in: 0...0x1F_FFFF, using: &generator) >> shift
                if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
            }
            let once = text.sanitized
            #expect(once.sanitized == once, "\(text.unicodeScalars.map { String($0.value, radix: 16) })")
        }
    }
}

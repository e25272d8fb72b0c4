import Testing

@testable import Terminal

struct DisplayWidthTests {
    /// The widths according to Python's wcwidth package.
    @Test(
        arguments: [
            ("a", 1), ("~", 1), (" ", 1), ("é", 1), ("e\u{301}", 1), ("ß", 1), ("Ж", 1), ("א", 1), ("ก", 1),
            ("露", 2), ("天", 2), ("あ", 2), ("ア", 2), ("ｱ", 1), ("Ａ", 2), ("한", 2), ("\u{1112}\u{1161}\u{11AB}", 2),
            ("　", 2), ("、", 2), ("㎎", 2), ("￦", 2), ("𠀀", 2), ("\u{303F}", 1),
            ("●", 1), ("▲", 1), ("◆", 1), ("○", 1), ("◌", 1), ("─", 1), ("╭", 1), ("█", 1), ("▀", 1), ("⣿", 1),
            ("°", 1), ("…", 1), ("·", 1), ("↗", 1), ("→", 1), ("–", 1), ("•", 1),
            ("👍", 2), ("👍🏽", 2), ("👩‍🚀", 2), ("🏊", 2), ("🇯🇵", 2), ("🇯", 2), ("⌚", 2), ("⚡", 2), ("⭐", 2), ("🫧", 2),
            ("❤", 1), ("❤\u{FE0F}", 2), ("☁", 1), ("☁\u{FE0F}", 2), ("♨", 1), ("♨\u{FE0F}", 2), ("©\u{FE0F}", 2),
            ("1\u{FE0F}\u{20E3}", 2), ("☰", 2), ("䷀", 2),
            ("\u{1B}", 0), ("\u{7F}", 0), ("\u{9B}", 0), ("\n", 0), ("\r\n", 0), ("\u{200B}", 0), ("\u{200D}", 0),
            ("\u{202E}", 0), ("\u{2066}", 0), ("\u{FEFF}", 0), ("\u{301}", 0), ("\u{FE0F}", 0), ("\u{2028}", 0),
            ("\u{1160}", 0),
        ] as [(Character, Int)])
    func `a character takes the columns that terminals give it`(character: Character, columns: Int) {
        #expect(displayWidth(character) == columns)
    }

    @Test
    func `the width of a text is the sum of its characters`() {
        #expect("露天風呂 onsen".displayWidth == 14)
        #expect("".displayWidth == 0)
        #expect("👩‍🚀é\u{200B}x".displayWidth == 4)
    }
}

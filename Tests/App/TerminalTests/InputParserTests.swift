import Testing

@testable import Terminal

/// Terminal input other than keys: pasted text, the mouse and the focus.
struct InputParserTests {
    private static let q = TerminalInput.key(.character("q"))

    /// The bytes that terminals send with the modes 1000, 1006, 1004 and 2004 set, and without 1006.
    private static let table: [(bytes: String, inputs: [TerminalInput])] = [
        ("\u{1B}[<0;12;7M", [.mouse(Mouse(.click, x: 11, y: 6))]),
        ("\u{1B}[<0;12;7m", [.mouse(Mouse(.release, x: 11, y: 6))]),
        ("\u{1B}[<1;1;1M", [.mouse(Mouse(.middleClick, x: 0, y: 0))]),
        ("\u{1B}[<2;240;70M", [.mouse(Mouse(.rightClick, x: 239, y: 69))]),
        ("\u{1B}[<64;3;4M", [.mouse(Mouse(.wheelUp, x: 2, y: 3))]),
        ("\u{1B}[<65;3;4M", [.mouse(Mouse(.wheelDown, x: 2, y: 3))]),
        // With Shift, Alt and Control.
        ("\u{1B}[<28;1000;500M", [.mouse(Mouse(.click, x: 999, y: 499))]),
        ("\u{1B}[<69;3;4Mq", [.mouse(Mouse(.wheelDown, x: 2, y: 3)), q]),
        // A horizontal wheel, and a fourth button.
        ("\u{1B}[<66;3;4Mq", [q]), ("\u{1B}[<128;3;4Mq", [q]),
        ("\u{1B}[M +(q", [.mouse(Mouse(.click, x: 10, y: 7)), q]),
        ("\u{1B}[M#+(q", [.mouse(Mouse(.release, x: 10, y: 7)), q]),
        ("\u{1B}[Ma+(q", [.mouse(Mouse(.wheelDown, x: 10, y: 7)), q]),
        ("\u{1B}[I", [.focus(true)]), ("\u{1B}[Oq", [.focus(false), q]),
        ("\u{1B}[200~q\u{1B}[201~q", [.paste("q"), q]),
        ("\u{1B}[200~\u{1B}[201~q", [.paste(""), q]),
        ("\u{1B}[200~露天\r\nb\rc\td\u{1B}[31me\u{0}\u{1B}[201~", [.paste("露天\nb\nc d[31me")]),
        ("\u{1B}[200~\u{1B}[A\u{1B}[201~\u{1B}[A", [.paste("[A"), .key(.up)]),
    ]

    @Test
    func `a report means what the person did, wherever it is cut`() {
        for (text, inputs) in Self.table {
            let bytes = Array(text.utf8)
            for cut in 0...bytes.count {
                var parser = KeyParser()
                let first = parser.feed(bytes[..<cut])
                #expect(first + parser.feed(bytes[cut...]) == inputs, "\(text.debugDescription) at \(cut)")
                #expect(!parser.isInsideSequence)
            }
        }
    }

    @Test
    func `of a long text the beginning is kept, and its end is still seen`() {
        var parser = KeyParser()
        let text = String(repeating: "pool ", count: 40_000)
        let inputs = parser.feed(Array("\u{1B}[200~\(text)\u{1B}[201~q".utf8))
        #expect(inputs == [.paste(String(text.prefix(KeyParser.pasteCountMax))), Self.q])
    }

    @Test
    func `a text whose end never comes is given after a while, and keys work again`() {
        var parser = KeyParser()
        #expect(parser.feed(Array("\u{1B}[200~pool".utf8)).isEmpty)
        #expect(parser.isInsidePaste)
        #expect(parser.flush() == .paste("pool"))
        #expect(parser.feed(Array("q".utf8)) == [Self.q])
    }
}

import Primitives
import TestSupport
import Testing

@testable import Terminal

struct KeyParserTests {
    /// The bytes that terminals send, and the keys that they mean.
    static let table: [(bytes: String, keys: [Key])] = [
        ("q", [.character("q")]), ("é", [.character("é")]), ("風", [.character("風")]), ("👍", [.character("👍")]),
        ("ab", [.character("a"), .character("b")]), (" ", [.character(" ")]),
        ("\r", [.enter]), ("\n", [.enter]), ("\t", [.tab]), ("\u{7F}", [.backspace]), ("\u{8}", [.backspace]),
        ("\u{3}", [.control("c")]), ("\u{C}", [.control("l")]), ("\u{1A}", [.control("z")]), ("\0", [.control(" ")]),
        ("\u{1C}", [.control("\\")]),
        ("\u{1B}[A", [.up]), ("\u{1B}[B", [.down]), ("\u{1B}[C", [.right]), ("\u{1B}[D", [.left]),
        ("\u{1B}OA", [.up]), ("\u{1B}OD", [.left]), ("\u{1B}[1;5C", [.right]), ("\u{1B}[Z", [.backTab]),
        ("\u{1B}[H", [.home]), ("\u{1B}[1~", [.home]), ("\u{1B}OH", [.home]), ("\u{1B}[F", [.end]),
        ("\u{1B}[4~", [.end]), ("\u{1B}[2~", [.insert]), ("\u{1B}[3~", [.delete]), ("\u{1B}[3;5~", [.delete]),
        ("\u{1B}[5~", [.pageUp]), ("\u{1B}[6~", [.pageDown]),
        ("\u{1B}OP", [.function(1)]), ("\u{1B}[15~", [.function(5)]), ("\u{1B}[24~", [.function(12)]),
        ("\u{1B}[34~", [.function(20)]), ("\u{1B}[[A", [.function(1)]), ("\u{1B}[[E", [.function(5)]),
        ("\u{1B}x", [.alt("x")]), ("\u{1B}\u{1B}[A", [.escape, .up]),
        // Unrequested sequences are discarded completely, and the bytes after them are not.
        ("\u{1B}[?62;22cq", [.character("q")]), ("\u{1B}[201~q", [.character("q")]),
        ("\u{1B}[<35;12;7Mq", [.character("q")]), ("\u{1B}[<0;0;7Mq", [.character("q")]),
        ("\u{1B}[<0;12Mq", [.character("q")]), ("\u{1B}[<0;99999999999999999999;1Mq", [.character("q")]),
        ("\u{1B}[12;40Rq", [.function(3), .character("q")]), ("\u{1B}[[zq", [.character("q")]),
        ("\u{1B}]11;rgb:0000/0000/0000\u{7}q", [.character("q")]),
        ("\u{1B}]11;rgb:ff/ff/ff\u{1B}\\q", [.character("q")]), ("\u{1B}P1+r\u{1B}\\q", [.character("q")]),
        ("\u{1B}[999999999999999999999999999999;1~q", [.character("q")]),
        ("\u{1B}[1\u{18}q", [.character("q")]), ("\u{1B}[1\u{1B}[Aq", [.up, .character("q")]),
        ("\u{1B}O\u{1B}[Bq", [.down, .character("q")]),
        ("\u{85}q", [.character("q")]),
    ]

    @Test
    func `a sequence means its key`() {
        for (text, keys) in Self.table {
            var parser = KeyParser()
            #expect(parser.feed(Array(text.utf8)) == keys.map { .key($0) }, "\(text.debugDescription)")
            #expect(!parser.isInsideSequence, "\(text.debugDescription)")
        }
    }

    @Test
    func `a sequence that comes in pieces means the same, wherever it is cut`() {
        for (text, keys) in Self.table {
            let bytes = Array(text.utf8)
            for cut in 0...bytes.count {
                var parser = KeyParser()
                let first = parser.feed(bytes[..<cut])
                let all = first + parser.feed(bytes[cut...])
                #expect(all == keys.map { .key($0) }, "\(text.debugDescription) at \(cut)")
            }
            var drip = KeyParser()
            #expect(bytes.flatMap { drip.feed([$0]) } == keys.map { .key($0) })
        }
    }

    @Test
    func `an escape that nothing follows is the Escape key`() {
        var parser = KeyParser()
        #expect(parser.feed([0x1B]).isEmpty)
        #expect(parser.isInsideSequence)
        #expect(parser.flush() == .key(.escape))
        #expect(!parser.isInsideSequence)
        #expect(parser.flush() == nil)

        #expect(parser.feed(Array("\u{1B}[".utf8)).isEmpty)
        #expect(parser.flush() == .key(.alt("[")))
        #expect(parser.feed(Array("\u{1B}[12".utf8)).isEmpty)
        #expect(parser.flush() == nil)
        #expect(parser.feed(Array("q".utf8)) == [.key(.character("q"))])
    }

    @Test(
        arguments: [
            [0xFF, 0x71], [0x80, 0x71], [0xC3, 0x71], [0xE9, 0xA2, 0x71], [0xC0, 0x80, 0x71], [0xED, 0xA0, 0x80, 0x71],
            [0xF4, 0x90, 0x80, 0x80, 0x71], [0xF8, 0x71], [0xC2, 0x9B, 0x71],
        ] as [[UInt8]])
    func `bytes that are no text are swallowed, and what follows is not`(bytes: [UInt8]) {
        var parser = KeyParser()
        #expect(parser.feed(bytes) == [.key(.character("q"))])
    }

    @Test
    func `any bytes are survived, in the same way in any pieces`() {
        var generator = SplitMix64(seed: 77)
        let favourites: [UInt8] = [0x1B, 0x5B, 0x4F, 0x3B, 0x31, 0x7E, 0x41, 0xC3, 0xA9, 0xE9, 0x07, 0x5D, 0x50]
        for _ in 0..<500 {
            let bytes = (0..<40).map { _ in
                Bool.random(using: &generator)
                    ? favourites.randomElement(using: &generator) ?? 0 : UInt8.random(in: 0...255, using: &generator)
            }
            var whole = KeyParser()
            var drip = KeyParser()
            #expect(whole.feed(bytes) == bytes.flatMap { drip.feed([$0]) })
        }
    }
}

import Primitives
import TestSupport
import Testing

@testable import Terminal

/// Text wrapped to a number of columns.
struct LineWrappingTests {
    @Test func `a text is broken at blanks, and a word that is too long is cut`() {
        #expect("the pool is warm".wrapped(columns: 8, lines: 4) == ["the pool", "is warm"])
        #expect("the pool is warm".wrapped(columns: 16, lines: 4) == ["the pool is warm"])
        #expect("chlorinator on".wrapped(columns: 6, lines: 4) == ["chlori", "nator", "on"])
        #expect("".wrapped(columns: 6, lines: 4) == [""])
    }

    @Test func `the last line that there is room for says that more follows`() {
        #expect("the pool is warm".wrapped(columns: 8, lines: 1) == ["the poo…"])
        #expect("one two three four".wrapped(columns: 7, lines: 2) == ["one two", "three …"])
    }

    @Test func `an indentation is one of all lines`() {
        #expect("  the pool is warm".wrapped(columns: 10, lines: 4) == ["  the pool", "  is warm"])
        // It leaves at least half of a line.
        #expect("        warm".wrapped(columns: 8, lines: 4) == ["    warm"])
    }

    @Test func `no line is wider than its columns, and no letter is lost`() {
        var generator = SplitMix64(seed: 5)
        let letters = Array("ab é水🏊 \u{301} ")
        for _ in 0..<300 {
            let text = String(
                (0..<Int.random(in: 0...60, using: &generator)).map { _ in
                    letters.randomElement(using: &generator) ?? "a"
                })
            let columns = Int.random(in: 4...20, using: &generator)
            let lines = text.wrapped(columns: columns, lines: 1000)
            #expect(lines.allSatisfy { $0.displayWidth <= columns }, "\(text) in \(columns)")
            #expect(lines.joined().filter { $0 != " " } == text.filter { $0 != " " }, "\(text) in \(columns)")
        }
    }
}

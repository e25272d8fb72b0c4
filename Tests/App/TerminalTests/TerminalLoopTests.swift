import TerminalFixture
import Testing

@testable import Terminal

/// The loop without a terminal: its clock and its events are controlled by the test.
struct TerminalLoopTests {
    /// Records its calls and shows a word.
    private struct Scribe: TerminalProgram {
        var word = "one"
        var code = "psw2-0123456789abcdef0123456789"
        var refreshes = 0
        var draws = 0
        var inputs: [TerminalInput] = []
        var refreshAnswer = TerminalAnswer.redraw
        var lastView = TerminalView(size: Size(columns: 0, rows: 0))

        mutating func draw(in view: TerminalView) -> CellBuffer {
            draws += 1
            lastView = view
            var buffer = CellBuffer(Size(columns: 8, rows: 2))
            buffer.write(word, x: 0, y: 0, style: Style())
            return buffer
        }

        mutating func handle(_ input: TerminalInput, in view: TerminalView) -> TerminalAnswer {
            inputs.append(input)
            switch input {
            case .key(.character("q")): return .end
            case .key(.character("x")):
                word = "two"
                return .redraw
            case .key(.character("y")): return .copy("Größe 27.3 °C")
            case .key(.character("o")): return .reveal(code)
            default: return .unchanged
            }
        }

        mutating func refresh(in view: TerminalView) -> TerminalAnswer {
            refreshes += 1
            return refreshAnswer
        }
    }

    private let size = Size(columns: 12, rows: 3)

    private func loop(_ scribe: Scribe = Scribe()) -> TerminalLoop<Scribe> {
        TerminalLoop(scribe, depth: .mono)
    }

    private func isShown(_ work: TerminalLoop<Scribe>.Work) -> Bool {
        if case .show = work { true } else { false }
    }

    @Test
    func `the first frame comes at once and then only what changed costs bytes`() {
        var loop = loop()
        #expect(isShown(loop.work(at: .zero, size: size)))
        #expect(loop.work(at: .zero, size: size) == .wait)
        for second in 1...10 {
            #expect(loop.work(at: .seconds(second), size: size) == .wait)
        }
        #expect(loop.program.refreshes == 11 && loop.program.draws == 11)
    }

    @Test
    func `what is copied goes to the terminal's clipboard once, also if nothing changed on the screen`() {
        var loop = loop()
        _ = loop.work(at: .zero, size: size)
        #expect(loop.take(.input(.key(.character("y"))), at: .seconds(1)) == nil)
        let sequence = "\u{1B}]52;c;R3LDtsOfZSAyNy4zIMKwQw==\u{1B}\\"
        #expect(loop.work(at: .milliseconds(1020), size: size) == .show(Array(sequence.utf8)))
        #expect(loop.work(at: .milliseconds(3000), size: size) == .wait)
    }

    @Test func `a text that is shown alone is one line of the terminal without a frame, until the next key`() {
        var loop = loop()
        var terminal = MiniTerminal(size)
        func feed(_ work: TerminalLoop<Scribe>.Work) -> String {
            guard case .show(let bytes) = work else { return "" }
            terminal.feed(bytes)
            return String(decoding: bytes, as: UTF8.self)
        }
        _ = feed(loop.work(at: .zero, size: size))

        #expect(loop.take(.input(.key(.character("o"))), at: .seconds(1)) == nil)
        let alone = feed(loop.work(at: .seconds(2), size: size))
        // Without mouse reports and with the terminal's own wrapping, so that it selects all rows as one line.
        for sequence in ["\u{1B}[?1000l", "\u{1B}[?7h", "\u{1B}[2J\u{1B}[H\(loop.program.code)\r\n"] {
            #expect(alone.contains(sequence), "\(sequence.dropFirst())")
        }
        #expect(loop.take(.woken, at: .seconds(3)) == nil)
        #expect(loop.take(.input(.focus(true)), at: .seconds(3)) == nil)
        #expect(loop.work(at: .seconds(4), size: size) == .wait, "what happens meanwhile is not drawn")
        #expect(loop.deadline > .seconds(4), "the loop sleeps")

        #expect(loop.take(.input(.key(.character("q"))), at: .seconds(5)) == nil, "any key returns, and does no more")
        let after = feed(loop.work(at: .seconds(6), size: size))
        #expect(after.contains("\u{1B}[?7l\u{1B}[?1000h\u{1B}[?1006h") && after.contains("one"))
        #expect(loop.take(.input(.key(.character("q"))), at: .seconds(7)) == .quit)
    }

    @Test func `where the mouse is left to the terminal, it stays so after a text alone`() {
        var loop = TerminalLoop(Scribe(), depth: .mono, usesMouse: false)
        _ = loop.work(at: .zero, size: size)
        _ = loop.take(.input(.key(.character("o"))), at: .seconds(1))
        _ = loop.work(at: .seconds(2), size: size)
        _ = loop.take(.input(.key(.enter)), at: .seconds(3))
        guard case .show(let bytes) = loop.work(at: .seconds(4), size: size) else {
            Issue.record("nothing is drawn")
            return
        }
        #expect(!String(decoding: bytes, as: UTF8.self).contains("?1000h"))
    }

    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"), ("\u{FB}\u{FF}", "w7vDvw=="),
    ])
    func `the clipboard takes Base64, the vectors of RFC 4648`(text: String, encoded: String) {
        #expect(Clipboard.sequence(for: text) == Array("\u{1B}]52;c;\(encoded)\u{1B}\\".utf8))
    }

    @Test
    func `a text that is too long for the clipboard is cut at a character`() {
        let bytes = Clipboard.sequence(for: String(repeating: "°", count: 10_000))
        #expect(bytes.count == 7 + (Clipboard.byteCountMax + 2) / 3 * 4 + 2)
    }

    @Test
    func `the world is looked at once a second, and drawn only if something changed`() {
        var loop = loop(Scribe(refreshAnswer: .unchanged))
        #expect(isShown(loop.work(at: .zero, size: size)))
        #expect(loop.deadline == .seconds(1))
        #expect(loop.work(at: .milliseconds(999), size: size) == .wait)
        #expect(loop.program.refreshes == 1)
        #expect(loop.work(at: .seconds(1), size: size) == .wait)
        #expect(loop.program.refreshes == 2 && loop.program.draws == 1)
    }

    @Test
    func `a key is answered within 20 ms, however many come`() {
        var loop = loop(Scribe(refreshAnswer: .unchanged))
        _ = loop.work(at: .zero, size: size)
        #expect(loop.take(.input(.key(.character("x"))), at: .milliseconds(5)) == nil)
        #expect(loop.deadline == .milliseconds(20))
        #expect(loop.work(at: .milliseconds(10), size: size) == .wait)
        #expect(isShown(loop.work(at: .milliseconds(20), size: size)))
        #expect(loop.program.draws == 2)
    }

    @Test
    func `between two frames that take long there is time for what is typed`() {
        var loop = loop(Scribe(refreshAnswer: .unchanged))
        _ = loop.work(at: .zero, size: size)
        loop.finishFrame(begunAt: .zero, at: .seconds(2))
        #expect(loop.take(.input(.key(.character("x"))), at: .seconds(2)) == nil)
        #expect(loop.deadline == .seconds(2) + .milliseconds(20))
        #expect(loop.work(at: .seconds(2) + .milliseconds(19), size: size) == .wait)
        #expect(isShown(loop.work(at: .seconds(2) + .milliseconds(20), size: size)))
        #expect(loop.program.draws == 2)
    }

    @Test
    func `a storm of wakes is ten frames a second`() {
        var loop = loop()
        _ = loop.work(at: .zero, size: size)
        for millisecond in 1...1000 {
            #expect(loop.take(.woken, at: .milliseconds(millisecond)) == nil)
            _ = loop.work(at: .milliseconds(millisecond), size: size)
        }
        #expect(loop.program.refreshes == 11)
    }

    @Test
    func `after two minutes without a key nobody seems to look, until a key comes`() {
        var loop = loop()
        _ = loop.work(at: .zero, size: size)
        #expect(loop.take(.input(.key(.up)), at: .seconds(10)) == nil)
        _ = loop.work(at: .seconds(129), size: size)
        #expect(!loop.program.lastView.isUnattended)
        #expect(loop.deadline == .seconds(130))
        _ = loop.work(at: .seconds(130), size: size)
        #expect(loop.program.lastView.isUnattended)

        // From then on, wake-ups are drawn at most once a second.
        let before = loop.program.refreshes
        for tick in 1...30 {
            _ = loop.take(.woken, at: .seconds(130) + .milliseconds(100 * tick))
            _ = loop.work(at: .seconds(130) + .milliseconds(100 * tick), size: size)
        }
        #expect(loop.program.refreshes == before + 3)

        #expect(loop.take(.input(.key(.up)), at: .seconds(140)) == nil)
        _ = loop.work(at: .seconds(140) + .milliseconds(100), size: size)
        #expect(!loop.program.lastView.isUnattended)
    }

    @Test
    func `a window that loses the focus is still looked at, and the program is not asked`() {
        var loop = loop()
        _ = loop.work(at: .zero, size: size)
        _ = loop.take(.input(.focus(false)), at: .seconds(1))
        _ = loop.work(at: .seconds(119), size: size)
        #expect(!loop.program.lastView.isUnattended)
        _ = loop.work(at: .seconds(120), size: size)
        #expect(loop.program.lastView.isUnattended)
        _ = loop.take(.input(.focus(true)), at: .seconds(122))
        _ = loop.work(at: .seconds(122) + .milliseconds(20), size: size)
        #expect(!loop.program.lastView.isUnattended)
        #expect(loop.program.inputs.isEmpty)
    }

    @Test(arguments: [
        TerminalEvent.input(.key(.control("l"))), .resumed, .resized(Size(columns: 12, rows: 3)),
    ])
    func `everything is drawn anew when the screen may have been lost`(event: TerminalEvent) {
        var loop = loop()
        let first = loop.work(at: .zero, size: size)
        #expect(loop.take(event, at: .milliseconds(500)) == nil)
        #expect(loop.work(at: .milliseconds(500), size: size) == first)
        #expect(loop.program.inputs.isEmpty)
    }

    @Test
    func `a smaller buffer leaves no rest of what was shown before`() {
        var loop = loop()
        var terminal = MiniTerminal(size)
        terminal.feed(Array("\u{1B}[?7l".utf8))
        if case .show(let bytes) = loop.work(at: .zero, size: size) { terminal.feed(bytes) }
        #expect(terminal.text.hasPrefix("one "))
        #expect(loop.program.lastView.size == size)
        let wide = Size(columns: 30, rows: 4)
        #expect(isShown(loop.work(at: .milliseconds(500), size: wide)))
        #expect(loop.program.lastView.size == wide)
    }

    @Test
    func `each way to end has the exit status that a shell expects`() {
        var loop = loop()
        #expect(loop.take(.input(.key(.character("q"))), at: .zero)?.exitStatus == 0)
        #expect(loop.take(.terminationRequested(.terminate), at: .zero)?.exitStatus == 143)
        #expect(loop.take(.terminationRequested(.interrupt), at: .zero)?.exitStatus == 130)
        #expect(loop.take(.terminationRequested(.hangup), at: .zero)?.exitStatus == 129)
        #expect(loop.take(.inputClosed, at: .zero)?.exitStatus == 129)
        #expect(LoopEnd.stopped.exitStatus == 0)
    }

    @Test
    func `a program that has nothing to show any more ends the loop`() {
        var loop = loop(Scribe(refreshAnswer: .end))
        #expect(loop.work(at: .zero, size: size) == .end)
    }
}

#if os(Linux)
    import TerminalFixture
    import Foundation
    import TestSupport
    import PoolModel
    import Testing

    @testable import TerminalUI

    /// A user's actions and their effects in a real terminal: a pseudo-terminal.
    @Suite(.longWork) struct InteractionTests {
        private func start(
            _ arguments: String..., environment: [String: String] = PseudoTerminal.colorful
        ) throws -> PseudoTerminal {
            try PseudoTerminal.lifecycle(arguments, environment: environment)
        }

        /// The glance that the program shows.
        private func glance(_ terminal: PseudoTerminal) -> Glance {
            let gauge = Glance.Gauge(
                quantity: .temperature, value: 27.3, status: .normal, deviation: nil, freshness: .live, ageSeconds: 4,
                limits: Quantity.temperature.facts.limits, trend: .steady, history: [])
            return Glance(
                deviceName: "pool \(terminal.process)", gauges: [gauge], freshness: .live, ageSeconds: 4,
                link: .linked, revision: 1, clock: "10:09")
        }

        // MARK: Modes

        @Test
        func `clicks, the focus and pasted texts are asked for, and no moves`() throws {
            let terminal = try start("face")
            try terminal.wait(for: "TEMP")
            #expect(terminal.screen.modes.isSuperset(of: [1000, 1006, 1004, 2004]))
            #expect(terminal.screen.modes.isDisjoint(with: [1002, 1003, 9, 1015]))
            terminal.send("qq")
            #expect(try terminal.waitForExit() == .exited(0))
            #expect(terminal.screen.isGivenBack)
        }

        @Test
        func `without the mouse its reports stay off`() throws {
            let terminal = try start("face", "--no-mouse")
            try terminal.wait(for: "TEMP")
            #expect(terminal.screen.modes.isDisjoint(with: [1000, 1006]))
        }

        @Test
        func `each thing that a person does comes as an event`() throws {
            let terminal = try start("events")
            try terminal.wait(for: "ready")
            for (bytes, words) in [
                ("\u{1B}[<0;12;7M", "Action.click, x: 11, y: 6)"),
                ("\u{1B}[<65;1;1M", "Action.wheelDown"), ("\u{1B}[O", "focus(false)"),
                ("\u{1B}[200~two\rlines\u{1B}[201~", #"paste("two\nlines")"#),
                ("\u{1B}x", #"alt("x")"#), ("\u{1B}[Z", "backTab"), ("\u{1B}[15~", "function(5)"),
            ] {
                terminal.send(bytes)
                try terminal.wait(for: words)
            }
        }

        @Test
        func `a sequence that comes in pieces is one key`() throws {
            let terminal = try start("events")
            try terminal.wait(for: "ready")
            terminal.send("\u{1B}[200~a")
            terminal.send("b\u{1B}[20")
            terminal.send("1~")
            try terminal.wait(for: #"paste("ab")"#)
        }

        // MARK: Faces

        @Test
        func `at every size the screen shows what the face is for it`() throws {
            let terminal = try start("face")
            try terminal.wait(for: "TEMP")
            for (columns, rows) in [
                (1, 1), (2, 1), (7, 1), (36, 1), (100, 1), (1, 40), (20, 5), (24, 10), (40, 15), (43, 19), (44, 20),
                (46, 22), (80, 24), (120, 36), (200, 50), (240, 70),
            ] {
                let size = Size(columns: columns, rows: rows)
                var screen = WatchScreen(capabilities: Capabilities(depth: .truecolor))
                let wanted = screen.draw(glance(terminal), size: size).text
                terminal.resize(size)
                try terminal.wait(for: "the face at \(columns)×\(rows)") { trimmed($0.text) == wanted }
            }
            #expect(terminal.screen.unknown.isEmpty)
        }

        private func trimmed(_ text: String) -> String {
            text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
                var line = line
                while line.last == " " { line.removeLast() }
                return String(line)
            }.joined(separator: "\n")
        }

        @Test
        func `after many changes the screen is what a full redraw makes it`() throws {
            let terminal = try start("face", "change")
            try terminal.wait(for: "TEMP")
            for number in 1...9 {
                terminal.send("r")
                try terminal.wait(for: "10:\(10 + number)")
            }
            for keys in ["v", "v", "t", "?"] { terminal.send(keys) }
            try terminal.wait(for: "light or dark")
            terminal.send("\u{1B}")
            try terminal.wait(for: "the face alone") {
                $0.text.contains("Temperature high") && !$0.text.contains("light or dark")
            }
            let clears = { (screen: MiniTerminal) in screen.bytes.split(separator: Array("\u{1B}[2J".utf8)).count }
            try terminal.wait(for: "the compact face") { !$0.modes.contains(2026) && $0.text.contains("10:19") }
            let before = (cells: terminal.screen.cells, clears: clears(terminal.screen))
            terminal.send("\u{C}")
            try terminal.wait(for: "a full redraw") { clears($0) > before.clears && !$0.modes.contains(2026) }
            #expect(terminal.screen.cells == before.cells)
        }

        @Test
        func `the help opens over the face and closes again`() throws {
            let terminal = try start("face")
            try terminal.wait(for: "TEMP")
            terminal.send("?")
            try terminal.wait(for: "light or dark")
            terminal.send("\u{1B}")
            try terminal.wait(for: "the face alone") { !$0.text.contains("light or dark") }
        }

        @Test
        func `a key that does nothing says why, and not for long`() throws {
            let terminal = try start("face")
            try terminal.wait(for: "all in range")
            terminal.send("x")
            try terminal.wait(for: "x does nothing here")
            try terminal.wait(for: "all in range")
        }

        @Test
        func `a face that nobody has looked at for a while shows minutes, until the window gets the focus`() throws {
            let terminal = try start("face", "rest")
            try terminal.wait(for: "OK 4 s")
            try terminal.wait(for: "OK < 1 min")
            terminal.send("\u{1B}[I")
            try terminal.wait(for: "OK 4 s")
        }

        @Test
        func `v goes through the layouts`() throws {
            let terminal = try start("face")
            try terminal.wait(for: "╭")
            for words in ["layout large", "layout compact", "layout inline", "layout auto: large"] {
                terminal.send("v")
                try terminal.wait(for: words)
            }
        }

        // MARK: Colours

        @Test(arguments: [
            (["TERM": "xterm-256color", "COLORTERM": "truecolor"], "38;2;"), (["TERM": "xterm-256color"], "38;5;"),
            (["TERM": "xterm"], "97m"), (["TERM": "xterm", "FORCE_COLOR": "3"], "38;2;"),
            (["TERM": "xterm-256color", "NO_COLOR": "1", "FORCE_COLOR": "2"], "38;5;"),
            (["TERM": "xterm-256color", "NO_COLOR": "", "CLICOLOR_FORCE": "1"], "38;5;"),
        ])
        func `the colours are as many as the environment says`(environment: [String: String], sequence: String) throws {
            let terminal = try start("face", environment: environment)
            try terminal.wait(for: "╰")
            #expect(terminal.screen.bytes.firstRange(of: Array(sequence.utf8)) != nil)
            for other in ["38;2;", "38;5;"] where other != sequence {
                #expect(terminal.screen.bytes.firstRange(of: Array(other.utf8)) == nil)
            }
        }

        @Test
        func `a dumb terminal gets sentences`() throws {
            let terminal = try start("face", environment: ["TERM": "dumb"])
            #expect(try terminal.waitForExit() == .exited(0))
            #expect(!terminal.screen.bytes.contains(0x1B))
            #expect(terminal.screen.text.contains("Temperature: 27.3 °C, OK"))
        }

        @Test
        func `the console of the kernel gets nothing but ASCII`() throws {
            let terminal = try start("face", environment: ["TERM": "linux"])
            try terminal.wait(for: "+--")
            #expect(terminal.screen.bytes.allSatisfy { $0 < 0x80 })
        }
    }
#endif

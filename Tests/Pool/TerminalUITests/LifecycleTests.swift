#if os(Linux)
    import TerminalFixture
    import Foundation
    import Glibc
    import TestSupport
    import Testing

    @testable import TerminalUI

    /// The terminal session from outside: a program is started in a pseudo-terminal and ended in every way.
    struct LifecycleTests {
        private func start(
            _ arguments: String..., environment: [String: String] = PseudoTerminal.colorful
        ) throws -> PseudoTerminal {
            try PseudoTerminal.lifecycle(arguments, environment: environment)
        }

        private func expectGivenBack(_ terminal: PseudoTerminal) {
            #expect(terminal.screen.modes == [7, 25])
            #expect(terminal.modes == terminal.initialModes)
            #expect(terminal.screen.unknown.isEmpty)
        }

        // MARK: Ends

        @Test
        func `q ends the face and gives the terminal back`() throws {
            let terminal = try start("face")
            try terminal.wait(for: "TEMP")
            #expect(terminal.screen.isOnAlternateScreen && !terminal.screen.isCursorVisible)
            #expect(terminal.modes != terminal.initialModes)

            terminal.send("qq")

            #expect(try terminal.waitForExit() == .exited(0))
            expectGivenBack(terminal)
            #expect(terminal.screen.text.contains("ended with quit"))
        }

        @Test(arguments: [(SIGTERM, 143), (SIGINT, 130), (SIGHUP, 129)] as [(Int32, Int32)])
        func `a signal that asks for the end is obeyed`(number: Int32, status: Int32) throws {
            let terminal = try start("face")
            try terminal.wait(for: "TEMP")

            terminal.signal(number)

            #expect(try terminal.waitForExit() == .exited(status))
            expectGivenBack(terminal)
        }

        @Test
        func `^C ends like an interrupt`() throws {
            let terminal = try start("face")
            try terminal.wait(for: "TEMP")
            terminal.send("\u{3}")
            #expect(try terminal.waitForExit() == .exited(130))
        }

        @Test(arguments: [SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGQUIT, SIGSYS])
        func `a fatal signal still kills, after the terminal was given back`(number: Int32) throws {
            let terminal = try start("face")
            try terminal.wait(for: "TEMP")

            terminal.signal(number)

            #expect(try terminal.waitForExit() == .killed(number))
            expectGivenBack(terminal)
        }

        @Test(arguments: [("fault", SIGSEGV), ("overflow", SIGSEGV), ("fatalError", SIGILL)])
        func `a fault of its own kills it, after the terminal was given back`(deed: String, number: Int32) throws {
            let terminal = try start("face", deed)
            try terminal.wait(for: "TEMP")

            terminal.send("r")

            #expect([.killed(number), .killed(SIGTRAP)].contains(try terminal.waitForExit()))
            expectGivenBack(terminal)
            if deed == "fatalError" {
                // A stack trace that follows may scroll the message away.
                let shown = String(decoding: terminal.screen.bytes, as: UTF8.self)
                let afterwards = shown.split(separator: "\u{1B}[?1049l", omittingEmptySubsequences: false).last
                #expect(afterwards?.contains("a deliberate failure") == true)
            }
        }

        @Test
        func `an exit from anywhere gives the terminal back`() throws {
            let terminal = try start("face", "exit")
            try terminal.wait(for: "TEMP")
            terminal.send("r")
            #expect(try terminal.waitForExit() == .exited(7))
            expectGivenBack(terminal)
        }

        @Test
        func `a terminal that does not control the process is given back too`() throws {
            let terminal = try PseudoTerminal(
                [PseudoTerminal.program, "face"], environment: PseudoTerminal.colorful, controlsProcess: false)
            try terminal.wait(for: "TEMP")
            #expect(terminal.modes != terminal.initialModes)
            terminal.send("qq")
            #expect(try terminal.waitForExit() == .exited(0))
            expectGivenBack(terminal)
        }

        @Test
        func `a program too busy to obey is ended by the second request`() throws {
            let terminal = try start("face", "hang")
            try terminal.wait(for: "TEMP")
            terminal.send("r")
            try terminal.wait(for: "hanging")

            #expect(try terminal.waitForExit(sending: SIGTERM) == .killed(SIGTERM))
            expectGivenBack(terminal)
        }

        @Test
        func `a signal is heard before the rest of what was typed`() throws {
            let terminal = try start("events")
            try terminal.wait(for: "ready")

            terminal.send("k" + String(repeating: "x", count: 10))

            try terminal.wait(for: "character(\"x\")")
            let text = terminal.screen.text
            let (signal, key) = (text.range(of: "terminationRequested"), text.range(of: "character(\"x\")"))
            #expect(try #require(signal).upperBound <= #require(key).lowerBound)
        }

        @Test
        func `what is left of a paste never reaches the shell`() throws {
            let (terminal, _) = try startInShell()

            // More than the kernel buffers: the rest is still on its way when the program ends.
            terminal.send("qq" + String(repeating: "echo leaked\r", count: 1500))

            try terminal.wait(for: "ended with quit")
            terminal.send("echo clean-$((1 + 1))\n")
            try terminal.wait(for: "clean-2")
            #expect(!terminal.screen.bytes.contains(Array("leaked".utf8)))
            #expect(terminal.screen.isGivenBack)
        }

        @Test
        func `a terminal that goes away ends the program`() throws {
            let terminal = try start("face")
            try terminal.wait(for: "TEMP")
            let process = terminal.process

            terminal.hangUp()

            var status: Int32 = 0
            // The status is written during the call only.
            #expect(unsafe waitpid(process, &status, 0) == process)
            // The end of the input may come shortly before the signal, which then finds no handler; a shell reports
            // both ends as 129.
            #expect(status == 129 << 8 || status == SIGHUP, "\(status)")
        }

        @Test
        func `a terminal that goes away while the program stands still ends it, too`() throws {
            let terminal = try start("face")
            try terminal.wait(for: "TEMP")
            let process = terminal.process
            var status: Int32 = 0
            kill(process, SIGSTOP)
            // The status is written during the call only.
            #expect(unsafe waitpid(process, &status, WUNTRACED) == process)

            // The kernel sends SIGHUP and SIGCONT; both have come when the program sees them.
            terminal.hangUp()

            #expect(unsafe waitpid(process, &status, 0) == process)
            #expect(status == 129 << 8, "\(status)")
        }

        // MARK: While it runs

        @Test
        func `a message on standard error is shown afterwards, not across the face`() throws {
            let terminal = try start("face", "error")
            try terminal.wait(for: "TEMP")
            terminal.send("r")
            terminal.send("t")
            try terminal.wait(for: "the light theme") { $0.bytes.contains(Array("48;2;247;250;252".utf8)) }
            #expect(!terminal.screen.bytes.contains(Array("on the side".utf8)))

            terminal.send("qq")

            _ = try terminal.waitForExit()
            #expect(terminal.screen.text.contains("a message on the side"))
        }

        @Test
        func `of many messages the last ones are kept`() throws {
            let terminal = try start("events")
            try terminal.wait(for: "ready")
            terminal.send("f")
            try terminal.wait(for: "character(\"f\")")
            terminal.send("x")
            try terminal.wait(for: "character(\"x\")")
            #expect(try sizeOfKeptMessages(terminal.process) <= 64 * 1024)
            terminal.send("q")

            #expect(try terminal.waitForExit() == .exited(0))
            #expect(terminal.screen.text.contains("message 20000"))
            #expect(terminal.screen.bytes.count < 20_000)
        }

        /// The contents of the in-memory file for output that is printed while the full screen is in use.
        private func sizeOfKeptMessages(_ process: pid_t) throws -> UInt64 {
            let folder = "/proc/\(process)/fd"
            let manager = FileManager.default
            let name = try manager.contentsOfDirectory(atPath: folder).first {
                // A descriptor may be closed between the listing and this call.
                let target = try? manager.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
                return target?.contains("memfd:stderr") == true
            }
            let path = "\(folder)/\(try #require(name))"
            return try #require(FileHandle(forReadingAtPath: path)).seekToEnd()
        }

        @Test
        func `the face follows the size of the terminal`() throws {
            let terminal = try start("face")
            try terminal.wait(for: "╭")
            for (columns, rows, text, isFramed) in [
                (44, 20, "all in range", false), (30, 8, "Temperature", false), (20, 1, "27.3°", false),
                (46, 22, "all in range", true),
            ] {
                terminal.resize(Size(columns: columns, rows: rows))
                try terminal.wait(for: text) { $0.text.contains(text) && $0.text.contains("╭") == isFramed }
            }
            terminal.resize(Size(columns: 1, rows: 1))
            try terminal.wait(for: "●")
            terminal.resize(Size(columns: 80, rows: 24))
            try terminal.wait(for: "╰")
        }

        @Test
        func `another thread wakes the session`() throws {
            let terminal = try start("events")
            try terminal.wait(for: "ready")
            terminal.send("w")
            try terminal.wait(for: "woken")
        }

        @Test
        func `keys come as they are pressed`() throws {
            let terminal = try start("events")
            try terminal.wait(for: "ready")
            for (bytes, key) in [
                ("é", "character(\"é\")"), ("\u{1B}[A", "up"), ("\u{1B}", "escape"), ("\u{1B}OP", "function(1)"),
            ] {
                terminal.send(bytes)
                try terminal.wait(for: "key(Key.\(key))")
            }
        }

        @Test
        func `a second session is refused and the first goes on`() throws {
            let terminal = try start("events")
            try terminal.wait(for: "ready")
            terminal.send("o")
            try terminal.wait(for: "another session of this process")
            terminal.send("x")
            try terminal.wait(for: "character(\"x\")")
            #expect(terminal.screen.isOnAlternateScreen)
        }

        @Test
        func `where there is no colour none is sent`() throws {
            let terminal = try start("face", environment: ["TERM": "xterm-256color", "NO_COLOR": "1"])
            try terminal.wait(for: "TEMP")
            #expect(!terminal.screen.bytes.contains(Array("38;".utf8)))
        }

        // MARK: Stopping and continuing

        /// A shell with the program in the foreground, and the program's process id.
        private func startInShell() throws -> (terminal: PseudoTerminal, process: pid_t) {
            let terminal = try PseudoTerminal(
                ["/bin/bash", "--norc", "--noprofile", "-i"],
                environment: PseudoTerminal.colorful.merging(["PS1": "ready>", "LC_ALL": "C.UTF-8"]) { $1 })
            try terminal.wait(for: "ready>")
            terminal.send("'\(PseudoTerminal.program)' face\n")
            try terminal.wait(for: "pool")
            try terminal.wait(for: "╰")
            let name = try #require(terminal.screen.text.firstMatch(of: /pool ([0-9]+)/))
            return (terminal, try #require(pid_t(name.output.1)))
        }

        private func expectStopped(_ terminal: PseudoTerminal) throws {
            try terminal.wait(for: "Stopped")
            #expect(terminal.screen.isGivenBack)
        }

        private func expectRunning(_ terminal: PseudoTerminal) throws {
            try terminal.wait(for: "the face") { $0.isOnAlternateScreen && $0.text.contains("╰") }
            #expect(!terminal.screen.isCursorVisible)
        }

        @Test
        func `^Z gives the terminal to the shell and fg takes it back`() throws {
            let (terminal, _) = try startInShell()
            for _ in 0..<2 {
                terminal.send("\u{1A}")
                try expectStopped(terminal)
                terminal.send("clear; fg\n")
                try expectRunning(terminal)
            }
            terminal.send("qq")
            try terminal.wait(for: "ended with quit")
            #expect(terminal.screen.isGivenBack)
        }

        @Test
        func `a stop that somebody else asks for does the same`() throws {
            let (terminal, process) = try startInShell()
            kill(process, SIGTSTP)
            try expectStopped(terminal)
            terminal.send("clear; fg\n")
            try expectRunning(terminal)
        }

        @Test
        func `after a stop that cannot be seen coming the face is drawn anew`() throws {
            let (terminal, process) = try startInShell()
            kill(process, SIGSTOP)
            try terminal.wait(for: "Stopped")
            terminal.send("clear; fg\n")
            try terminal.wait(for: "the face") { $0.text.contains("╰") && !$0.text.contains("Stopped") }
            terminal.send("qq")
            try terminal.wait(for: "ended with quit")
            #expect(terminal.screen.isGivenBack)
        }

        @Test
        func `where nobody could continue it ^Z does not stop it`() throws {
            let terminal = try start("events")
            try terminal.wait(for: "ready")
            terminal.send("\u{1A}")
            try terminal.wait(for: "resumed")
            terminal.send("x")
            try terminal.wait(for: "character(\"x\")")
        }

        // MARK: No terminal

        @Test(arguments: [["TERM": "xterm-256color"], ["TERM": "xterm-256color", "FORCE_COLOR": "1"]])
        func `into a pipe go plain sentences without any escape`(environment: [String: String]) throws {
            let process = Process()
            process.executableURL = URL(filePath: PseudoTerminal.program)
            process.arguments = ["face"]
            process.environment = environment
            let output = Pipe()
            process.standardOutput = output
            process.standardInput = FileHandle.nullDevice
            try process.run()
            let bytes = output.fileHandleForReading.readEverything()
            process.waitUntilExit()

            #expect(process.terminationStatus == 0)
            #expect(!bytes.contains(0x1B))
            #expect(String(decoding: bytes, as: UTF8.self).contains("Temperature: 27.3 °C, OK"))
        }

        @Test
        func `a session without a terminal is refused`() throws {
            let pipe = Pipe()
            let descriptor = pipe.fileHandleForReading.fileDescriptor
            #expect(throws: TerminalError.notATerminal) {
                _ = try TerminalSession(input: descriptor, output: descriptor)
            }
        }
    }
#endif

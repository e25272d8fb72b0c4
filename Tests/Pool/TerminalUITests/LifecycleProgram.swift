#if os(Linux)
    import Foundation

    extension PseudoTerminal {
        /// The program for the tests of the terminal's life, beside the test's own executable.
        static var program: String {
            // Without the link the start fails, and says so.
            let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
            return URL(filePath: own).deletingLastPathComponent().appending(path: "TerminalUILifecycle").path
        }

        static let colorful = ["TERM": "xterm-256color", "COLORTERM": "truecolor"]

        static func lifecycle(
            _ arguments: [String], environment: [String: String] = colorful
        ) throws -> PseudoTerminal {
            try PseudoTerminal([program] + arguments, environment: environment)
        }
    }
#endif

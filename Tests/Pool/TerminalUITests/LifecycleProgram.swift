#if os(Linux)
    import Foundation

    extension PseudoTerminal {
        /// The program for the tests of the terminal session, next to the tests' executable.
        static var program: String {
            // If the link does not exist, the start fails with an error.
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

/// Records what a session did and why, as lines for people.
///
/// It is off by default. `WATCHCONNECTIVITY_TRACE` turns it on for a process; its value is `stderr`, or the path of a
/// file to append to. Both sides may share one file. A line looks like this:
///     2026-11-21T09:42:55.123Z phone -> sendMessage …
///
/// It has the time in UTC, the side, a mark for the direction, and what happened:
///
/// | Mark | Meaning |
/// | --- | --- |
/// | `->` | the app calls its session |
/// | `<-` | the session calls the app |
/// | `~~` | something crossed the link, or the link changed |
/// | `--` | the device did something by itself |
/// | `!!` | a developer should look at it: a failure that no handler observed, a missing method of the delegate, an equal context that was dropped, a value that cannot be sent |
public enum SessionTrace {
    /// The destination of the lines.
    public enum Sink: Hashable, Sendable {
        /// The standard error of the process.
        case standardError
        /// A file, which is created if it does not exist.
        case file(String)

        /// The name of the variable that turns a trace on.
        public static let variable = "WATCHCONNECTIVITY_TRACE"

        /// Reads the setting from the variables of a process; nil for no trace.
        public init?(environment: [String: String]) {
            switch environment[Self.variable] {
            case nil, "": return nil
            case "stderr", "1": self = .standardError
            case .some(let path): self = .file(path)
            }
        }
    }

    /// Merges the traces of several sides into one timeline.
    ///
    /// Lines with the same millisecond stay in the order of the traces, and each trace keeps its own order. A line
    /// without a time belongs to the line above it.
    public static func merged(_ traces: [String]) -> String {
        var lines: [(time: Substring, trace: Int, text: [Substring])] = []
        for (number, trace) in traces.enumerated() {
            var last: Substring = ""
            for line in trace.split(separator: "\n") {
                if let time = TraceLine.time(of: line) {
                    // A clock that was set back does not change the order within one side.
                    last = max(last, time)
                    lines.append((last, number, [line]))
                } else if lines.last?.trace == number {
                    lines[lines.count - 1].text.append(line)
                }
            }
        }
        let ordered = lines.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
        return ordered.flatMap(\.element.text).map { $0 + "\n" }.joined()
    }
}

import SyncCore
import SyncSimulation
import Synchronization
import WatchConnectivity

extension TestPair {
    /// Something that happened, as ``TestPair/timeline`` tells it.
    public struct Event: Hashable, Sendable {
        /// What kind of thing it is.
        public enum Kind: String, Hashable, Sendable, CaseIterable {
            /// An app called its session.
            case app
            /// A session called its app.
            case call
            /// Something crossed a link, or a link changed.
            case link
            /// A device or its system did something.
            case device
            /// Something that a developer should look at: a dropped equal context, a missing method, a failure that
            /// nobody observed.
            case warning
        }

        /// The virtual time since the start of the pair.
        public let elapsed: Duration
        /// Where it happened: `phone`, `watch`, `watch 2`…, or `link` for what lies between.
        public let place: String
        /// What kind of thing it is.
        public let kind: Kind
        /// What happened.
        public let text: String

        init(elapsed: Duration, device: DeviceID?, event: TraceEvent) {
            self.elapsed = elapsed
            place = device?.place ?? "link"
            (kind, text) =
                switch event {
                case .app(let text): (.app, text)
                case .call(let text): (.call, text)
                case .link(let text): (.link, text)
                case .device(let text): (.device, text)
                case .warning(let text): (.warning, text)
                }
        }

        /// The same event in other words.
        func saying(_ text: String) -> Event {
            Event(elapsed: elapsed, place: place, kind: kind, text: text)
        }

        private init(elapsed: Duration, place: String, kind: Kind, text: String) {
            self.elapsed = elapsed
            self.place = place
            self.kind = kind
            self.text = text
        }

        /// The event as one line.
        public var line: String {
            let milliseconds = elapsed.wholeNanoseconds / 1_000_000
            let seconds = "\(milliseconds / 1000).\(String(1000 + milliseconds % 1000).dropFirst())"
            let time = String(repeating: " ", count: max(0, 9 - seconds.count)) + seconds
            return "\(time)  \(Self.padded(place, 8)) \(Self.padded(kind.rawValue, 7)) \(text)"
        }

        private static func padded(_ text: String, _ count: Int) -> String {
            text + String(repeating: " ", count: max(0, count - text.count))
        }
    }

    /// All that happened, in its order.
    public var events: [Event] { stage.world.withLock(\.timeline.lines) }

    /// All that happened on all sides, a line each: seconds, where, what kind, what (pain P20).
    ///
    /// Two pairs of the same seed that are used in the same way have the same timeline.
    public var timeline: String { events.map(\.line).joined(separator: "\n") }

    /// What a developer should look at (pains P5, P6, P8 and P15), without its times.
    public var warnings: [String] { events.filter { $0.kind == .warning }.map { "\($0.place): \($0.text)" } }
}

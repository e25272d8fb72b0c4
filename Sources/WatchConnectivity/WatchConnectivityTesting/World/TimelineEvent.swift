import SyncCore
import SyncSimulation
import WatchConnectivity

/// An event in the timeline of a ``TestPair``.
public struct TimelineEvent: Hashable, Sendable {
    /// The kind of an event.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// An app called its session.
        case app
        /// A session called its app.
        case call
        /// Something crossed a link, or a link changed.
        case link
        /// A device or its system acted.
        case device
        /// A problem for the developer: a dropped equal context, a missing method, an error that nobody received.
        case warning
    }

    /// The virtual time since the start of the pair.
    public let elapsed: Duration
    /// The place of the event: `phone`, `watch`, `watch 2`…, or `link` for a link between devices.
    public let place: String
    /// The kind of event.
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

    /// The same event with another text.
    func withText(_ text: String) -> TimelineEvent {
        TimelineEvent(elapsed: elapsed, place: place, kind: kind, text: text)
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

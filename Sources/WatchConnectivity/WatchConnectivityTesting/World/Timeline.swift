import SyncCore
import SyncSimulation
import WatchConnectivity

/// The events on all sides, in order.
struct Timeline {
    private(set) var lines: [TimelineEvent] = []
    /// The folder of the test, which has another name each time.
    private let root: String
    /// Where the events of a place go when they happen.
    private var streams: [(place: String, continuation: AsyncStream<TimelineEvent>.Continuation)] = []
    /// The short names of transfers, which have random ids, in the order of their appearance.
    private var names: [Substring: String] = [:]

    init(root: String) {
        self.root = root
    }

    mutating func add(_ now: Instant, _ device: DeviceID?, _ event: TraceEvent) {
        let line = TimelineEvent(elapsed: .nanoseconds(now.nanoseconds), device: device, event: event)
        let event = line.withText(plain(line.text))
        lines.append(event)
        for stream in streams where stream.place == event.place { stream.continuation.yield(event) }
    }

    /// The events of a place: those so far, and each one when it happens, until ``finish()``.
    mutating func stream(of place: String) -> AsyncStream<TimelineEvent> {
        let (stream, continuation) = AsyncStream.makeStream(of: TimelineEvent.self)
        for event in lines where event.place == place { continuation.yield(event) }
        streams.append((place, continuation))
        return stream
    }

    /// Ends all streams.
    mutating func finish() {
        for stream in streams { stream.continuation.finish() }
        streams = []
    }

    /// The text without parts that differ from run to run.
    private mutating func plain(_ text: String) -> String {
        let words = text.split(separator: " ", omittingEmptySubsequences: false).map { word in
            let hasEnd = word.last.map { ":,;".contains($0) } ?? false
            let (id, end) = (hasEnd ? word.dropLast() : word, hasEnd ? word.suffix(1) : "")
            guard id.utf8.count == 8, id.allSatisfy({ $0.isHexDigit }) else { return String(word) }
            let name = names[id] ?? "#\(names.count + 1)"
            names[id] = name
            return name + end
        }
        return words.joined(separator: " ").replacing(root + "/", with: "")
    }
}

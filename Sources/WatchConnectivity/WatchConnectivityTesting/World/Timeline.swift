import SyncCore
import SyncSimulation
import WatchConnectivity

/// The events on all sides, in order.
struct Timeline {
    private(set) var lines: [TimelineEvent] = []
    /// The folder of the test, which has another name each time.
    private let root: String
    /// The short names of transfers, which have random ids, in the order of their appearance.
    private var names: [Substring: String] = [:]

    init(root: String) {
        self.root = root
    }

    mutating func add(_ now: Instant, _ device: DeviceID?, _ event: TraceEvent) {
        let line = TimelineEvent(elapsed: .nanoseconds(now.nanoseconds), device: device, event: event)
        lines.append(line.withText(plain(line.text)))
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

public import PoolModel

/// Everything that a watch's menus show, at one moment: with the keys, this is their whole input.
///
/// The code that runs the watch makes it; the menus add nothing and read no clock. Texts may come from outside: the
/// menus sanitize them.
public struct WatchFacts: Equatable, Sendable {
    /// What the face shows, with the open alerts, conflicts and edits.
    public var glance: Glance
    /// The present time, by the hub's clock.
    public var now: Timestamp
    /// How far local time is ahead of UTC, in seconds; for times of day.
    public var utcOffsetSeconds = 0
    /// The configuration, with this watch's own edits applied.
    public var configuration: WatchConfiguration
    /// The device that the face shows; nil for none.
    public var shownDeviceID: DeviceID?
    /// The headline of each device, for the list of devices.
    public var headlines: [DeviceID: Headline] = [:]
    /// The alerts whose answer waits for the hub.
    public var answering: Set<AlertKey> = []
    /// The last notices of alerts from the hub, newest first.
    public var notices: [AlertNotice] = []
    /// This watch's own edits that wait for the hub, newest first.
    public var pending: [PendingEditSummary] = []
    /// This watch's own edits that reached the hub, newest first.
    public var outcomes: [EditOutcomeSummary] = []
    /// The quantities without alerts; nil before the hub's answer.
    public var muted: [Quantity]?
    /// The last requested chart; nil before the first.
    public var chart: ChartState?
    /// The last remark to the person; nil for none.
    public var remark: Remark?

    /// Creates facts.
    public init(glance: Glance, now: Timestamp, configuration: WatchConfiguration, shownDeviceID: DeviceID?) {
        self.glance = glance
        self.now = now
        self.configuration = configuration
        self.shownDeviceID = shownDeviceID
    }

    /// The quantities of the device, in order: before anything came, the usual ones.
    var quantities: [Quantity] {
        let known = glance.gauges.map(\.quantity)
        return Quantity.listed(where: known.contains)
    }

    /// The device that the face shows; nil for none.
    var shownDevice: WatchDevice? { shownDeviceID.flatMap(configuration.device) }

    /// Whether a conflict was settled on this watch, and the hub does not know yet.
    func isSettledHere(_ conflict: ConflictID) -> Bool { pending.contains { $0.settles == conflict } }
}

extension WatchFacts {
    /// A short text for the person that is shown for some seconds.
    public struct Remark: Equatable, Sendable {
        /// The kind of the remark.
        public enum Tone: Equatable, Sendable {
            /// Something is under way, or done.
            case calm
            /// Something failed.
            case problem
        }

        /// The text.
        public let text: String
        /// The kind of the remark.
        public var tone: Tone
        /// The time of the remark, by the clock of ``WatchFacts/now``.
        public var at: Timestamp

        /// How long a remark is shown, in milliseconds; calm ones are longer texts that a person waited for.
        var shownMilliseconds: Int64 { tone == .calm ? 6000 : 3000 }

        /// Creates a remark; the text becomes one line, and what a terminal must not get is dropped.
        public init(_ text: String, _ tone: Tone = .calm, at: Timestamp) {
            self.text = text.split(whereSeparator: \.isNewline).joined(separator: " ").sanitized
            self.tone = tone
            self.at = at
        }

        /// Whether it is still shown.
        func isShown(at now: Timestamp) -> Bool {
            (0..<shownMilliseconds).contains(now.milliseconds(since: at))
        }
    }
}

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
    /// This watch's own edits: first the pending ones, then those that reached the hub; each newest first.
    public var edits: [EditState] = []
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

    /// The device that the face shows; nil for none.
    var shownDevice: WatchDevice? { shownDeviceID.flatMap(configuration.device) }
}

extension WatchFacts {
    /// An edit of this watch and its progress.
    public struct EditState: Equatable, Sendable {
        /// Its progress.
        public enum Progress: String, CaseIterable, Sendable {
            /// The edit is shown here, and waits for the hub.
            case waiting
            /// The hub has accepted it.
            case accepted
            /// The hub has accepted it together with another person's edit, or in place of that.
            case merged
            /// Another person's edit won; this one is an open conflict.
            case conflicting
            /// The hub rejected it.
            case rejected
        }

        /// Its identifier: 32 hexadecimal digits.
        public var id: String
        /// What it does, in one sentence.
        public var sentence: String
        /// When it was made, by this watch's clock.
        public var at: Timestamp
        /// Its progress.
        public var progress: Progress
        /// The reason, as text, or nil.
        public var reason: String?
        /// The conflict that it settles; nil for none.
        public var settles: String?

        /// Creates the state of an edit.
        public init(
            id: String, sentence: String, at: Timestamp, progress: Progress, reason: String? = nil,
            settles: String? = nil
        ) {
            self.id = id
            self.sentence = sentence
            self.at = at
            self.progress = progress
            self.reason = reason
            self.settles = settles
        }
    }

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
        public var text: String
        /// The kind of the remark.
        public var tone: Tone
        /// The time of the remark, by the clock of ``WatchFacts/now``.
        public var at: Timestamp

        /// How long a remark is shown, in milliseconds; calm ones are longer texts that a person waited for.
        var shownMilliseconds: Int64 { tone == .calm ? 6000 : 3000 }

        /// Creates a remark.
        public init(_ text: String, _ tone: Tone = .calm, at: Timestamp) {
            self.text = text
            self.tone = tone
            self.at = at
        }

        /// Whether it is still shown.
        func isShown(at now: Timestamp) -> Bool {
            (0..<shownMilliseconds).contains(now.milliseconds(since: at))
        }
    }
}

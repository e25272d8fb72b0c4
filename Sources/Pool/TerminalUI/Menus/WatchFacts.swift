public import PoolModel

/// Everything that a watch's menus show, at one moment: their whole input beside keys.
///
/// It is made by the code that runs the watch; the menus add nothing and read no clock. Texts may come from strangers:
/// the menus make them harmless.
public struct WatchFacts: Equatable, Sendable {
    /// What the face shows, with the open alerts, conflicts and edits.
    public var glance: Glance
    /// Now, by the hub's clock.
    public var now: Timestamp
    /// How far local time is ahead of UTC, in seconds; for times of day.
    public var utcOffsetSeconds = 0
    /// The configuration, with this watch's own edits over it.
    public var configuration: WatchConfiguration
    /// The device that the face shows, nil for none.
    public var shownDeviceID: DeviceID?
    /// What is known of each device, for the list of them.
    public var headlines: [DeviceID: Headline] = [:]
    /// The alerts whose answer waits for the hub.
    public var answering: Set<AlertKey> = []
    /// The last notices, newest first: what the hub said of alerts.
    public var notices: [AlertNotice] = []
    /// This watch's own edits: those that wait, newest first, then those that reached the hub, newest first.
    public var edits: [EditState] = []
    /// The quantities that do not alert, nil if the hub did not tell yet.
    public var muted: [Quantity]?
    /// The chart that was asked for last, nil before the first.
    public var chart: ChartState?
    /// The last word to the person, nil for none.
    public var remark: Remark?

    /// Creates facts.
    public init(glance: Glance, now: Timestamp, configuration: WatchConfiguration, shownDeviceID: DeviceID?) {
        self.glance = glance
        self.now = now
        self.configuration = configuration
        self.shownDeviceID = shownDeviceID
    }

    /// The device that the face shows, nil for none.
    var shownDevice: WatchDevice? { shownDeviceID.flatMap(configuration.device) }
}

extension WatchFacts {
    /// An edit of this watch and what became of it.
    public struct EditState: Equatable, Sendable {
        /// How far it is.
        public enum Progress: String, CaseIterable, Sendable {
            /// It is shown here, and waits for the hub.
            case waiting
            /// The hub has taken it in.
            case accepted
            /// The hub has taken it in beside what somebody else entered meanwhile, or in place of that.
            case merged
            /// What somebody else entered stands; this one is an open conflict.
            case conflicting
            /// The hub cannot take it.
            case rejected
        }

        /// Its name: 32 hexadecimal digits.
        public var id: String
        /// What it does, in one sentence.
        public var sentence: String
        /// When it was made, by this watch's clock.
        public var at: Timestamp
        /// How far it is.
        public var progress: Progress
        /// Why, in words; nil where there is nothing to say.
        public var reason: String?
        /// The conflict that it settles, nil for none.
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

    /// A chart of the history and how fresh it is.
    public struct ChartState: Equatable, Sendable {
        /// What it is of.
        public var query: ChartQuery
        /// The course, nil if it never came.
        public var series: ChartSeries?
        /// When the course came, nil if it never did.
        public var cameAt: Timestamp?
        /// Whether the hub is being asked.
        public var isAsking: Bool
        /// Why the last question had no answer, in words; nil if it had one.
        public var trouble: String?

        /// Creates the state of a chart.
        public init(
            query: ChartQuery, series: ChartSeries? = nil, cameAt: Timestamp? = nil, isAsking: Bool = false,
            trouble: String? = nil
        ) {
            self.query = query
            self.series = series
            self.cameAt = cameAt
            self.isAsking = isAsking
            self.trouble = trouble
        }
    }

    /// A word to the person that is shown for some seconds.
    public struct Remark: Equatable, Sendable {
        /// How it is meant.
        public enum Tone: Equatable, Sendable {
            /// Something is under way, or done.
            case calm
            /// Something did not go as it was wanted.
            case problem
        }

        /// The word.
        public var text: String
        /// How it is meant.
        public var tone: Tone
        /// When it was said, by the clock of ``WatchFacts/now``.
        public var at: Timestamp

        /// How long a remark is shown, in milliseconds; a calm one is what somebody waited for, and longer.
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

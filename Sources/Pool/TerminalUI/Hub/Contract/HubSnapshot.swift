package import PoolModel

/// Everything that the hub's screens show, at one moment: the whole input of ``HubConsole``.
///
/// It is made by the code that runs the hub; a screen adds nothing and reads no clock. Texts may come from strangers:
/// the screens make them harmless.
package struct HubSnapshot: Equatable, Sendable {
    /// Now, by the hub's clock.
    package var now: Timestamp
    /// How far local time is ahead of UTC, in seconds; for the times of day on the screens.
    package var utcOffsetSeconds: Int
    /// Where watches connect, nil while nothing listens.
    package var endpoint: String?
    /// The revision of the configuration.
    package var revision: UInt64
    /// The servers, by name.
    package var servers: [ServerItem] = []
    /// The devices, by name.
    package var devices: [DeviceItem] = []
    /// The device that is selected in the configuration, nil for none.
    package var selectedDeviceID: DeviceID?
    /// The pools, by name.
    package var pools: [PoolItem] = []
    /// The paired watches, by name.
    package var watches: [WatchItem] = []
    /// The open alerts: critical ones first, then the newest first.
    package var alerts: [AlertItem] = []
    /// How people want to be alerted.
    package var alertSettings = AlertSettings()
    /// The ways by which alerts go out, in their order.
    package var channels: [ChannelItem] = []
    /// What happened lately, newest first; some hundreds at most.
    package var events: [EventItem] = []
    /// The values that were entered and are not shown, until somebody settles them.
    package var conflicts: [ConflictSummary] = []
    /// The last chart that was asked for with `HistoryRequest.series`, nil before the first.
    package var chart: ChartSeries?
    /// The last page that was asked for with `HistoryRequest.page`, nil before the first.
    package var readings: ReadingPage?
    /// How much is kept, and how long.
    package var history = HistoryFacts()
    /// The detection of devices that runs or was the last one, nil before the first.
    package var detection: DetectionItem?
    /// The last invitation of a watch since the hub started, also after it was used or ended; nil before the first.
    package var invitation: InvitationItem?
    /// What everybody should know about this hub, such as that it was put back to an earlier state; most important
    /// first.
    package var notices: [String] = []
    /// What is wrong with the stored configuration, in sentences.
    package var problems: [String] = []
    /// What became of the last orders, oldest first; some dozens are enough.
    package var answers: [HubAnswerItem] = []

    /// Creates the snapshot of a hub that has nothing yet.
    package init(now: Timestamp, utcOffsetSeconds: Int = 0, revision: UInt64 = 0) {
        self.now = now
        self.utcOffsetSeconds = utcOffsetSeconds
        self.revision = revision
    }
}

/// What became of an order.
package struct HubAnswerItem: Equatable, Sendable {
    /// How it ended.
    package enum Outcome: Equatable, Sendable {
        /// It is done; the sentence says what, and may be empty.
        case done(String)
        /// It was declined and nothing has changed; the sentence says why, and the way out.
        case refused(String)
        /// A removal takes more with it: the names of the devices, or so many readings; the person is asked again.
        case takesMore(String)
    }

    /// The number of the order that it answers, see ``HubOrder``.
    package var number: Int
    /// How it ended.
    package var outcome: Outcome

    /// Creates an answer.
    package init(number: Int, outcome: Outcome) {
        self.number = number
        self.outcome = outcome
    }
}

/// Everything that a face shows of one device, at one moment: the input of every face, plain line and JSON object.
///
/// It is computed from the watch's cache and a moment; a face adds nothing and reads no clock.
///
/// Only live values are judged: on a value of any other freshness the status is ``Status/offline``, whatever the value.
/// How the device is as a whole is its ``Headline``.
public struct Glance: Equatable, Codable, Sendable {
    /// One quantity of the device.
    public struct Gauge: Equatable, Codable, Sendable {
        /// The quantity.
        public var quantity: Quantity
        /// The newest value in the quantity's unit, nil if none was ever received.
        public var value: Double?
        /// Where the value lies between the limits, and no better than its open alerts; ``Status/offline`` without a
        /// value or when it is not live.
        public var status: Status
        /// Which limit the value passed, nil within the limits or without a value; also told of a value that is not live.
        public var deviation: Limits.Deviation?
        /// How far the value can be trusted to be today's.
        public var freshness: Freshness
        /// The age of the value in whole seconds by the hub's clock, nil when it is not known.
        public var ageSeconds: Int?
        /// The limits that the status comes from.
        public var limits: Limits
        /// The direction as the hub told it, nil if it told none or when the value is not live.
        public var trend: Trend?
        /// The values of the last 24 hours in equal columns, oldest first.
        ///
        /// A column is the mean of its time, the one with the newest value that value. A nil is a gap. May be empty.
        public var history: [Double?]
        /// The least and the greatest value of those 24 hours, nil if none is known.
        public var range: ClosedRange<Double>?
        /// Whether the device should tell this quantity, though no usable value of it ever came.
        public var isExpected: Bool

        /// Creates a gauge; by default of a quantity that nobody expects.
        public init(
            quantity: Quantity, value: Double?, status: Status, deviation: Limits.Deviation?, freshness: Freshness,
            ageSeconds: Int?, limits: Limits, trend: Trend?, history: [Double?],
            range: ClosedRange<Double>? = nil, isExpected: Bool = false
        ) {
            self.quantity = quantity
            self.value = value
            self.status = status
            self.deviation = deviation
            self.freshness = freshness
            self.ageSeconds = ageSeconds
            self.limits = limits
            self.trend = trend
            self.history = history
            self.range = range
            self.isExpected = isExpected
        }
    }

    /// The name of the device, nil when the hub has none or none is selected.
    public var deviceName: String?
    /// The four gauges in the order of the cases of ``Quantity``.
    public var gauges: [Gauge]
    /// The freshness of the device as a whole: that of its newest value.
    public var freshness: Freshness
    /// The age of the newest value in whole seconds by the hub's clock, nil when it is not known.
    public var ageSeconds: Int?
    /// The state of the link to the hub.
    public var link: LinkState
    /// The revision of the configuration that is shown, nil before the first one arrived.
    public var revision: UInt64?
    /// The time of day to show, as the caller formatted it, such as `10:09`.
    public var clock: String
    /// The person's own edits that the hub has not confirmed yet, a sentence each, oldest first; they are shown already.
    public var pendingEdits: [String]
    /// The values that a person entered and that are not shown, until somebody settles them.
    public var conflicts: [ConflictSummary]
    /// The open alerts, as the hub told them last, with this watch's own answers.
    public var alerts = AlertState()
    /// The identity of the device, by which its alerts are told from those of others; nil if it is not known.
    public var deviceID: DeviceID?
    /// The server of the device, whose lost connection concerns it; nil if it is not known.
    public var serverID: ServerID?
    /// Why the hub cannot take the person's edits although it answers, a clause such as `the hub's list of conflicts is
    /// full`; nil if nothing is in their way.
    public var uploadObstacle: String?
    /// What a restore of the hub from a backup means here, a clause such as `the hub was restored, 2 edits sent again`;
    /// nil if there is nothing to say, or not any more.
    public var restoreNotice: String?
    /// The file that came last from the hub; nil if none did, or not lately (P88).
    public var fileNotice: ReceivedFileSummary?
    /// Where this comes from, if the hub was asked for it; nil for what a watch shows all the time.
    public var source: GlanceSource?
    /// The moment by the hub's clock, from which the ages of alerts count; nil to tell none.
    public var moment: Timestamp?

    /// Creates a glance; by default one without edits and conflicts.
    public init(
        deviceName: String?, gauges: [Gauge], freshness: Freshness, ageSeconds: Int?, link: LinkState,
        revision: UInt64?, clock: String, pendingEdits: [String] = [], conflicts: [ConflictSummary] = []
    ) {
        self.pendingEdits = pendingEdits
        self.conflicts = conflicts
        self.deviceName = deviceName
        self.gauges = gauges
        self.freshness = freshness
        self.ageSeconds = ageSeconds
        self.link = link
        self.revision = revision
        self.clock = clock
    }

    /// The open alerts that concern the device, the worst first: its own, and those of its server.
    public var ownAlerts: [AlertState.Alert] {
        alerts.alerts.filter { alert in
            if let deviceID { return alert.concerns(deviceID, of: serverID) }
            return alert.name == deviceName
        }
    }
}

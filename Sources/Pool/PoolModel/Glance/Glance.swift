/// Everything that a face shows about one device, at a given time: the input of every face, plain line and JSON
/// object.
///
/// It is computed from the watch's cache and a time; a face adds nothing and reads no clock.
///
/// Only live values are judged: with any other freshness the status is ``Status/offline``, whatever the value. The
/// status of the device as a whole is its ``Headline``.
public struct Glance: Equatable, Codable, Sendable {
    /// One quantity of the device.
    public struct Gauge: Equatable, Codable, Sendable {
        /// The quantity.
        public var quantity: Quantity
        /// The newest value in the quantity's unit, nil if none was ever received.
        public var value: Double?
        /// The position of the value between the limits, and at least as bad as its open alerts; ``Status/offline``
        /// without a value or if it is not live.
        public var status: Status
        /// The limit that the value exceeds; nil within the limits or without a value; also set for a value that is
        /// not live.
        public var deviation: Limits.Deviation?
        /// How current the value is.
        public var freshness: Freshness
        /// The age of the value in whole seconds by the hub's clock; nil if unknown.
        public var ageSeconds: Int?
        /// The limits that the status is based on.
        public var limits: Limits
        /// The trend from the hub; nil if the hub sent none or the value is not live.
        public var trend: Trend?
        /// The values of the last 24 hours in equal columns, oldest first.
        ///
        /// A column is the mean of its time; the one with the newest value is that value. Nil is a gap. May be empty.
        public var history: [Double?]
        /// The least and the greatest value of those 24 hours, or nil.
        public var range: ClosedRange<Double>?
        /// Whether the device should send this quantity, but never sent a usable value of it.
        public var isExpected: Bool
        /// The status that a value had which is not live, at least as bad as its open alerts: it tells what was, not
        /// what is; nil for a live value, and without one.
        public var formerStatus: Status?

        /// Creates a gauge; by default of a quantity that is not expected.
        public init(
            quantity: Quantity, value: Double?, status: Status, deviation: Limits.Deviation?, freshness: Freshness,
            ageSeconds: Int?, limits: Limits, trend: Trend?, history: [Double?],
            range: ClosedRange<Double>? = nil, isExpected: Bool = false, formerStatus: Status? = nil
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
            self.formerStatus = formerStatus
        }
    }

    /// The name of the device; nil if the hub has none or none is selected.
    public var deviceName: String?
    /// The name of the pool of the device; nil if it has none or it is not known.
    public var poolName: String?
    /// The four gauges in the order of the cases of ``Quantity``.
    public var gauges: [Gauge]
    /// The freshness of the device as a whole: that of its newest value.
    public var freshness: Freshness
    /// The age of the newest value in whole seconds by the hub's clock; nil if unknown.
    public var ageSeconds: Int?
    /// The state of the link to the hub.
    public var link: LinkState
    /// The revision of the shown configuration; nil before the first one arrived.
    public var revision: UInt64?
    /// The time of day to show, formatted by the caller, such as `10:09`.
    public var clock: String
    /// The person's own edits that the hub has not confirmed yet, a sentence each, oldest first; they are already
    /// shown.
    public var pendingEdits: [String]
    /// The values that a person entered and that are not shown, until somebody settles the conflicts.
    public var conflicts: [ConflictSummary]
    /// The open alerts, as last sent by the hub, with this watch's own answers.
    public var alerts = AlertState()
    /// The identifier of the device, to distinguish its alerts from those of others; nil if unknown.
    public var deviceID: DeviceID?
    /// The server of the device, whose lost connection concerns the device; nil if unknown.
    public var serverID: ServerID?
    /// Why the hub cannot take in the person's edits although it answers, a clause such as `the hub's list of
    /// conflicts is full`; nil if nothing blocks them.
    public var uploadObstacle: String?
    /// The consequence of a restore of the hub from a backup, a clause such as `the hub was restored, 2 edits sent
    /// again`; nil if no restore was reported recently.
    public var restoreNotice: String?
    /// The last file from the hub; nil if there was none recently.
    public var fileNotice: ReceivedFileSummary?
    /// The source, if the hub was asked for this glance; nil for what a watch shows continuously.
    public var source: GlanceSource?
    /// The time by the hub's clock, for the ages of alerts; nil to show none.
    public var moment: Timestamp?

    /// What a household wants to know first of each pool, see ``shownAssessment``; nil if the caller made no assessments.
    public var assessments: [PoolAssessment]?

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

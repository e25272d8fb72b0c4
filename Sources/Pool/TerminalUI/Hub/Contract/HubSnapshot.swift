package import PoolControl
package import PoolModel

/// Everything that the hub's screens show, at one moment: the whole input of ``HubConsole``.
///
/// It is made by the code that runs the hub; a screen adds nothing and reads no clock. Texts may come from strangers:
/// the screens make them harmless.
package struct HubSnapshot: Equatable, Sendable {
    /// The hub as it is.
    package var hub: HubState
    /// How far local time is ahead of UTC, in seconds; for the times of day on the screens.
    package var utcOffsetSeconds: Int
    /// The values of the devices, judged by the limits that hold for them, with trends and the last day.
    ///
    /// What is shown of a device that is not here has no last day.
    package var glances: [DeviceID: Glance] = [:]
    /// What happened lately, newest first; some hundreds at most.
    package var events: [EventSummary] = []
    /// The last chart that was asked for with `HistoryRequest.series`, nil before the first.
    package var chart: ChartState?
    /// The last page that was asked for with `HistoryRequest.page`, nil before the first.
    package var readings: ReadingPage?
    /// The last invitation of a watch since the hub started, also after it was used or ended; nil before the first.
    package var invitation: WatchInvitation?
    /// The remarks about this hub, for example that it was restored to an earlier state; most important
    /// first.
    package var notices: [String] = []
    /// The replies to the last orders, oldest first; some dozens are enough.
    package var answers: [HubAnswer] = []

    /// Creates the snapshot of a hub of which nothing but its state is known.
    package init(_ hub: HubState, utcOffsetSeconds: Int = 0) {
        self.hub = hub
        self.utcOffsetSeconds = utcOffsetSeconds
    }
}

/// The hub's reply to an order.
package struct HubAnswer: Equatable, Sendable {
    /// The number of the order, see ``HubOrder``.
    package var number: Int
    /// The reply.
    package var reply: HubReply

    /// Creates an answer.
    package init(number: Int, reply: HubReply) {
        self.number = number
        self.reply = reply
    }
}

/// An invitation of a watch.
package struct WatchInvitation: Equatable, Sendable {
    /// The code that the watch needs: what the QR code holds, too.
    package var code: String
    /// The name that the watch will get, nil if it chooses.
    package var name: String?
    /// Until when it can be used.
    package var validUntil: Timestamp
    /// The watch that used it, nil while none did.
    package var usedBy: String?

    /// What to know about where it can be used, such as that only a watch on this machine reaches the hub.
    package var notes: [String] = []

    /// Creates an invitation.
    package init(code: String, name: String? = nil, validUntil: Timestamp, usedBy: String? = nil) {
        self.code = code
        self.name = name
        self.validUntil = validUntil
        self.usedBy = usedBy
    }
}

/// Readings of a device, newest first.
package struct ReadingPage: Equatable, Sendable {
    /// The most readings of a page.
    static let rowCountMax = 100

    /// The device.
    package var deviceID: DeviceID
    /// What was asked for: the place after which the page begins, nil for the newest.
    package var olderThan: HistoryPlace?
    /// The readings.
    package var rows: [HistoryRow]
    /// Whether there are older ones.
    package var hasMore: Bool

    /// Creates a page.
    package init(deviceID: DeviceID, olderThan: HistoryPlace? = nil, rows: [HistoryRow], hasMore: Bool) {
        self.deviceID = deviceID
        self.olderThan = olderThan
        self.rows = rows
        self.hasMore = hasMore
    }
}

public import PoolModel

/// Which part of the history a chart shows, and the keys that change it.
public struct ChartNavigator: Equatable, Sendable {
    /// How much time is shown.
    public private(set) var range: ChartRange
    /// The last moment that is shown; nil for now: the chart then moves with the time.
    public private(set) var end: Timestamp?
    /// The moment at the cursor; nil without a cursor.
    public private(set) var cursor: Timestamp?
    /// Whether the values as the device sent them are shown, too.
    public private(set) var showsRaw = false
    /// Whether the scale fits only the values, so that small changes are visible; otherwise it includes the limits,
    /// too.
    public private(set) var isFitted = false

    /// Creates a navigator that shows the last day, or another range up to now.
    public init(range: ChartRange = .day) {
        self.range = range
    }

    /// The keys that ``press(_:now:)`` understands, with what they do.
    public static let keys: [(key: String, action: String)] = [
        ("+ -", "zoom"), ("← →", "earlier, later"), ("end", "now"), (", .", "read off"), ("w", "raw values"),
        ("z", "fit the scale"),
    ]

    /// The shown window at a moment.
    ///
    /// The end moves in steps of a 240th of the range, so that a chart is not requested again every second.
    public func window(now: Timestamp) -> ClosedRange<Timestamp> {
        let step = max(1000, range.milliseconds / 240)
        let remainder = now.milliseconds % step
        let last = end ?? now.advanced(byMilliseconds: remainder <= 0 ? -remainder : step - remainder)
        let first = last.advanced(byMilliseconds: -range.milliseconds)
        return min(first, last)...last
    }

    /// The query for a chart of a number of columns.
    public func query(of quantity: Quantity, device: DeviceID, now: Timestamp, columns: Int) -> ChartQuery {
        let window = window(now: now)
        return ChartQuery(
            deviceID: device, quantity: quantity, from: window.lowerBound, through: window.upperBound,
            points: min(2000, max(2, 2 * columns)))
    }

    /// Handles a key.
    ///
    /// - Returns: Whether the key is one of a chart.
    @discardableResult
    public mutating func press(_ key: Key, now: Timestamp) -> Bool {
        switch key {
        case .character("+"), .character("="): zoom(by: -1, now: now)
        case .character("-"), .character("_"): zoom(by: 1, now: now)
        case .left: pan(by: -1, now: now)
        case .right: pan(by: 1, now: now)
        case .end:
            end = nil
            holdCursor(now: now)
        case .home: pan(by: -4, now: now)
        case .character(","): moveCursor(by: -1, now: now)
        case .character("."): moveCursor(by: 1, now: now)
        case .character("w"): showsRaw.toggle()
        case .character("z"): isFitted.toggle()
        case .escape where cursor != nil: cursor = nil
        case .character, .control, .alt, .enter, .tab, .backTab, .escape, .backspace, .delete, .insert, .up, .down,
            .pageUp, .pageDown, .function:
            return false
        }
        return true
    }

    /// Shows another range, around the cursor or up to the same end.
    public mutating func show(_ range: ChartRange, now: Timestamp) {
        guard range != self.range else { return }
        self.range = range
        if let cursor, end != nil || now.milliseconds(since: cursor) > range.milliseconds {
            setEnd(cursor.advanced(byMilliseconds: range.milliseconds / 2), now: now)
        }
        holdCursor(now: now)
    }

    /// Sets the cursor at a fraction of the window, 0 for its start and 1 for its end.
    public mutating func pick(_ fraction: Double, now: Timestamp) {
        guard fraction.isFinite else { return }
        let window = window(now: now)
        let offset = Double(range.milliseconds) * min(1, max(0, fraction))
        cursor = window.lowerBound.advanced(byMilliseconds: Int64(offset))
    }

    private mutating func zoom(by steps: Int, now: Timestamp) {
        let all = ChartRange.allCases
        let index = (all.firstIndex(of: range) ?? 0) + steps
        if all.indices.contains(index) { show(all[index], now: now) }
    }

    private mutating func pan(by quarters: Int64, now: Timestamp) {
        let last = window(now: now).upperBound
        setEnd(last.advanced(byMilliseconds: quarters * (range.milliseconds / 4)), now: now)
        holdCursor(now: now)
    }

    /// Sets the end, which is never later than now; nil stands for now.
    private mutating func setEnd(_ moment: Timestamp, now: Timestamp) {
        // Nothing was measured before 1970, and timestamps begin there.
        let earliest = Timestamp(milliseconds: range.milliseconds)
        end = moment >= now ? nil : max(earliest, moment)
    }

    private mutating func moveCursor(by steps: Int64, now: Timestamp) {
        let window = window(now: now)
        let step = max(1, range.milliseconds / 120)
        let moment = cursor.map { $0.advanced(byMilliseconds: steps * step) } ?? min(now, window.upperBound)
        if moment < window.lowerBound { pan(by: -1, now: now) }
        if moment > window.upperBound { pan(by: 1, now: now) }
        cursor = moment
        holdCursor(now: now)
    }

    private mutating func holdCursor(now: Timestamp) {
        let window = window(now: now)
        cursor = cursor.map { min(window.upperBound, max(window.lowerBound, $0)) }
    }
}

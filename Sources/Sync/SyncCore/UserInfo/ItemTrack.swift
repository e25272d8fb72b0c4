/// One of the two numbered streams of items in a direction.
public enum ItemTrack: UInt8, CaseIterable, Sendable {
    /// The items that are sent first: complication items within their budget.
    case urgent
    /// All other items.
    case ordinary
}

/// One value for each track.
public struct PerTrack<Value> {
    /// The value of ``ItemTrack/urgent``.
    public var urgent: Value
    /// The value of ``ItemTrack/ordinary``.
    public var ordinary: Value

    /// Creates a pair.
    public init(urgent: Value, ordinary: Value) {
        self.urgent = urgent
        self.ordinary = ordinary
    }

    /// The value of a track.
    public subscript(track: ItemTrack) -> Value {
        get {
            switch track {
            case .urgent: urgent
            case .ordinary: ordinary
            }
        }
        _modify {
            switch track {
            case .urgent: yield &urgent
            case .ordinary: yield &ordinary
            }
        }
    }
}

extension PerTrack: Sendable where Value: Sendable {}
extension PerTrack: Equatable where Value: Equatable {}
extension PerTrack: Hashable where Value: Hashable {}

/// The durable position of a receiver in one numbered stream.
///
/// The receiver sends it when a session opens and in each acknowledgement. The number alone is not enough: a restored
/// sender uses the same numbers again for other items.
public struct ItemPosition: Hashable, Sendable {
    /// The numbering that the receiver follows.
    public var stream: RandomID
    /// The number of the last item that the receiver holds; from 1.
    public var highest: UInt64
    /// The id of that item.
    public var lastID: RandomID

    /// Creates a position.
    public init(stream: RandomID, highest: UInt64, lastID: RandomID) {
        self.stream = stream
        self.highest = highest
        self.lastID = lastID
    }
}

/// The positions of a receiver; nil for a track on which it has never received an item.
public typealias ItemPositions = PerTrack<ItemPosition?>

extension PerTrack where Value == ItemPosition? {
    /// The positions of a receiver that has never received anything.
    public init() {
        self.init(urgent: nil, ordinary: nil)
    }
}

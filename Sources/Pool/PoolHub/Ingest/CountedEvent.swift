import PoolControl
import PoolModel

/// What happened to a message; it is counted after the message is stored.
enum CountedEvent {
    case stored
    case duplicate
    case retained
    case quarantined(Quantity)
    case rejected(code: String, words: String)
    case passedOver(code: String, words: String)
    case remark(code: String, words: String)
    case format(DecodedPayload.Format)
    case repeated(Int)
    case late
    case heartbeat
    case notStored
}

extension IngestCounts {
    /// Counts an event.
    mutating func count(_ note: CountedEvent) {
        switch note {
        case .stored: stored += 1
        case .duplicate: duplicates += 1
        case .retained: retained += 1
        case .quarantined(let quantity):
            quarantined += 1
            quarantinedByQuantity[quantity.rawValue, default: 0] += 1
        case .rejected(let code, let words):
            rejected[code, default: 0] += 1
            lastRejection = words
        case .passedOver(let code, let words):
            passedOver[code, default: 0] += 1
            lastPassedOver = words
        case .remark(let code, let words):
            remarks[code, default: 0] += 1
            lastRemark = words
        case .format(let format): formats[format.rawValue, default: 0] += 1
        case .repeated(let count): repeated += UInt64(count)
        case .late: late += 1
        case .heartbeat: heartbeats += 1
        case .notStored: notStored += 1
        }
    }
}

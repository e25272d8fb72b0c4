import PoolAlerts
import PoolModel
import PoolStore

/// The data of the alert service in the history's file.
///
/// | key | what |
/// |---|---|
/// | `record/` + alert key | the engine's record |
/// | `answer/` + alert key | the last answer that the engine received |
/// | `order` | the order of the last state that was shown |
struct AlertMemory {
    /// The engine's records, in the order of their keys.
    private(set) var records: [AlertRecord] = []
    /// The answers that the engine received: an answer counts once, also if the alert becomes worse later.
    var answers: [AlertKey: PoolModel.AlertAnswer] = [:]
    /// The order of the last state that was shown.
    var order: UInt64 = 0
    /// The notices that the log has.
    var logged: Set<AlertNotice.ID> = []
    /// The entries that cannot be read; they are left unchanged.
    private(set) var unreadable: [String] = []

    private static let recordPrefix = "record/"
    private static let answerPrefix = "answer/"
    private static let orderKey = "order"

    /// Reads the memory.
    ///
    /// - Throws: `HistoryError`.
    init(_ store: AlertStore) throws {
        for (key, json) in try store.all().sorted(by: { $0.key < $1.key }) {
            do throws(CanonicalJSON.Failure) {
                try take(key, json)
            } catch {
                unreadable.append("\(key): \(error.reason)")
            }
        }
        for event in try store.events(limit: 256) {
            // An event of another version is not a notice of this one.
            guard let notice = try? CanonicalJSON.decode(AlertNotice.self, from: event.json) else { continue }
            logged.insert(notice.id)
        }
    }

    private mutating func take(_ key: String, _ json: [UInt8]) throws(CanonicalJSON.Failure) {
        if key.hasPrefix(Self.recordPrefix) {
            records.append(try CanonicalJSON.decode(AlertRecord.self, from: json))
        } else if key.hasPrefix(Self.answerPrefix) {
            let answer = try CanonicalJSON.decode(PoolModel.AlertAnswer.self, from: json)
            answers[answer.key] = answer
        } else if key == Self.orderKey {
            order = try CanonicalJSON.decode(UInt64.self, from: json)
        }
    }

    // MARK: - Changes

    /// The change that stores a record.
    static func change(_ record: AlertRecord) throws -> AlertChange {
        .put(key: recordPrefix + record.key.text, json: try CanonicalJSON.encode(record))
    }

    /// The change that removes a record.
    static func removal(of key: AlertKey) -> AlertChange { .remove(key: recordPrefix + key.text) }

    /// The change that stores the answer that the engine received; nil removes it.
    static func change(_ answer: PoolModel.AlertAnswer?, of key: AlertKey) throws -> AlertChange {
        guard let answer else { return .remove(key: answerPrefix + key.text) }
        return .put(key: answerPrefix + key.text, json: try CanonicalJSON.encode(answer))
    }

    /// The change that stores the order.
    static func change(order: UInt64) throws -> AlertChange {
        .put(key: orderKey, json: try CanonicalJSON.encode(order))
    }

    /// The change that logs a notice.
    static func event(_ notice: AlertNotice) throws -> AlertChange {
        .append(time: notice.at, json: try CanonicalJSON.encode(notice))
    }
}

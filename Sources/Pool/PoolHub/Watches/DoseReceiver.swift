import PoolModel
import PoolStore
import SyncCore

/// Reads the doses that watches log from their user info, and stores each of them once.
struct DoseReceiver: Sendable {
    /// What became of user info.
    enum Outcome: Equatable, Sendable {
        /// A dose was stored.
        case stored
        /// The dose was stored before: the watch, or the link, has sent it again.
        case known
        /// It was refused; the sentence says what is wrong.
        case refused(String)
    }

    /// The most bytes of user info that are read.
    static let byteCountMax = 8192

    let log: DoseLog
    /// The name of a watch; nil if it is not paired any more.
    let name: @Sendable (PeerKey) async -> String?
    /// The hub's clock.
    let now: @Sendable () -> Timestamp

    /// Reads and stores.
    ///
    /// - Parameters:
    ///   - payload: The user info; any bytes.
    ///   - watch: Its sender, who is the author whatever the payload says.
    /// - Returns: What became of it.
    /// - Throws: `HistoryError`; then nothing was stored, and it can be tried again. Also what the ledger throws.
    func receive(_ payload: [UInt8], from watch: PeerKey) async throws -> Outcome {
        guard payload.count <= Self.byteCountMax else {
            return .refused("its user info has \(payload.count) bytes, at most \(Self.byteCountMax) are read")
        }
        guard var dose = DosePayload.dose(payload) else {
            return .refused("its user info is no dose that this version can read")
        }
        let name = await name(watch)
        dose.author = "watch \(name ?? String(watch.hexadecimal.prefix(8)))"
        let now = now()
        // The clock of a watch may be ahead; what arrived is in the water.
        dose.at = min(dose.at, now)
        do {
            return try await log.add(dose, of: watch, at: now) ? .stored : .known
        } catch let error as DoseError {
            return .refused("\(error)")
        } catch let error as ConfigurationError {
            return .refused("\(error)")
        }
    }
}

/// Doses as user info: property lists with one member, which holds JSON.
enum DosePayload {
    private static let key: PropertyList.Key = "dose"

    /// The dose of a payload; nil if it is not one that this version can read.
    static func dose(_ payload: [UInt8]) -> Dose? {
        // What cannot be read is no dose; an event says so.
        guard case .dictionary(let members)? = try? PropertyList(decoding: payload),
            case .string(let json)? = members[key]
        else { return nil }
        return try? CanonicalJSON.decode(Dose.self, from: Array(json.utf8))
    }
}

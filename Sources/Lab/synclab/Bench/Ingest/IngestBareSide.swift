import CommandSupport
import Foundation
import GRDBSQLite
import MQTT

/// What a program in C would do: a subscriber that writes each message as one row, and commits before it acknowledges
/// the message to the broker.
struct IngestBareSide {
    private let task: IngestTask
    private let table: BareTable?

    /// Prepares the table in a file; none for nil, to store nothing.
    init(_ task: IngestTask, path: String?) throws {
        self.task = task
        table = try path.map { try BareTable(path: $0) }
    }

    func run() async throws {
        let clock = IngestClock(total: task.count)
        var options = Client.Options()
        // A different name for each run: messages that wait at the broker for an earlier run must not come to this one.
        options.clientIdentifier = "bench-bare-\(UInt64.random(in: 0...(.max)))"
        options.session = .persistent(expirySeconds: 3600)
        let client = try Client(options)
        let listening = AsyncStream<Void>.makeStream()
        try client.connect(to: BrokerAddress(host: "127.0.0.1", port: task.port)) { [weak client, table] event in
            switch event {
            case .connected:
                // After a failure the benchmark never begins, and ends by its timeout.
                _ = try? client?.subscribe(to: [TopicFilter(IngestMessages.topic)])
            case .subscribed: listening.continuation.yield()
            case .message(let message) where !message.isRetained:
                guard let table else { return clock.stored() }
                if table.insert(message.payload) { clock.stored() } else { client?.abort() }
            case .message, .pause, .published, .unsubscribed, .ended: break
            }
        }
        _ = await listening.stream.first { _ in true }
        PartReport.send(IngestStart())
        PartReport.send(try await clock.findings())
        client.close()
    }
}

/// The table of readings as the hub has it, written with SQLite's C API.
@safe
// Unchecked: only one network thread at a time uses it.
final class BareTable: @unchecked Sendable {
    private let database: OpaquePointer
    private let statement: OpaquePointer

    init(path: String) throws {
        var database: OpaquePointer?
        // SQLite fills the pointers that it is given, and keeps no text after a call.
        guard unsafe sqlite3_open(path, &database) == SQLITE_OK, let database = unsafe database else {
            throw CommandFailure("SQLite cannot create \(path)")
        }
        let setup = """
            PRAGMA page_size = 4096; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
            CREATE TABLE reading (
                ordinal INTEGER PRIMARY KEY AUTOINCREMENT, device INTEGER NOT NULL,
                sampledAt INTEGER NOT NULL, timeQuality TEXT NOT NULL, receivedAt INTEGER NOT NULL,
                temperature REAL, ph REAL, chlorine REAL, orp REAL, payloadHash INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX readingByTime ON reading (device, sampledAt);
            """
        let insert = """
            INSERT INTO reading (
                device, sampledAt, timeQuality, receivedAt, payloadHash, temperature, ph, chlorine, orp)
            VALUES (1, ?, 'device', ?, ?, ?, ?, ?, ?)
            """
        var statement: OpaquePointer?
        guard unsafe sqlite3_exec(database, setup, nil, nil, nil) == SQLITE_OK,
            unsafe sqlite3_prepare_v2(database, insert, -1, &statement, nil) == SQLITE_OK,
            let statement = unsafe statement
        else { throw CommandFailure("SQLite cannot use \(path): \(unsafe String(cString: sqlite3_errmsg(database)))") }
        unsafe self.database = database
        unsafe self.statement = statement
    }

    deinit {
        // They fail only for handles that are not open.
        _ = unsafe sqlite3_finalize(statement)
        _ = unsafe sqlite3_close(database)
    }

    /// Commits one row; SQLite commits by itself after an insert without a transaction.
    func insert(_ payload: [UInt8]) -> Bool {
        let values = BareMessage(payload)
        var time = timespec()
        // The arguments have the types that the calls expect, and only this table uses the statement.
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        let now = Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
        unsafe sqlite3_bind_int64(statement, 1, values.sampledAt)
        unsafe sqlite3_bind_int64(statement, 2, now)
        unsafe sqlite3_bind_int64(statement, 3, values.hash)
        for (place, value) in values.numbers.enumerated() {
            unsafe sqlite3_bind_double(statement, Int32(place + 4), value)
        }
        let result = unsafe sqlite3_step(statement)
        unsafe sqlite3_reset(statement)
        return result == SQLITE_DONE
    }
}

/// The four numbers, the time and a hash of a message of exactly the form that the benchmark sends, as `strtod` and
/// `timegm` give them.
struct BareMessage {
    private(set) var numbers: [Double] = []
    private(set) var sampledAt: Int64 = 0
    let hash: Int64

    init(_ payload: [UInt8]) {
        var sum: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in payload { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
        hash = Int64(bitPattern: sum)
        let text = payload + [0]
        // The bytes end with a zero, where each of the functions stops at the latest.
        unsafe text.withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return }
            unsafe base.withMemoryRebound(to: CChar.self, capacity: bytes.count) { start in
                var place = unsafe start
                for _ in 0..<4 {
                    guard let colon = unsafe strchr(place, 58) else { return }
                    var end: UnsafeMutablePointer<CChar>?
                    numbers.append(unsafe strtod(colon + 1, &end))
                    guard let end = unsafe end else { return }
                    unsafe place = UnsafePointer(end)
                }
                guard let quote = unsafe strstr(place, ":\"") else { return }
                sampledAt = unsafe Self.milliseconds(quote + 2)
            }
        }
    }

    /// The time of a text of the form `2026-06-01T12:00:00.250Z`; the fraction may be absent.
    private static func milliseconds(_ text: UnsafePointer<CChar>) -> Int64 {
        func number(_ start: Int, _ count: Int) -> Int32 {
            var number: Int32 = 0
            // The benchmark's texts have that length.
            for place in start..<(start + count) { number = unsafe number * 10 + Int32(text[place] - 48) }
            return number
        }
        // The structure has a pointer to the name of the zone, which is not read.
        var parts = unsafe tm()
        unsafe parts.tm_year = number(0, 4) - 1900
        unsafe parts.tm_mon = number(5, 2) - 1
        unsafe parts.tm_mday = number(8, 2)
        unsafe parts.tm_hour = number(11, 2)
        unsafe parts.tm_min = number(14, 2)
        unsafe parts.tm_sec = number(17, 2)
        // The arguments have the types that the calls expect.
        let fraction = unsafe text[19] == 46 ? strtod(text + 19, nil) : 0
        return Int64(unsafe timegm(&parts)) * 1000 + Int64((fraction * 1000).rounded())
    }
}

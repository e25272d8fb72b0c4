import PoolModel
import Testing

/// Queries and replies as JSON, as described in `Docs/internals/queries.md`.
@Suite struct WatchQueryTests {
    private let device = DeviceID(high: 3, low: 1)
    private let start = Timestamp(milliseconds: 1_780_222_140_000)

    private func text(_ value: some Encodable) throws -> String {
        String(decoding: try CanonicalJSON.encode(value), as: UTF8.self)
    }

    private func isKept<Value: Codable & Equatable>(_ value: Value) throws -> Bool {
        try CanonicalJSON.decode(Value.self, from: try CanonicalJSON.encode(value)) == value
    }

    @Test func `a question is an object with one member, named after its kind`() throws {
        #expect(try text(WatchQuery.newest(device: device)) == #"{"newest":{"device":"\#(device)"}}"#)
        let series = WatchQuery.series(
            device: device, quantity: .ph, from: start, through: start.advanced(byMilliseconds: 86_400_000),
            points: 192)
        #expect(
            try text(series)
                == #"{"course":{"device":"\#(device)","from":1780222140000,"points":192,"quantity":"ph","#
                + #""through":1780308540000}}"#)
        for question in [series, .newest(device: device), .alerting(quantity: .orp, isOn: true)] {
            #expect(try isKept(question))
        }
    }

    @Test func `a kind that is not known is no question, an unknown member is ignored`() throws {
        #expect(throws: CanonicalJSON.Failure.self) {
            try CanonicalJSON.decode(WatchQuery.self, from: Array(#"{"secrets":{}}"#.utf8))
        }
        let text = #"{"alerting":{"quantity":"ph","isOn":false,"why":"x"},"later":1}"#
        #expect(
            try CanonicalJSON.decode(WatchQuery.self, from: Array(text.utf8))
                == .alerting(quantity: .ph, isOn: false))
    }

    @Test func `points are rows of numbers, rounded to one digit more than screens show`() throws {
        let point = TimeSeries.Point(
            start: start.advanced(byMilliseconds: 1_800_000), least: 7.21, greatest: 7.2284, mean: 7.21949,
            rawMean: 7.119, isAfterGap: true)
        let reply = QueryReply.series(
            device,
            TimeSeries(quantity: .ph, first: start, last: start, bucketMilliseconds: 900_000, points: [point]))
        #expect(try text(reply).contains("[[1800000,7.21,7.228,7.219,7.119,1]]"))
        guard
            case .series(device, let again) = try CanonicalJSON.decode(
                QueryReply.self, from: try CanonicalJSON.encode(reply))
        else {
            Issue.record("it is no series of this device any more")
            return
        }
        #expect(again.points.first?.start == point.start && again.points.first?.isAfterGap == true)
    }

    @Test func `every reply is kept, and a short row is refused`() throws {
        let newest = NewestReply(
            readings: nil, server: "Home", connection: nil, revision: 3, muted: [.ph], now: start)
        for reply in [QueryReply.newest(newest), .alerting(muted: []), .refused("no")] { #expect(try isKept(reply)) }
        let short = #"{"course":{"device":"\#(device)","from":0,"points":[[1,2]],"quantity":"ph","through":1}}"#
        #expect(throws: CanonicalJSON.Failure.self) {
            try CanonicalJSON.decode(QueryReply.self, from: Array(short.utf8))
        }
    }
}

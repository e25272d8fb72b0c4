import CommandSupport
import PoolControl
import PoolModel
import Testing

@testable import poolsensors

/// What commands print with `--json`, to the byte.
@Suite struct JSONRecordTests {
    @Test func `a series of a chart`() throws {
        let point = TimeSeries.Point(
            start: Timestamp(milliseconds: 60_000), least: 7.1, greatest: 7.5, mean: 7.25, rawMean: 7.5, count: 4,
            isAfterGap: true, isExact: false)
        var series = TimeSeries(
            quantity: .ph, first: Timestamp(milliseconds: 0), last: Timestamp(milliseconds: 120_000),
            bucketMilliseconds: 60_000, points: [point], newest: 7.5)
        #expect(
            try JSONText.pretty(SeriesRecord(device: "Lagoon", series: series)) == """
                {
                  "bucketMilliseconds" : 60000,
                  "device" : "Lagoon",
                  "first" : "1970-01-01T00:00:00.000Z",
                  "last" : "1970-01-01T00:02:00.000Z",
                  "newest" : 7.5,
                  "points" : [
                    {
                      "count" : 4,
                      "greatest" : 7.5,
                      "isAfterGap" : true,
                      "isExact" : false,
                      "least" : 7.1,
                      "mean" : 7.25,
                      "rawMean" : 7.5,
                      "start" : "1970-01-01T00:01:00.000Z"
                    }
                  ],
                  "quantity" : "ph"
                }
                """)
        (series.points, series.newest, series.bucketMilliseconds) = ([], nil, nil)
        #expect(
            try JSONText.pretty(SeriesRecord(device: "Lagoon", series: series)) == """
                {
                  "device" : "Lagoon",
                  "first" : "1970-01-01T00:00:00.000Z",
                  "last" : "1970-01-01T00:02:00.000Z",
                  "points" : [

                  ],
                  "quantity" : "ph"
                }
                """)
    }

    @Test func `a link with its faults`() throws {
        var watch = WatchConnection(name: "Wrist", id: WatchID(bytes: 1...32))
        #expect(
            try JSONText.pretty(LinkRecord(watch)) == """
                {
                  "counts" : {
                    "corrupted" : 0,
                    "delayed" : 0,
                    "dropped" : 0,
                    "duplicated" : 0,
                    "lostInCuts" : 0,
                    "messages" : 0,
                    "reordered" : 0,
                    "resets" : 0
                  },
                  "isLinked" : false,
                  "watch" : "Wrist"
                }
                """)
        watch.isLinked = true
        watch.disturbance = LinkDisturbance()
        watch.disturbance?.drop = 0.5
        var counts = LinkCounts()
        (counts.messages, counts.dropped) = (8, 4)
        watch.linkCounts = counts
        #expect(
            try JSONText.pretty(LinkRecord(watch)) == """
                {
                  "counts" : {
                    "corrupted" : 0,
                    "delayed" : 0,
                    "dropped" : 4,
                    "duplicated" : 0,
                    "lostInCuts" : 0,
                    "messages" : 8,
                    "reordered" : 0,
                    "resets" : 0
                  },
                  "disturbance" : {
                    "corrupt" : 0,
                    "delayMilliseconds" : 0,
                    "direction" : "both",
                    "drop" : 0.5,
                    "duplicate" : 0,
                    "reorder" : 0,
                    "reset" : 0,
                    "seed" : 1
                  },
                  "isLinked" : true,
                  "watch" : "Wrist"
                }
                """)
    }
}

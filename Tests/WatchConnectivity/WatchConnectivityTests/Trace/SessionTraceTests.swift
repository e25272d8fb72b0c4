import Foundation
import SyncCore
import Testing

@testable import WatchConnectivity

@Suite struct SessionTraceTests {
    @Test func `what was not confirmed says why in words`() {
        #expect(PeerState.words(of: nil) == "the link's driver ended")
        #expect(PeerState.words(of: .exchange(.failed(.sessionReset))) == "the link was interrupted")
        #expect(
            PeerState.words(of: .exchange(.failed(.deliveryFailed("nobody handles it")))) == "nobody handles it")
    }

    @Test(arguments: [
        (0, "1970-01-01T00:00:00.000Z"), (1, "1970-01-01T00:00:00.001Z"), (-1, "1969-12-31T23:59:59.999Z"),
        (951_782_399_999, "2000-02-28T23:59:59.999Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
        (1_795_254_175_123, "2026-11-21T09:42:55.123Z"),
    ])
    func `a time is written in UTC to the millisecond`(_ milliseconds: Int64, _ text: String) {
        #expect(TraceLine.timestamp(milliseconds) == text)
    }

    @Test func `a line tells time, side, direction and what`() {
        // P20
        let marks: [(TraceEvent, String)] = [
            (.app("a"), "-> a"), (.call("b"), "<- b"), (.link("c"), "~~ c"), (.device("d"), "-- d"),
            (.warning("e"), "!! e"),
        ]
        for (event, text) in marks {
            #expect(TraceLine.text(event, side: "phone", milliseconds: 0) == "1970-01-01T00:00:00.000Z phone \(text)")
        }
    }

    @Test func `an event is one line`() {
        #expect(!TraceLine.text(.app("a\nb"), side: "phone", milliseconds: 0).contains("\n"))
    }

    @Test func `the traces of both sides become one timeline`() {
        // P20
        func line(_ side: String, _ milliseconds: Int64, _ words: String) -> String {
            TraceLine.text(.app(words), side: side, milliseconds: milliseconds) + "\n"
        }
        let phone =
            line("phone", 10, "one") + line("phone", 30, "three") + "  more of three\n" + line("phone", 30, "four")
        let watch = line("watch", 20, "two") + line("watch", 30, "five")

        let merged = SessionTrace.merged([phone, watch])

        #expect(
            merged == line("phone", 10, "one") + line("watch", 20, "two") + line("phone", 30, "three")
                + "  more of three\n" + line("phone", 30, "four") + line("watch", 30, "five"))
    }

    @Test func `a clock that is set back does not reorder one side`() {
        let one = TraceLine.text(.app("one"), side: "phone", milliseconds: 50) + "\n"
        let two = TraceLine.text(.app("two"), side: "phone", milliseconds: 20) + "\n"
        #expect(SessionTrace.merged([one + two]) == one + two)
    }

    @Test func `a trace is off, on the standard error, or in a file`() {
        #expect(SessionTrace.Sink(environment: [:]) == nil)
        #expect(SessionTrace.Sink(environment: ["WATCHCONNECTIVITY_TRACE": ""]) == nil)
        #expect(SessionTrace.Sink(environment: ["WATCHCONNECTIVITY_TRACE": "stderr"]) == .standardError)
        #expect(SessionTrace.Sink(environment: ["WATCHCONNECTIVITY_TRACE": "/tmp/t"]) == .file("/tmp/t"))
    }

    @Test func `two sides add to one file`() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "trace-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let phone = TraceWriter(side: "phone", .file(path))
        let watch = TraceWriter(side: "watch", .file(path))

        phone.write(.app("one"), milliseconds: 1)
        watch.write(.call("two"), milliseconds: 2)
        phone.write(.warning("three"), milliseconds: 3)

        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(
            text == """
                1970-01-01T00:00:00.001Z phone -> one
                1970-01-01T00:00:00.002Z watch <- two
                1970-01-01T00:00:00.003Z phone !! three

                """)
    }

    @Test func `a trace that cannot be written is silent`() {
        TraceWriter(side: "phone", .file("/does/not/exist/trace")).write(.app("lost"))
        TraceWriter(side: "phone", nil).write(.app("off"))
    }
}

import CreditWindows
import SyncCore
import TestSupport
import Testing

@testable import SyncSimulation

/// What each side sends beyond its confirmed frames under faults, counted from the frames alone.
@Suite(.longWork) struct CreditTests {
    @Test(arguments: [1, 16, 64] as [UInt32])
    func `nobody sends more than the other side takes, whatever goes wrong, and all arrives`(_ window: UInt32) {
        var options = SimulationOptions()
        options.wideChance = 1
        var most: [CreditBook.Most] = []
        for seed: UInt64 in 0..<3 {
            var run = SimulatedRun(schedule: Schedule(seed: seed, options: options))
            run.keepFrames(window: window)
            let report = run.run()
            let book = CreditBook(of: run.frames)
            // A run ends successfully only if all devices have converged.
            #expect(report.violation == nil, "seed \(seed)")
            #expect(book.findings == [], "seed \(seed)")
            most += book.most.values
        }
        #expect(most.map(\.registerCount).max() == Int(window))
        #expect(most.contains { $0.itemCount > 0 })
        #expect(most.contains { $0.messageCount > 1 })
        #expect(most.contains { $0.chunkByteCount > 0 })
    }

    private static func frame(
        _ kind: FrameKind, _ number: UInt64 = 0, _ body: JSONMembers = [:], blob: [UInt8] = [1]
    ) -> Frame {
        Frame(kind: kind, session: 5, sequence: number, body: JSONValue.members(body).encoded, blob: blob)
    }

    @Test(arguments: [1, 16, 64] as [UInt64])
    func `one frame beyond the credit is found in each lane`(_ window: UInt64) {
        let (side, now) = (CreditBook.Side(watch: 0, isHub: true), Instant(nanoseconds: 0))
        let stream: JSONMembers = ["stream": .string("s")]
        let id = JSONValue.string("f")
        let message: JSONMembers = ["reply": .integer(1), "timeout": .integer(1000)]
        let pull: JSONMembers = [
            "arrived": .hexadecimal(0), "bytes": .hexadecimal(32_768), "id": id, "offset": .hexadecimal(0),
        ]
        let chunk = [UInt8](repeating: 1, count: 32_768)
        var book = CreditBook()
        book.receives(Self.frame(.hello, 0, ["window": .integer(Int64(window))]), at: side, now: now)
        book.sends(Self.frame(.welcome), at: side, now: now)
        for number in 1...window { book.sends(Self.frame(.register, number), at: side, now: now) }
        for number in 1...32 as ClosedRange<UInt64> {
            book.sends(Self.frame(.item, number, stream), at: side, now: now)
        }
        for number in 1...256 as ClosedRange<UInt64> {
            book.sends(Self.frame(.message, number, message), at: side, now: now)
        }
        book.receives(Self.frame(.pull, 1, pull), at: side, now: now)
        book.sends(Self.frame(.chunk, 0, ["id": id], blob: chunk), at: side, now: now)
        #expect(book.findings == [])

        let beyond = [
            Self.frame(.register, window + 1), Self.frame(.item, 33, stream), Self.frame(.message, 257, message),
            Self.frame(.chunk, 32_768, ["id": id], blob: chunk),
        ]
        for frame in beyond {
            var full = book
            full.sends(frame, at: side, now: now)
            #expect(full.findings.count == 1)
        }
        // Confirmed values make room.
        book.receives(Self.frame(.credit, 1, ["missing": .array([])]), at: side, now: now)
        book.receives(Self.frame(.itemAcknowledged, 1, stream), at: side, now: now)
        book.receives(Self.frame(.reply, 1), at: side, now: now)
        for frame in beyond.dropLast() { book.sends(frame, at: side, now: now) }
        #expect(book.findings == [])
    }
}

import Foundation
import GRDB
import PoolModel
import PowerCut
import TestSupport
import Testing

@testable import PoolStore

/// The power is cut at random times, and the disk loses everything that was not synced.
@Suite
struct PowerCutTests {
    private let place: TemporaryFolder

    init() throws {
        place = try TemporaryFolder()
    }

    /// What power cuts damage in a history.
    ///
    /// `plant` changes it after each opening.
    private func findings(seed: UInt64, _ plant: (HistoryStore) throws -> Void = { _ in }) throws -> [String] {
        let disk = try ForgetfulDisk(seed: seed)
        let path = disk.path + "/history.sqlite"
        var generator = SplitMix64(seed: seed)
        var store = try HistoryStore(path: path)
        try plant(store)
        var next: UInt64 = 1
        while next < 600 {
            switch generator.next() % 16 {
            case 0:
                // The journal is moved into the main file.
                try store.close()
                store = try HistoryStore(path: path)
                try plant(store)
            case 1: try store.rollUp(rowsMax: 50)
            default:
                let messages = next...next + generator.next() % 8
                try store.record(messages.map { Self.message($0) }) { _ in nil }
                disk.acknowledge(messages.upperBound)
                next = messages.upperBound + 1
            }
        }
        #expect(disk.cuts.count > 8)
        return try disk.cuts.enumerated().compactMap { number, cut in
            let remains = place.path("\(number)-\(UUID().uuidString)")
            try cut.lay(in: remains)
            do {
                let found = try HistoryStore(path: remains + "/history.sqlite").all()
                    .compactMap { $0.values[.temperature].map { UInt64($0) } }.sorted()
                // Every acknowledged reading exactly once, and all or nothing of those that were being recorded.
                let isFit =
                    (cut.acknowledged...cut.acknowledged + 8).contains(UInt64(found.count))
                    && found.elementsEqual((0..<UInt64(found.count)).map { $0 + 1 })
                return isFit ? nil : "after \(cut.acknowledged), with \(cut.words) kept: \(found.count) readings"
            } catch {
                return "after \(cut.acknowledged), with \(cut.words) kept: \(error)"
            }
        }
    }

    private static func message(_ number: UInt64) -> Arrival {
        let reading = sampleReading([.temperature: Double(number)], at: Int64(number), received: Int64(number))
        return Arrival(reading: reading, payloadHash: number, delivery: nil)
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func `a history keeps each reading that was acknowledged through cuts of the power, once`(seed: UInt64) throws {
        #expect(try findings(seed: seed) == [])
    }

    @Test(arguments: ["OFF", "NORMAL"])
    func `a history that does not wait for the disk is found out`(synchronous: String) throws {
        let found = try findings(seed: 1) { store in
            try store.queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = \(synchronous)") }
        }
        #expect(!found.isEmpty)
    }
}

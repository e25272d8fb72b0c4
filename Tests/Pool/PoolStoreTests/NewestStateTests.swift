import Foundation
import GRDB
import PoolModel
import TestSupport
import Testing

@testable import PoolStore

/// The newest states between two writes, and what a crash in between leaves.
@Suite
struct NewestStateTests {
    private let place: TemporaryFolder
    private let path: String

    init() throws {
        place = try TemporaryFolder()
        path = place.path("history.sqlite")
    }

    @Test(arguments: [1, 7])
    func `a hub that dies between two writings shows the right state afterwards`(batchCount: Int64) async throws {
        // Before the first write, right before and after it, and far beyond it.
        for last in [3, 255, 256, 257, 300, 600] as [Int64] {
            let path = "\(path)-\(last)"
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = path as String, last = last as Int64, batchCount = batchCount as Int64] in
                let course = try Course(path)
                for first in stride(from: 1, through: last, by: Int64.Stride(batchCount)) {
                    try course.record(Array(first...min(last, first + batchCount - 1)))
                }
                kill(getpid(), SIGKILL)
            }

            let store = try HistoryStore(path: path)

            #expect(try store.latest() == Course.states(of: store))
            #expect(try store.count() == Int(last))
            #expect(try store.recordEach((1...last).map(Course.arrival)).allSatisfy { !$0 })
        }
    }

    @Test
    func `not every reading pays for the state of its device`() throws {
        let course = try Course(path)
        try course.record([1])
        try course.record([2])
        let before = try course.storedStates()

        for number in 3...200 as ClosedRange<Int64> { try course.record([number]) }
        #expect(try course.storedStates() == before)
        for number in 201...300 as ClosedRange<Int64> { try course.record([number]) }

        #expect(try course.storedStates() != before)
        #expect(try course.store.latest() == Course.states(of: course.store))
    }

    @Test
    func `closing and idle maintenance write what is not written yet`() throws {
        let course = try Course(path)
        for number in 1...5 as ClosedRange<Int64> { try course.record([number]) }
        try course.store.maintainAll(now: 1000)
        #expect(try course.storedStates() == course.store.latest())

        try course.record([6])
        try course.store.close()

        let mark = try DatabaseQueue(path: path).read { try $0.value(of: .statesThrough) }
        #expect(mark == 6)
        let reopened = try HistoryStore(path: path)
        #expect(try reopened.latest() == Course.states(of: reopened))
    }

    @Test
    func `a state without a reading, and the readings behind it, are both there after a death`() async throws {
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let course = try Course(path)
            for number in 1...4 as ClosedRange<Int64> { try course.record([number]) }
            // The state after a new calibration: the same values, and a greater order.
            try course.raise(oak, to: 9000)
            for number in 5...8 as ClosedRange<Int64> { try course.record([number]) }
            kill(getpid(), SIGKILL)
        }

        let latest = try HistoryStore(path: path).latest()

        #expect(latest.map(\.deviceID) == [oak, elm])
        // The readings 6 and 8 are of oak.
        #expect(latest.first?.order == 9002)
        #expect(latest.first?.values[.temperature]?.value == 8)
        #expect(latest.last?.values[.temperature]?.value == 7)
    }

    @Test
    func `what was deleted does not come back with the states that were not written`() async throws {
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let course = try Course(path)
            for number in 1...6 as ClosedRange<Int64> { try course.record([number]) }
            _ = try course.store.beginDeletion(
                of: oak, from: Timestamp(milliseconds: 5), through: Timestamp(milliseconds: 9))
            kill(getpid(), SIGKILL)
        }
        do {
            let store = try HistoryStore(path: path)
            #expect(try store.latest().first?.values[.temperature]?.value == 4)
            #expect(try store.latest().last?.values[.temperature]?.value == 5)
        }

        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let course = try Course(path)
            try course.record([10])
            try course.store.deleteAll(of: oak)
            kill(getpid(), SIGKILL)
        }

        let latest = try HistoryStore(path: path).latest()
        #expect(latest.map(\.deviceID) == [oak, elm])
        #expect(latest.first?.values[.temperature] == nil)
    }

    @Test
    func `a history in which maintenance came before the first reading is marked, too`() async throws {
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let course = try Course(path)
            try course.store.maintainAll(now: 1000)
            for number in 1...4 as ClosedRange<Int64> { try course.record([number]) }
            kill(getpid(), SIGKILL)
        }

        let store = try HistoryStore(path: path)

        #expect(try store.latest() == Course.states(of: store))
        #expect(try store.latest().count == 2)
    }

    @Test
    func `a reading that was not stored changes no state`() throws {
        let course = try Course(path)
        for number in 1...3 as ClosedRange<Int64> { try course.record([number]) }
        let before = try course.store.latest()
        try course.store.limitPages(by: 2)

        #expect(throws: HistoryError.full(path: path)) {
            try course.store.record((4...5000).map(Course.arrival)) { reading in
                DeviceReadings(deviceID: reading.deviceID, order: 99_999)
            }
        }

        #expect(try course.store.latest() == before)
    }

    @Test
    func `what is recorded together is in the history together, or not at all`() throws {
        struct Enough: Error {}
        let store = try HistoryStore(path: path)
        try store.record([Course.arrival(1)])
        let before = try store.latest()

        // It fails after it has recorded something, including a device that the history did not know.
        #expect(throws: HistoryError.failed(path: path, reason: "Enough()")) {
            try store.together { transaction in
                try transaction.record(dated(7, of: elm)) { DeviceReadings(deviceID: $0.deviceID, order: 9) }
                try transaction.save(DeviceReadings(deviceID: oak, order: 99))
                throw Enough()
            }
        }
        #expect(try store.count() == 1 && store.latest() == before)

        let outcomes = try store.together { transaction in
            try [dated(7, of: elm), dated(7, of: elm), dated(8)].map { try transaction.record($0) != .duplicate }
        }
        #expect(outcomes == [true, false, true])
        #expect(try HistoryStore(path: path).count() == 3)
    }
}

/// Readings of two devices alternately, each of which leads to a new state.
private final class Course {
    let store: HistoryStore
    private var states: [DeviceID: DeviceReadings]

    init(_ path: String) throws {
        store = try HistoryStore(path: path)
        states = try Dictionary(uniqueKeysWithValues: store.latest().map { ($0.deviceID, $0) })
    }

    /// The n-th reading; the even ones are of `oak`.
    static func arrival(_ number: Int64) -> Arrival {
        Arrival(
            reading: sampleReading(
                [.temperature: Double(number)], of: number.isMultiple(of: 2) ? oak : elm, at: number,
                // Some arrive at the same time, so that the orders do not follow from the clock alone.
                received: number / 4 * 4),
            payloadHash: UInt64(number), delivery: nil)
    }

    func record(_ numbers: [Int64]) throws {
        var changed = states
        let latest = { (reading: Reading) -> DeviceReadings? in
            changed[reading.deviceID, default: DeviceReadings(deviceID: reading.deviceID)].follow(reading)
            return changed[reading.deviceID]
        }
        if let only = numbers.first, numbers.count == 1 {
            try store.record(Self.arrival(only), latest: latest)
        } else {
            try store.record(numbers.map(Self.arrival), latest: latest)
        }
        states = changed
    }

    func raise(_ deviceID: DeviceID, to order: UInt64) throws {
        states[deviceID]?.raiseOrder(to: order)
        if let state = states[deviceID] { try store.save(state) }
    }

    /// The states in the file.
    func storedStates() throws -> [DeviceReadings] {
        try store.queue.read { database in
            try database.latestOfAll().values.sorted { $0.deviceID.description < $1.deviceID.description }
        }
    }

    /// The states that result from the readings of a history.
    static func states(of store: HistoryStore) throws -> [DeviceReadings] {
        try [oak, elm].compactMap { id in
            var state = DeviceReadings(deviceID: id)
            for reading in try store.all(of: id).sorted(by: { $0.ordinal ?? 0 < $1.ordinal ?? 0 }) {
                state.follow(reading)
            }
            return state.order > 0 ? state : nil
        }
    }
}

import Foundation
import PoolModel
import TestSupport
import Testing

@testable import PoolStore

/// A hub that is killed at any time, with a broker that redelivers unacknowledged messages.
@Suite
struct CrashTests {
    private let place: TemporaryFolder
    private let path: String
    private let acknowledged: String

    init() throws {
        place = try TemporaryFolder()
        path = place.path("history.sqlite")
        acknowledged = place.path("acknowledged")
    }

    @Test(arguments: [1, 8])
    func `a hub killed again and again loses nothing and stores nothing twice`(batchCount: UInt64) async throws {
        for round in 0..<6 {
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [
                    path = path as String, acknowledged = acknowledged as String, round = round as Int,
                    batchCount = batchCount as UInt64
                ] in
                let store = try HistoryStore(path: path)
                let broker = try Journal(acknowledged)
                let killer = Killer(afterCount: 4 + 5 * round, spinning: 2_000 * round)
                var states = try Dictionary(uniqueKeysWithValues: store.latest().map { ($0.deviceID, $0) })
                var next = (Journal.last(acknowledged) ?? 0) + 1
                while true {
                    let messages = next..<(next + batchCount)
                    var changed = states
                    try store.record(messages.map { sampleMessage($0) }) { reading in
                        let id = reading.deviceID
                        changed[id, default: DeviceReadings(deviceID: id)].follow(reading)
                        return changed[id]
                    }
                    states = changed
                    for message in messages { broker.note(message) }
                    next = messages.upperBound
                    killer.count()
                }
            }
        }

        let last = try #require(Journal.last(acknowledged))
        let store = try HistoryStore(path: path)
        let readings = try (store.all(of: oak) + store.all(of: elm)).sorted { ($0.ordinal ?? 0) < ($1.ordinal ?? 0) }
        let messages = readings.compactMap { $0.values[.temperature].map { UInt64($0) } }
        #expect(messages == Array(1...UInt64(messages.count)))
        #expect((last...(last + batchCount)).contains(UInt64(messages.count)))
        // The states are exactly those that result from these readings.
        for state in try store.latest() {
            var expected = DeviceReadings(deviceID: state.deviceID)
            for reading in readings where reading.deviceID == state.deviceID { expected.follow(reading) }
            #expect(state == expected)
        }
    }

    @Test(arguments: 0..<6)
    func `a hub killed while it creates its history creates it at the next start`(round: Int) async throws {
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, round = round as Int] in
            let killer = Killer(afterCount: 1, spinning: 20_000 * round * round)
            killer.count()
            let store = try HistoryStore(path: path)
            while true { _ = try store.count() }
        }

        let store = try HistoryStore(path: path)

        #expect(try store.recordEach([dated(1)]) == [true])
    }
}

/// The n-th message of a broker; every second one is of a device that sends no time and always the same value.
private func sampleMessage(_ number: UInt64) -> Arrival {
    let isDated = number % 2 == 0
    let reading = sampleReading(
        [.temperature: Double(number)], of: isDated ? oak : elm, at: Int64(number),
        quality: isDated ? .device : .estimated, received: Int64(number))
    let delivery = Delivery(
        serverID: home, packetIdentifier: UInt16(number % 65_535 + 1), connection: 1, isSessionResumed: true)
    return Arrival(reading: reading, payloadHash: isDated ? number : 1, delivery: delivery)
}

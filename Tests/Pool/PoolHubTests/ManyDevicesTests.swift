import PoolModel
import SyncCore
import Testing

@testable import PoolHub

/// P29: a hub's engine accepts a large household, and a watch can read what it sends.
@Suite struct ManyDevicesTests {
    /// A hub's engine with a store that stores everything immediately.
    private struct Hub {
        var engine = HubEngine(
            configuration: .pool(), state: LedgerState(newEpoch: Epoch(number: 7)), transfers: [:], seed: 1,
            at: Moment(monotonic: Instant(nanoseconds: 0), wallMilliseconds: 1_780_000_000_000))
        private var requests: UInt64 = 0

        mutating func transact(_ changes: [ConfigurationChange]) -> HubEngine.Answer? {
            requests += 1
            let request = HubEngine.RequestID(number: requests)
            let moment = Moment(
                monotonic: Instant(nanoseconds: Int64(requests)), wallMilliseconds: 1_780_000_000_000)
            engine.handle(.transact(request, changes.map(\.cellChange), expected: nil), at: moment)
            var answer: HubEngine.Answer?
            while let output = engine.nextOutput() {
                switch output {
                case .persist(let group): engine.handle(.persisted(group), at: moment)
                case .answer(request, let given): answer = given
                default: break
                }
            }
            return answer
        }
    }

    private func identity(_ kind: UInt64, _ number: Int) -> (UInt64, UInt64) { (kind, UInt64(number)) }

    /// Households in which each device has as much data as possible: names, intervals, pools, mappings, four limits.
    private func household(of count: Int) throws -> PoolConfiguration {
        var configuration = PoolConfiguration()
        for number in 0..<20 {
            configuration = try configuration.adding(
                Server(
                    id: ServerID(high: 1, low: UInt64(number)), name: "Technical room \(number)",
                    host: "192.168.10.\(number + 1)"))
            configuration = try configuration.adding(
                Pool(id: PoolID(high: 2, low: UInt64(number)), name: "Outdoor pool \(number)", volume: 312.5))
        }
        for number in 0..<count {
            var limits: QuantityMap<Limits> = [:]
            for quantity in Quantity.listed(where: { _ in false }) {
                var own = quantity.facts.limits
                own.low += 0.05
                limits[quantity] = own
            }
            var device = Device(
                id: DeviceID(high: 3, low: UInt64(number)), name: "Basin \(number + 1), north-eastern wing",
                serverID: ServerID(high: 1, low: UInt64(number % 20)), topic: "wing/\(number)/water/sensor",
                limits: limits)
            device.poolID = PoolID(high: 2, low: UInt64(number % 20))
            device.mapping = DeviceMapping(values: [try ValueSource(notation: "ph=params.ph")])
            configuration = try configuration.adding(device)
        }
        return configuration
    }

    @Test func `P29 two hundred devices with limits, mappings and servers reach a watch`() throws {
        var hub = Hub()
        let household = try household(of: 200)
        let entries = household.entries()
        for start in stride(from: 0, to: entries.count, by: 100) {
            let part = entries[start..<min(start + 100, entries.count)].map(ConfigurationChange.upsert)
            guard case .done? = hub.transact(part) else {
                Issue.record("entries from \(start) of \(entries.count) were not taken")
                return
            }
        }
        let snapshot = hub.engine.snapshot
        let contents = snapshot.contents
        #expect(contents.count <= Snapshot.byteCountMax)

        let received = try Snapshot(version: snapshot.version, contents: contents)
        let shown = received.cells.pairs.compactMap { ConfigurationEntry($0.key, $0.value) }
        let watch = WatchConfiguration(entries: shown)
        #expect(watch.devices.count == 200)
        for device in household.devices {
            let found = try #require(watch.device(device.id))
            #expect(found.name == device.name && found.limits(for: .ph) == device.limits[.ph])
        }
    }

    @Test func `P29 what is too large for the watches is refused in a sentence`() throws {
        var hub = Hub()
        guard case .refused(let fault)? = hub.transact(try household(of: 400).entries().map(ConfigurationChange.upsert))
        else {
            Issue.record("400 such devices were taken")
            return
        }
        #expect("\(fault)".contains("too large for the watches"))
        #expect(hub.engine.version.revision == 0)
    }
}

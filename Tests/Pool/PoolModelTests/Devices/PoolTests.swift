import PoolSamples
import Testing

@testable import PoolModel

private let garden = Pool(
    id: PoolID(high: 0x3333_0000_0000_0000, low: 1), name: "Garden", volume: 48,
    limits: [.ph: Limits(criticalLow: 6.5, low: 7, high: 7.4, criticalHigh: 7.8)])

/// V8: several pools with their own limits.
@Suite struct PoolTests {
    private func configuration() throws -> PoolConfiguration {
        var lagoon = lagoon
        lagoon.poolID = garden.id
        var spa = spa
        spa.poolID = garden.id
        return try sampleConfiguration().adding(garden).replacing(lagoon).replacing(spa)
    }

    @Test func `V8 a device's own limits hold before its pool's, and those before the standard ones`() throws {
        let configuration = try configuration()
        let lagoon = try configuration.device(matching: "Lagoon")
        let spa = try configuration.device(matching: "Spa")
        #expect(configuration.limits(of: lagoon, for: .ph).low == 7.1)
        #expect(configuration.limits(of: spa, for: .ph) == garden.limits[.ph])
        #expect(configuration.limits(of: spa, for: .orp) == Quantity.orp.facts.limits)
        #expect(configuration.devices(of: garden.id).map(\.name) == ["Lagoon", "Spa"])
    }

    @Test func `pools, mappings, calibrations and settings survive storing`() throws {
        var spa = try configuration().device(matching: "Spa")
        spa.mapping = DeviceMapping(
            profile: "esphome", values: [ValueSource(.ph, topic: "~/ph/state", scale: 0.1)],
            availability: [AvailabilitySource(topic: "~/status")])
        spa.calibrations[.ph] = CalibrationSeries([
            Calibration(
                slope: 1.1, offset: -0.2, method: .manual, points: [], validFrom: noon, madeAt: noon, author: "Ada")
        ])
        var home = home
        home.clientCertificate = .init(certificateFile: "/c.pem", keyFile: "/k.pem")
        home.announcementPrefix = "homeassistant"
        let stored = try configuration().replacing(spa).replacing(home)
            .keeping(HistorySettings(rawDays: 90)).exporting(ExportSettings(period: .daily, folder: "/exports"))

        var problems: [ConfigurationProblem] = []
        let read = PoolConfiguration(entries: stored.entries().reversed(), problems: &problems)

        #expect(problems == [])
        #expect(read == stored)
    }

    @Test func `a pool that is removed leaves its devices without one`() throws {
        let configuration = try configuration().removing(pool: garden.id)
        #expect(configuration.pools == [])
        #expect(configuration.devices.count == 3)
        #expect(configuration.devices.allSatisfy { $0.poolID == nil })
        #expect(throws: ConfigurationError.missing(.pool, "\(garden.id)")) {
            try configuration.removing(pool: garden.id)
        }
    }

    @Test func `a device of a pool that does not exist has none, and the hub mends it`() throws {
        let entries = try configuration().entries().filter { $0.key.kind != "pool" }
        var problems: [ConfigurationProblem] = []
        let read = PoolConfiguration(entries: entries, problems: &problems)
        #expect(read.devices.allSatisfy { $0.poolID == nil })
        #expect(problems == [.poolMissing(lagoon.id, garden.id), .poolMissing(spa.id, garden.id)])
        #expect(PoolConfiguration.repairs(of: entries).map(\.change.key.group) == ["pool", "pool"])
    }

    @Test func `P99 a watch sees pools by name and limits, and no mapping, calibration or volume`() throws {
        var spa = try configuration().device(matching: "Spa")
        spa.mapping = DeviceMapping(profile: "poolmaster", values: [ValueSource(.ph, topic: "secret/topic")])
        let stored = try configuration().replacing(spa)
        let visible = stored.entries().filter(\.isVisibleToWatches)
        let watch = WatchConfiguration(entries: visible)

        #expect(watch.pools == [WatchPool(id: garden.id, name: "Garden", limits: garden.limits)])
        #expect(watch.devices(of: garden.id).map(\.name) == ["Lagoon", "Spa"])
        #expect(watch.device(spa.id)?.limits(for: .ph) == garden.limits[.ph])
        let text = visible.map { String(decoding: $0.value, as: UTF8.self) }.joined()
        for word in ["secret/topic", "poolmaster", "48"] {
            #expect(!text.contains(word))
        }
    }

    @Test func `a watch that takes back a device's limits gives it those of its pool`() throws {
        let watch = WatchConfiguration(entries: try configuration().entries())
        let changes = try watch.limiting(device: lagoon.id, .ph, to: garden.limits[.ph])
        #expect(changes.map(\.isDeletion) == [true])
        let standard = try watch.limiting(device: lagoon.id, .ph, to: Quantity.ph.facts.limits)
        #expect(standard.map(\.isDeletion) == [false])
    }

    @Test func `devices with different mappings share a topic, two equal ones do not`() throws {
        let first = DeviceMapping(values: [ValueSource(.ph, path: ValuePath([.key("a")]))])
        let second = DeviceMapping(values: [ValueSource(.ph, path: ValuePath([.key("b")]))])
        var spa = spa
        spa.topic = lagoon.topic
        #expect(throws: ConfigurationError.topicTaken(lagoon.topic, byDevice: "Lagoon")) {
            try sampleConfiguration().replacing(spa)
        }
        var lagoon = lagoon
        lagoon.mapping = first
        spa.mapping = second
        let configuration = try sampleConfiguration().replacing(lagoon).replacing(spa)
        #expect(configuration.devices.map(\.topic).filter { $0 == lagoon.topic }.count == 3)
        spa.mapping = first
        #expect(throws: ConfigurationError.self) { try configuration.replacing(spa) }
    }

    @Test func `fields outside their ranges are refused by name`() {
        #expect(throws: ConfigurationError.volumeOutOfRange(0)) {
            try PoolConfiguration().adding(Pool(id: garden.id, name: "Garden", volume: 0))
        }
        #expect(throws: ConfigurationError.nameEmpty(.pool)) {
            try PoolConfiguration().adding(Pool(id: garden.id, name: " "))
        }
        #expect(throws: ConfigurationError.retentionOutOfRange("readings", days: 6, range: 7...3650)) {
            try PoolConfiguration().keeping(HistorySettings(rawDays: 6))
        }
        #expect(throws: ConfigurationError.retentionOutOfRange("summaries", days: 89, range: 90...36_500)) {
            try PoolConfiguration().keeping(HistorySettings(rawDays: 90, summaryDays: 89))
        }
        #expect(throws: ConfigurationError.exportFolderInvalid("exports")) {
            try PoolConfiguration().exporting(ExportSettings(period: .weekly, folder: "exports"))
        }
        var plain = ryokan
        plain.clientCertificate = .init(certificateFile: "/c.pem", keyFile: "/k.pem")
        #expect(throws: ConfigurationError.clientCertificateInvalid("/c.pem")) {
            try PoolConfiguration().adding(plain)
        }
        plain.clientCertificate = nil
        plain.announcementPrefix = "home/#"
        #expect(throws: ConfigurationError.announcementInvalid("home/#")) { try PoolConfiguration().adding(plain) }
    }
}

extension ConfigurationChange {
    fileprivate var isDeletion: Bool {
        if case .delete = self { true } else { false }
    }
}

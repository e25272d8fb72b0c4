import PoolControl
import PoolHub
import PoolModel
import TestSupport
import Testing

/// V8 and P83: pools, limits and calibrations by commands, with a running and with a stopped hub.
@Suite struct PoolEditTests {
    private let place: TestHubFolder

    init() throws {
        place = try TestHubFolder()
    }

    @discardableResult
    private func ask(_ request: HubCommand) async throws -> HubReply {
        try await HubClient.perform(request, path: place.path)
    }

    private func report() async throws -> HubState {
        guard case .state(let report) = try await ask(.state) else { throw NotRunning() }
        return report
    }

    private func configure() async throws {
        var server = ServerPatch()
        server.name = "Home"
        server.host = "broker.example"
        try await ask(.edit(.addServer(server)))
        var pool = PoolPatch()
        pool.name = "Garden"
        try await ask(.edit(.addPool(pool)))
        var device = DevicePatch()
        device.name = "Lagoon"
        device.topic = "pool/1"
        device.poolID = .set(try await report().poolID("Garden"))
        try await ask(.edit(.addDevice(device)))
    }

    @Test func `V8 a pool's limits hold for its devices until one has its own`() async throws {
        try await configure()
        let mild = Limits(criticalLow: 6.5, low: 7, high: 7.4, criticalHigh: 7.8)
        let strict = Limits(criticalLow: 6.9, low: 7.1, high: 7.3, criticalHigh: 7.5)
        try await ask(.edit(.setLimits(.pool(report().poolID("Garden")), .ph, mild)))
        #expect(try await report().devices[0].limits[.ph] == mild)
        try await ask(.edit(.setLimits(.device(report().deviceID("Lagoon")), .ph, strict)))
        #expect(try await report().devices[0].limits[.ph] == strict)
        try await ask(.edit(.setLimits(.device(report().deviceID("Lagoon")), .ph, nil)))
        #expect(try await report().devices[0].limits[.ph] == mild)
        try await ask(.edit(.setLimits(.pool(report().poolID("Garden")), .ph, nil)))
        #expect(try await report().devices[0].limits[.ph] == Quantity.ph.facts.limits)
    }

    @Test func `limits of several quantities go in one change, which one restore brings back`() async throws {
        try await configure()
        for (quantity, low) in [(Quantity.ph, 7.0), (.orp, 620)] {
            var limits = quantity.facts.limits
            limits.low = low
            try await ask(.edit(.setLimits(.device(report().deviceID("Lagoon")), quantity, limits)))
        }
        let before = try await report()

        try await ask(.edit(.clearLimits(.device(report().deviceID("Lagoon")), [.ph, .orp])))

        let after = try await report()
        #expect(after.revision == before.revision + 1)
        #expect(after.devices[0].device.limits.pairs.isEmpty)
        try await ask(.restoreRevision(before.revision))
        #expect(try await report().devices[0].limits == before.devices[0].limits)
    }

    @Test func `P65 limits that do not rise are refused and change nothing`() async throws {
        try await configure()
        let before = try await report().revision
        await #expect(throws: (any Error).self) {
            try await ask(
                .edit(
                    .setLimits(
                        .device(report().deviceID("Lagoon")), .ph,
                        Limits(criticalLow: 6, low: 8, high: 7, criticalHigh: 9)))
            )
        }
        #expect(try await report().revision == before)
    }

    @Test func `P80 P84 calibrations are kept per device and quantity, and taken away one by one`() async throws {
        try await configure()
        let first = Calibration(
            slope: 1, offset: 0.2, method: .zeroPoint, points: [.init(measured: 6.8, reference: 7)],
            validFrom: Timestamp(milliseconds: 1_000), madeAt: Timestamp(milliseconds: 1_000), author: "Ada")
        var second = first
        second.validFrom = Timestamp(milliseconds: 2_000)
        for calibration in [first, second] {
            try await ask(
                .edit(
                    .addCalibration(report().deviceID("Lagoon"), .ph, calibration, isForced: false, dropsOldest: false))
            )
        }
        #expect(try await report().devices[0].device.calibrations[.ph]?.versions == [first, second])
        await #expect(throws: (any Error).self, "one that begins at the same moment") {
            try await ask(
                .edit(.addCalibration(report().deviceID("Lagoon"), .ph, second, isForced: false, dropsOldest: false)))
        }
        try await ask(.edit(.removeCalibration(report().deviceID("Lagoon"), .ph, validFrom: nil)))
        #expect(try await report().devices[0].device.calibrations[.ph]?.versions == [first])
        try await ask(.edit(.removeCalibration(report().deviceID("Lagoon"), .ph, validFrom: first.validFrom)))
        #expect(try await report().devices[0].device.calibrations[.ph] == nil)
        await #expect(throws: (any Error).self) {
            try await ask(.edit(.removeCalibration(report().deviceID("Lagoon"), .ph, validFrom: nil)))
        }
    }

    @Test func `P90 the history is kept 30 days until somebody says otherwise`() async throws {
        #expect(try await report().history == HistorySettings(rawDays: 30, summaryDays: 3650))
        try await ask(.edit(.setHistory(HistorySettings(rawDays: 90))))
        #expect(try await report().history.rawDays == 90)
        await #expect(throws: ConfigurationError.self) {
            try await ask(.edit(.setHistory(HistorySettings(rawDays: 6))))
        }
    }

    @Test func `V6 an export by itself is set and taken away`() async throws {
        try await ask(.edit(.setExport(ExportSettings(period: .weekly, format: .jsonl, folder: "/exports"))))
        #expect(try await report().export?.period == .weekly)
        // The folder stays.
        try await ask(.edit(.changeExport(.monthly, .csv)))
        #expect(
            try await report().export == ExportSettings(period: .monthly, format: .csv, folder: "/exports"))
        try await ask(.edit(.setExport(nil)))
        #expect(try await report().export == nil)
        await #expect(throws: (any Error).self) { try await ask(.edit(.changeExport(.daily, .csv))) }
    }
}

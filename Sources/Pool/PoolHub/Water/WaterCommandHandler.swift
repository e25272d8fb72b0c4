import Platform
import PoolControl
import PoolModel
import PoolStore
import WaterChemistry

/// Carries out the commands about doses, advice and forecasts, for a running hub or one at rest.
struct WaterCommandHandler: Sendable {
    /// The newest values of a device.
    struct Newest: Sendable {
        /// The values as people see them; nil if none ever came.
        var readings: DeviceReadings?
        /// When the last value came that was not plausible, by quantity; only a running hub knows.
        var quarantinedAt: QuantityMap<Timestamp> = [:]
    }

    let log: DoseLog
    /// The newest values of a device.
    let newest: @Sendable (Device) throws -> Newest

    /// Where readings and doses are.
    private var history: HistoryStore { log.history }

    /// The days of doses from which the response of a pool is learned.
    private static let responseDays: Int64 = 90
    /// The newest readings that are looked at for the last values of each quantity.
    private static let recentReadingsMax = 200
    private static let dayMilliseconds: Int64 = 86_400_000

    // MARK: - Doses

    /// Adds, lists or removes doses.
    ///
    /// - Throws: What is wrong with the request, in words.
    func perform(_ request: DoseRequest) async throws -> HubReply {
        switch request {
        case .add(let dose): return .dosed(dose, isNew: try await log.add(dose, at: .now))
        case .list(let pool, let limit):
            guard (1...DoseRequest.listMax).contains(limit) else {
                throw RequestProblem("a list of \(limit) doses: choose 1 to \(DoseRequest.listMax)")
            }
            return .doses(try await blocking { [history] in try history.doses(of: pool, limit: limit) })
        case .remove(let id):
            let isRemoved = try await blocking { [history] in try history.removeDose(id) }
            return isRemoved ? .done("removed the dose \(id)") : .refused("there is no dose \(id)")
        }
    }

    // MARK: - Forecasts

    /// Forecasts each quantity of a device of which there are values.
    ///
    /// - Throws: `ConfigurationError`, `HistoryError`.
    func forecast(_ id: DeviceID) async throws -> HubReply {
        let configuration = try await log.configuration()
        let device = try configuration.known(id)
        let now = Timestamp.now
        return try await blocking { [self] in
            let values = try newest(device).readings?.values ?? [:]
            let doses = try device.poolID.map { try history.doses(of: $0, limit: DoseRequest.listMax) } ?? []
            let forecasts = try Quantity.allCases.filter { values[$0] != nil }.map { quantity in
                let first = now.advanced(byMilliseconds: -Int64(Forecast.pastDays) * Self.dayMilliseconds)
                let series = try series(of: device, quantity, from: first, through: now, days: Forecast.pastDays)
                // A product that is not known may change anything.
                let moments = doses.filter { $0.product.quantity ?? quantity == quantity }.map(\.at)
                return Forecast(
                    of: series, limits: configuration.limits(of: device, for: quantity), doses: moments, at: now)
            }
            return .forecasts(device: device.name, forecasts)
        }
    }

    /// The values of a quantity by the quarter hour, as far as the history has it so fine.
    private func series(
        of device: Device, _ quantity: Quantity, from first: Timestamp, through last: Timestamp, days: Int
    ) throws -> TimeSeries {
        try history.series(
            SeriesQuery(
                deviceID: device.id, quantity: quantity, from: first, through: last, pointsMax: 96 * days + 1,
                expectedIntervalSeconds: device.expectedIntervalSeconds,
                calibrations: device.calibrations[quantity] ?? CalibrationSeries()))
    }

    // MARK: - Advice

    /// Computes advice for a pool, from the newest values of its devices.
    ///
    /// - Throws: `ConfigurationError`, `AdviceNumbersError`, `HistoryError`.
    func advice(_ id: PoolID, _ numbers: AdviceNumbers) async throws -> HubReply {
        .advice(try await advised(id, numbers).advice)
    }

    /// What an assessment of a pool needs besides the newest values, by advice without any number that a person types.
    ///
    /// - Throws: `ConfigurationError`, `HistoryError`.
    func care(of id: PoolID) async throws -> PoolCare {
        let (advice, doses) = try await advised(id, AdviceNumbers())
        return PoolCare(advice, doses: doses)
    }

    private func advised(_ id: PoolID, _ numbers: AdviceNumbers) async throws -> (advice: Advice, doses: [Dose]) {
        try numbers.validate()
        let configuration = try await log.configuration()
        let pool = try configuration.known(id)
        let now = Timestamp.now
        return try await blocking { [self] in
            let doses = try history.doses(of: id, limit: DoseRequest.listMax)
            var facts = PoolFacts(pool: pool, numbers: numbers, doses: doses)
            for quantity in Quantity.allCases where quantity.facts.isAdvised {
                facts.measurements[quantity] = try measurement(
                    of: quantity, in: configuration, pool: pool, at: now)
            }
            let celsius = facts.measurements[.temperature]?.newest.value
            for quantity in [Quantity.ph, .chlorine] {
                guard let device = try device(with: quantity, in: configuration, pool: pool)?.device else { continue }
                facts.measurements[quantity]?.responses = try responses(
                    quantity, of: device, pool, numbers, doses: doses, celsius: celsius, at: now)
            }
            return (Advice(facts, at: now), doses)
        }
    }

    /// The device of a pool with the newest value of a quantity; nil if none has any.
    private func device(
        with quantity: Quantity, in configuration: PoolConfiguration, pool: Pool
    ) throws -> (device: Device, newest: Newest, value: LatestValue)? {
        var found: (device: Device, newest: Newest, value: LatestValue)?
        for device in configuration.devices where device.poolID == pool.id {
            let newest = try newest(device)
            guard let value = newest.readings?.values[quantity] else { continue }
            let isNewer = found.map { ($0.value.moment?.milliseconds ?? .min) < value.moment?.milliseconds ?? .min }
            if isNewer ?? true { found = (device, newest, value) }
        }
        return found
    }

    private func measurement(
        of quantity: Quantity, in configuration: PoolConfiguration, pool: Pool, at now: Timestamp
    ) throws -> PoolFacts.Measurement? {
        guard let (device, newest, value) = try device(with: quantity, in: configuration, pool: pool) else {
            return nil
        }
        let yesterday = now.advanced(byMilliseconds: -Self.dayMilliseconds)
        let recent = try history.newest(
            of: device.id, limit: Self.recentReadingsMax, corrections: configuration.corrections
        ).filter { $0.reading.sampledAt > yesterday && $0.reading.sampledAt <= now }.compactMap {
            $0.corrected[quantity]
        }
        var others: [PoolFacts.Other] = []
        for other in configuration.devices where other.poolID == pool.id && other.id != device.id {
            guard let value = try self.newest(other).readings?.values[quantity] else { continue }
            others.append(
                PoolFacts.Other(
                    device: other.name, newest: value, limits: configuration.limits(of: other, for: quantity)))
        }
        return PoolFacts.Measurement(
            device: device.name, newest: value, recent: recent.reversed(),
            isQuarantined: newest.quarantinedAt[quantity].map { $0 > value.receivedAt } ?? false,
            calibrations: device.calibrations[quantity] ?? CalibrationSeries(),
            limits: configuration.limits(of: device, for: quantity), others: others)
    }

    private func responses(
        _ quantity: Quantity, of device: Device, _ pool: Pool, _ numbers: AdviceNumbers, doses: [Dose],
        celsius: Double?, at now: Timestamp
    ) throws -> [Double] {
        let first = now.advanced(byMilliseconds: -Self.responseDays * Self.dayMilliseconds)
        let recent = doses.filter { $0.product.quantity == quantity && $0.at > first }
        guard let volume = pool.volume, recent.count >= DoseResponse.doseCountMin else { return [] }
        let series = try series(of: device, quantity, from: first, through: now, days: Int(Self.responseDays))
        return DoseResponse.ratios(series, doses: recent, volume: volume, numbers: numbers, celsius: celsius)
    }
}

extension WaterCommandHandler {
    /// Creates a handler for a hub at rest.
    init(resting editor: ConfigurationEditor, history: HistoryStore) {
        self.init(
            log: DoseLog(
                history: history, configuration: { try await editor.configuration().configuration },
                onDose: { _, _ in }, onDrop: { _ in }),
            newest: { device in
                guard let raw = try history.latest().first(where: { $0.deviceID == device.id }) else { return Newest() }
                return Newest(readings: try IngestDevice(device: device, raw: raw, recalling: history).shown)
            })
    }
}

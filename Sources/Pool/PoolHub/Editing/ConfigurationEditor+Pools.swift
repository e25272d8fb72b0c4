import PoolControl
import PoolModel
import WaterChemistry

extension ConfigurationEditor {
    // MARK: - Pools

    func addPool(_ patch: PoolPatch) async throws -> HubReply {
        guard let name = patch.name else { throw RequestProblem("a pool needs a name") }
        var generator = SystemRandomNumberGenerator()
        let pool = patch.applied(to: Pool(id: PoolID(using: &generator), name: name))
        return try await change { old in (try old.adding(pool), "added pool \(name)") }
    }

    func editPool(_ id: PoolID, _ patch: PoolPatch) async throws -> HubReply {
        try await change { old in
            let pool = patch.applied(to: try old.known(id))
            return (try old.replacing(pool), "changed pool \(pool.name)")
        }
    }

    func removePool(_ id: PoolID) async throws -> HubReply {
        try await change { old in
            let pool = try old.known(id)
            return (try old.removing(pool: pool.id), "removed pool \(pool.name)")
        }
    }

    // MARK: - Limits

    func setLimits(of owner: LimitsOwner, _ quantity: Quantity, _ limits: Limits?) async throws -> HubReply {
        try await change { old in
            let (new, name) = try old.limiting(owner) { $0[quantity] = limits }
            let words = limits.map { "are \($0.low)…\($0.high)" } ?? "are no longer its own"
            return (new, "the \(quantity.name) limits of \(name) \(words)")
        }
    }

    func clearLimits(of owner: LimitsOwner, _ quantities: [Quantity]) async throws -> HubReply {
        try await change { old in
            let (new, name) = try old.limiting(owner) { limits in
                for quantity in quantities { limits[quantity] = nil }
            }
            let words = quantities.map(\.name).joined(separator: ", ")
            return (new, "the \(words) limits of \(name) are no longer its own")
        }
    }

    func applyPreset(_ key: String, to owner: LimitsOwner) async throws -> HubReply {
        let preset = try LimitsPreset.named(key)
        return try await change { old in
            let (new, name) = try old.limiting(owner) { limits in
                for (quantity, value) in preset.limits.pairs { limits[quantity] = value }
            }
            return (new, "\(name) has the limits of \(preset.title)")
        }
    }

    // MARK: - Calibrations

    func addCalibration(
        of id: DeviceID, _ quantity: Quantity, _ calibration: Calibration, isForced: Bool, dropsOldest: Bool
    ) async throws -> HubReply {
        try await change { old in
            var device = try old.known(id)
            device.calibrations[quantity] = try (device.calibrations[quantity] ?? CalibrationSeries())
                .adding(calibration, for: quantity, isForced: isForced, dropsOldest: dropsOldest).series
            return (try old.replacing(device), "calibrated \(quantity.name) of \(device.name)")
        }
    }

    func removeCalibration(
        of id: DeviceID, _ quantity: Quantity, validFrom: Timestamp?
    ) async throws -> HubReply {
        try await change { old in
            var device = try old.known(id)
            guard let series = device.calibrations[quantity], let last = series.versions.last else {
                throw RequestProblem("\(quantity.name) of \(device.name) is not calibrated")
            }
            let rest = try series.removing(startingAt: validFrom ?? last.validFrom)
            device.calibrations[quantity] = rest.versions.isEmpty ? nil : rest
            return (try old.replacing(device), "removed a calibration of \(quantity.name) of \(device.name)")
        }
    }
}

extension PoolConfiguration {
    /// The configuration with other limits of a device or a pool, and whose they are, in words.
    fileprivate func limiting(
        _ owner: LimitsOwner, _ edit: (inout QuantityMap<Limits>) -> Void
    ) throws -> (PoolConfiguration, String) {
        switch owner {
        case .device(let id):
            var device = try known(id)
            edit(&device.limits)
            return (try replacing(device), "the device \(device.name)")
        case .pool(let id):
            var pool = try known(id)
            edit(&pool.limits)
            return (try replacing(pool), "the pool \(pool.name)")
        }
    }
}

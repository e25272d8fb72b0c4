import PoolControl
import PoolModel
import WaterChemistry

/// The result of an edit of the configuration, with a sentence for the user.
///
/// The functions that create one depend only on the configuration before.
struct ConfigurationEdit {
    /// The configuration after the edit.
    let configuration: PoolConfiguration
    /// What was done.
    let sentence: String

    /// Creates an edit.
    init(_ configuration: PoolConfiguration, _ sentence: String) {
        self.configuration = configuration
        self.sentence = sentence
    }

    // MARK: - Devices

    /// Adds a device; the first one is also selected.
    static func add(_ patch: DevicePatch, as id: DeviceID, to old: PoolConfiguration) throws -> Self {
        let device = try patch.device(id: id, in: old)
        let sentence = "added device \(device.name) on \(device.topic)"
        guard old.devices.isEmpty else { return Self(try old.adding(device), sentence) }
        return Self(try old.adding(device).selecting(device: id), "\(sentence); watches show it")
    }

    static func edit(_ id: DeviceID, _ patch: DevicePatch, in old: PoolConfiguration) throws -> Self {
        let device = try patch.applied(to: try old.known(id), in: old)
        return Self(
            try old.replacing(device, sharingName: patch.sharesName ?? false), "changed device \(device.name)")
    }

    static func remove(_ id: DeviceID, from old: PoolConfiguration) throws -> Self {
        let device = try old.known(id)
        return Self(try old.removing(device: device.id), "removed device \(device.name)")
    }

    static func select(_ id: DeviceID?, in old: PoolConfiguration) throws -> Self {
        guard let id else { return Self(old.selectingNothing(), "no device is selected") }
        let device = try old.known(id)
        return Self(try old.selecting(device: device.id), "selected device \(device.name)")
    }

    // MARK: - Pools

    static func add(_ patch: PoolPatch, as id: PoolID, to old: PoolConfiguration) throws -> Self {
        guard let name = patch.name else { throw RequestProblem("a pool needs a name") }
        return Self(try old.adding(patch.applied(to: Pool(id: id, name: name))), "added pool \(name)")
    }

    static func edit(_ id: PoolID, _ patch: PoolPatch, in old: PoolConfiguration) throws -> Self {
        let pool = patch.applied(to: try old.known(id))
        return Self(try old.replacing(pool, sharingName: patch.sharesName ?? false), "changed pool \(pool.name)")
    }

    static func remove(_ id: PoolID, from old: PoolConfiguration) throws -> Self {
        let pool = try old.known(id)
        return Self(try old.removing(pool: pool.id), "removed pool \(pool.name)")
    }

    // MARK: - Limits

    static func setLimits(
        of owner: LimitsOwner, _ quantity: Quantity, _ limits: Limits?, in old: PoolConfiguration
    ) throws -> Self {
        let (new, name) = try old.limiting(owner) { $0[quantity] = limits }
        let words = limits.map { "are \($0.low)…\($0.high)" } ?? "are no longer its own"
        return Self(new, "the \(quantity.name) limits of \(name) \(words)")
    }

    static func clearLimits(
        of owner: LimitsOwner, _ quantities: [Quantity], in old: PoolConfiguration
    ) throws -> Self {
        let (new, name) = try old.limiting(owner) { limits in
            for quantity in quantities { limits[quantity] = nil }
        }
        let words = quantities.map(\.name).joined(separator: ", ")
        return Self(new, "the \(words) limits of \(name) are no longer its own")
    }

    static func replaceLimits(
        of owner: LimitsOwner, _ limits: QuantityMap<Limits>, in old: PoolConfiguration
    ) throws -> Self {
        let (new, name) = try old.limiting(owner) { $0 = limits }
        return Self(new, "changed the limits of \(name)")
    }

    static func applyPreset(_ key: String, to owner: LimitsOwner, in old: PoolConfiguration) throws -> Self {
        let preset = try LimitsPreset.named(key)
        let (new, name) = try old.limiting(owner) { limits in
            for (quantity, value) in preset.limits.pairs { limits[quantity] = value }
        }
        return Self(new, "\(name) has the limits of \(preset.title)")
    }

    // MARK: - Calibrations

    static func calibrate(
        _ id: DeviceID, _ quantity: Quantity, by calibration: Calibration, isForced: Bool, dropsOldest: Bool,
        in old: PoolConfiguration
    ) throws -> Self {
        var device = try old.known(id)
        device.calibrations[quantity] = try (device.calibrations[quantity] ?? CalibrationSeries())
            .adding(calibration, for: quantity, isForced: isForced, dropsOldest: dropsOldest).series
        return Self(try old.replacing(device), "calibrated \(quantity.name) of \(device.name)")
    }

    static func removeCalibration(
        of id: DeviceID, _ quantity: Quantity, validFrom: Timestamp?, in old: PoolConfiguration
    ) throws -> Self {
        var device = try old.known(id)
        guard let series = device.calibrations[quantity], let last = series.versions.last else {
            throw RequestProblem("\(quantity.name) of \(device.name) is not calibrated")
        }
        let rest = try series.removing(startingAt: validFrom ?? last.validFrom)
        device.calibrations[quantity] = rest.versions.isEmpty ? nil : rest
        return Self(try old.replacing(device), "removed a calibration of \(quantity.name) of \(device.name)")
    }

    // MARK: - The history

    static func keep(_ settings: HistorySettings, in old: PoolConfiguration) throws -> Self {
        Self(try old.keeping(settings), "readings are kept \(settings.rawDays) days")
    }

    static func export(_ settings: ExportSettings?, in old: PoolConfiguration) throws -> Self {
        let sentence = settings.map { "\($0.period.rawValue) exports go to \($0.folder)" }
        return Self(try old.exporting(settings), sentence ?? "no automatic exports")
    }
}

extension PoolConfiguration {
    /// The configuration with changed limits of a device or a pool, and their owner in words.
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

import PoolControl
import PoolModel
import WaterChemistry
import WebServer

/// Pools and devices, their names, limits and calibrations.
struct WaterRoutes: Sendable {
    let hub: HubWatcher
    private let lists = ListMemory()

    init(hub: HubWatcher) { self.hub = hub }

    // MARK: - Lists

    func pools(_ context: RequestContext) throws -> WebResponse {
        try lists.answer(.pools, of: try hub.snapshot(), for: context.account) { try .json($0.pools) }
    }

    func devices(_ context: RequestContext) throws -> WebResponse {
        let snapshot = try hub.snapshot()
        guard let text = context.parameter("pool") else {
            return try lists.answer(.devices, of: snapshot, for: context.account) { try .json($0.devices) }
        }
        guard let id = PoolID(text) else { throw context.wrong("pool", text, "the id of a pool") }
        let shown = VisibleState(snapshot, for: context.account)
        return try .json(shown.devices.filter { $0.poolID == id })
    }

    func pool(_ id: String, _ context: RequestContext) throws -> WebResponse {
        let snapshot = try hub.snapshot()
        return try view(try context.pool(id, in: snapshot.state), snapshot, context)
    }

    func device(_ id: String, _ context: RequestContext) throws -> WebResponse {
        let snapshot = try hub.snapshot()
        return try view(try context.device(id, in: snapshot.state), snapshot, context)
    }

    func poolLimits(_ id: String, _ context: RequestContext) throws -> WebResponse {
        let state = try hub.snapshot().state
        let pool = try context.pool(id, in: state)
        return try WebResponse.json(LimitsView(pool, in: state)).with("etag", EntityTag.of(pool.limits))
    }

    func deviceLimits(_ id: String, _ context: RequestContext) throws -> WebResponse {
        let state = try hub.snapshot().state
        return try view(limitsOf: try context.device(id, in: state), state)
    }

    func calibrations(_ id: String, _ context: RequestContext) throws -> WebResponse {
        let snapshot = try hub.snapshot()
        return try view(calibrationsOf: try context.device(id, in: snapshot.state), snapshot, context)
    }

    // MARK: - Changes

    func editPool(_ id: String, _ context: RequestContext) async throws -> WebResponse {
        let members = try context.members(["name", "volume"])
        var patch = PoolPatch()
        patch.name = try members.optionalText("name")
        if members.has("volume") {
            let volume = members.isNull("volume") ? 0 : try members.number("volume")
            guard members.isNull("volume") || Pool.volumeRange.contains(volume) else {
                throw members.wrong("volume", "0.01 to 1000000 cubic metres, or null")
            }
            patch.volume = volume
        }
        let subject: (ReceivedState) throws -> Pool = { try context.pool(id, in: $0.state) }
        if let name = patch.name, context.account.levelOfAll == nil {
            patch.sharesName = true
            let shown = VisibleState(try hub.snapshot(), for: context.account)
            try Self.check(name, of: .pool, isFreeAmong: shown.pools.filter { "\($0.id)" != id }.map(\.name))
        }
        return try await hub.change(context) {
            Self.tag(of: try subject($0))
        } to: { [patch] in
            .edit(.editPool(try subject($0).id, patch))
        } present: { [self] in
            try view(try subject($0), $0, context)
        }
    }

    func editDevice(_ id: String, _ context: RequestContext) async throws -> WebResponse {
        let members = try context.members(["name", "poolID"])
        var patch = DevicePatch()
        patch.name = try members.optionalText("name")
        if members.isNull("poolID") {
            patch.poolID = .remove
        } else if let pool: PoolID = try members.optionalID("poolID") {
            patch.poolID = .set(pool)
        }
        if let pool = patch.poolID {
            // To move a device, an account must be allowed to edit the old pool and the new one.
            guard context.account.level(of: pool.value) == .edit,
                try pool.value.map({ try hub.snapshot().state.pool($0) != nil }) ?? true
            else { throw members.wrong("poolID", "the id of a pool that this account may edit, or null") }
        }
        let subject: (ReceivedState) throws -> DeviceState = { try context.device(id, in: $0.state) }
        if let name = patch.name, context.account.levelOfAll == nil {
            patch.sharesName = true
            let shown = VisibleState(try hub.snapshot(), for: context.account)
            try Self.check(name, of: .device, isFreeAmong: shown.devices.filter { "\($0.id)" != id }.map(\.name))
        }
        return try await hub.change(context) {
            Self.tag(of: try subject($0).device)
        } to: { [patch] in
            .edit(.editDevice(try subject($0).id, patch))
        } present: { [self] in
            try view(try subject($0), $0, context)
        }
    }

    func setPoolLimits(_ id: String, _ context: RequestContext) async throws -> WebResponse {
        let limits = try Self.limits(try context.members(["own"]))
        let subject: (ReceivedState) throws -> Pool = { try context.pool(id, in: $0.state) }
        return try await hub.change(context) {
            EntityTag.of(try subject($0).limits)
        } to: {
            .edit(.replaceLimits(.pool(try subject($0).id), limits))
        } present: {
            let pool = try subject($0)
            return try WebResponse.json(LimitsView(pool, in: $0.state)).with("etag", EntityTag.of(pool.limits))
        }
    }

    func setDeviceLimits(_ id: String, _ context: RequestContext) async throws -> WebResponse {
        let limits = try Self.limits(try context.members(["own"]))
        let subject: (ReceivedState) throws -> DeviceState = { try context.device(id, in: $0.state) }
        return try await hub.change(context) {
            EntityTag.of(try subject($0).device.limits)
        } to: {
            .edit(.replaceLimits(.device(try subject($0).id), limits))
        } present: { [self] in
            try view(limitsOf: try subject($0), $0.state)
        }
    }

    func calibrate(_ id: String, _ context: RequestContext) async throws -> WebResponse {
        let members = try context.members([
            "quantity", "points", "slope", "offset", "method", "validFrom", "isForced", "dropsOldest", "isDryRun",
        ])
        let quantity = try members.choice("quantity", Quantity.self)
        let (isForced, dropsOldest) = (
            try members.optionalFlag("isForced") ?? false, try members.optionalFlag("dropsOldest") ?? false
        )
        let isDryRun = try members.optionalFlag("isDryRun") ?? false
        let snapshot = try hub.snapshot()
        let device = try context.device(id, in: snapshot.state)
        let result = try Self.calibration(
            members, quantity, at: snapshot.now(), author: context.account.author, isForced: isForced)
        let preview = CalibrationChange(
            result, of: quantity, device: device.name, raw: device.rawReadings?[quantity]?.value,
            corrected: device.readings?.values[quantity]?.value, in: context.request.language)
        let tag = EntityTag.of(device.device.calibrations)
        if isDryRun { return try WebResponse.json(preview, status: 201).with("etag", tag) }
        let subject: (ReceivedState) throws -> DeviceState = { try context.device(id, in: $0.state) }
        return try await hub.change(context) {
            EntityTag.of(try subject($0).device.calibrations)
        } to: {
            .edit(
                .addCalibration(
                    try subject($0).id, quantity, result.calibration, isForced: isForced, dropsOldest: dropsOldest))
        } present: {
            try WebResponse.json(preview, status: 201).with("etag", EntityTag.of(try subject($0).device.calibrations))
        } changed: { [self] in
            try view(calibrationsOf: try subject($0), $0, context)
        }
    }

    func removeCalibration(_ id: String, _ context: RequestContext) async throws -> WebResponse {
        guard let quantity = try context.quantity() else { throw context.lacks("quantity") }
        guard let validFrom = try context.time("validFrom") else { throw context.lacks("validFrom") }
        let subject: (ReceivedState) throws -> DeviceState = { try context.device(id, in: $0.state) }
        return try await hub.change(context) {
            EntityTag.of(try subject($0).device.calibrations)
        } to: {
            .edit(.removeCalibration(try subject($0).id, quantity, validFrom: validFrom))
        } present: { [self] in
            try view(calibrationsOf: try subject($0), $0, context)
        }
    }

    // MARK: - Answers

    private func view(_ pool: Pool, _ snapshot: ReceivedState, _ context: RequestContext) throws -> WebResponse {
        let shown = VisibleState(snapshot, for: context.account)
        let assessment = snapshot.state.assessments(at: shown.now).first { $0.poolID == pool.id }
        return try WebResponse.json(PoolView(pool, shown.devices, assessment)).with("etag", Self.tag(of: pool))
    }

    private func view(_ device: DeviceState, _ snapshot: ReceivedState, _ context: RequestContext) throws -> WebResponse
    {
        let now = snapshot.now()
        let assessment = snapshot.state.assessments(at: now).first { $0.deviceID == device.id }
        let shown = DeviceView(
            device, alerts: snapshot.state.alerts.state, assessment: assessment.map(AssessmentView.init), at: now)
        return try WebResponse.json(shown).with("etag", Self.tag(of: device.device))
    }

    private func view(limitsOf device: DeviceState, _ state: HubState) throws -> WebResponse {
        try WebResponse.json(LimitsView(device, in: state)).with("etag", EntityTag.of(device.device.limits))
    }

    private func view(calibrationsOf device: DeviceState, _ snapshot: ReceivedState, _ context: RequestContext) throws
        -> WebResponse
    {
        var shown = device.device
        if context.account.seesNoNames {
            for (quantity, series) in shown.calibrations.pairs {
                shown.calibrations[quantity] = CalibrationSeries(
                    series.versions.map { version in
                        var nameless = version
                        nameless.author = ""
                        return nameless
                    })
            }
        }
        return try WebResponse.json(CalibrationReport(shown, at: snapshot.now(), in: context.request.language))
            .with("etag", EntityTag.of(device.device.calibrations))
    }

    // MARK: - Tags

    static func tag(of pool: Pool) -> String {
        var plain = pool
        plain.limits = [:]
        return EntityTag.of(plain)
    }

    static func tag(of device: Device) -> String {
        EntityTag.of(["\(device.id)", device.name, device.poolID.map { "\($0)" } ?? ""])
    }

    // MARK: - Bodies

    /// Checks a name among what the account is shown.
    ///
    /// That something else has it is not for this account, so the hub takes it then.
    private static func check(
        _ name: String, of thing: ConfigurationError.RecordKind, isFreeAmong others: [String]
    ) throws(Problem) {
        guard others.contains(where: { HiddenCharacter.looksAlike($0, name) }) else { return }
        throw Problem(
            .refused, "\(ConfigurationError.nameTaken(thing, name))",
            french: "le nom \(Excerpt(name)) est déjà pris : choisissez-en un autre")
    }

    private static func limits(_ members: RequestMembers) throws(Problem) -> QuantityMap<Limits> {
        let names = Set(Quantity.allCases.map(\.rawValue))
        guard let own = try members.optionalObject("own", allowed: names) else { throw members.lacks("own") }
        var all: QuantityMap<Limits> = [:]
        for quantity in Quantity.allCases {
            let name = quantity.rawValue
            let ends = Set(["criticalLow", "low", "high", "criticalHigh"])
            guard let given = try own.optionalObject(name, allowed: ends) else { continue }
            let limits = Limits(
                criticalLow: try given.number("criticalLow"), low: try given.number("low"),
                high: try given.number("high"), criticalHigh: try given.number("criticalHigh"))
            guard limits.isOrdered else {
                throw own.wrong(name, "criticalLow ≤ low < high ≤ criticalHigh")
            }
            all[quantity] = limits
        }
        return all
    }

    private static func calibration(
        _ members: RequestMembers, _ quantity: Quantity, at now: Timestamp, author: String, isForced: Bool
    ) throws -> CalibrationResult {
        let validFrom = try members.optionalTime("validFrom") ?? now
        let points = try members.optionalObjects("points", 1...16, allowed: ["measured", "reference"])
        let isManual = members.has("slope") || members.has("offset")
        guard (points == nil) == isManual, !isManual || !members.has("method") else {
            throw members.wrong("points", "either points, or slope and offset")
        }
        do {
            guard let points else {
                return try Calibration.entered(
                    slope: try members.optionalNumber("slope") ?? 1, offset: try members.optionalNumber("offset") ?? 0,
                    for: quantity, validFrom: validFrom, madeAt: now, author: author, isForced: isForced)
            }
            let pairs = try points.map {
                Calibration.Point(measured: try $0.number("measured"), reference: try $0.number("reference"))
            }
            let method =
                try members.optionalChoice("method", Calibration.Method.self)
                ?? Calibration.Method.usual(for: quantity, pointCount: pairs.count)
            return try Calibration.computed(
                method, from: pairs, for: quantity, validFrom: validFrom, madeAt: now, author: author,
                isForced: isForced)
        } catch let error as CalibrationError {
            let way = error.isForcible ? " Force it with isForced." : ""
            throw Problem(.wrongMember, "\(error)\(way)", member: isManual ? "slope" : "points")
        }
    }
}

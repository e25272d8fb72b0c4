import PoolControl
import PoolModel
import WebServer

/// Forecasts, advice, and the log of doses.
struct AdviceRoutes: Sendable {
    let hub: HubWatcher

    func forecasts(_ context: RequestContext) async throws -> WebResponse {
        guard let id = context.parameter("device") else { throw context.lacks("device") }
        let device = try context.device(id, in: try hub.snapshot().state)
        let (name, forecasts) = try await hub.ask(.forecast(device.id))
        return try .json(ForecastReport(device: name, forecasts: forecasts, in: context.request.language))
    }

    func advice(_ context: RequestContext) async throws -> WebResponse {
        guard let id = context.parameter("pool") else { throw context.lacks("pool") }
        let pool = try context.pool(id, in: try hub.snapshot().state)
        let numbers = AdviceNumbers(
            totalAlkalinity: try context.decimal("totalAlkalinity"),
            cyanuricAcid: try context.decimal("cyanuricAcid"),
            borates: try context.decimal("borates"),
            turnoverHours: try context.decimal("turnoverHours"),
            products: try products(context))
        let advice = try await hub.ask(.advice(pool.id, numbers))
        return try .json(AdviceReport(advice, in: context.request.language))
    }

    /// The products at hand: their names, each with its strength behind `=` or without, separated by commas.
    private func products(_ context: RequestContext) throws -> [AdviceNumbers.Product] {
        guard let text = context.parameter("product") else { return [] }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let products = parts.compactMap { part -> AdviceNumbers.Product? in
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let product = DoseProduct(rawValue: String(pair[0])) else { return nil }
            guard pair.count == 2 else { return AdviceNumbers.Product(product) }
            return Double(pair[1]).map { AdviceNumbers.Product(product, strengthPercent: $0) }
        }
        let known = DoseProduct.allCases.filter { $0.quantity != nil }
        guard products.count == parts.count, products.count <= known.count else {
            let names = known.map(\.rawValue).joined(separator: ", ")
            throw context.wrong(
                "product", text,
                "products such as sodium-hypochlorite=9.6,sodium-bisulfate; there are: \(names)")
        }
        do {
            try AdviceNumbers(products: products).validate()
        } catch {
            throw Problem(.badRequest, "\(error)", member: "product", value: text)
        }
        return products
    }

    func doses(_ context: RequestContext) async throws -> WebResponse {
        let state = try hub.snapshot().state
        let limit = try context.number("limit")
        let pool = try context.parameter("pool").map { try context.pool($0, in: state).id }
        // Of all pools some may be hidden, so that more must be looked at.
        let isFiltered = pool == nil && context.account.levelOfAll == nil
        let shown = try await hub.ask(.doses(of: pool, limit: isFiltered ? DoseRequest.listMax : limit))
            .filter { context.account.level(of: $0.poolID) != nil }
            .map { dose in
                var shown = dose
                if context.account.seesNoNames { shown.author = "" }
                return shown
            }
        return try .json(shown.prefix(limit).map { DoseRecord($0, in: state) })
    }

    func addDose(_ context: RequestContext) async throws -> WebResponse {
        let members = try context.members([
            "poolID", "product", "amount", "unit", "strengthPercent", "at", "note",
        ])
        let snapshot = try hub.snapshot()
        guard let pool: PoolID = try members.optionalID("poolID") else { throw members.lacks("poolID") }
        let missing = members.wrong("poolID", "the id of a pool, see /api/v1/pools")
        guard snapshot.state.pool(pool) != nil else { throw missing }
        try context.check(of: pool, missing: missing)
        let now = snapshot.now()
        var generator = SystemRandomNumberGenerator()
        let dose = Dose(
            id: DoseID(using: &generator), poolID: pool,
            product: try members.choice("product", DoseProduct.self), amount: try members.number("amount"),
            unit: try members.choice("unit", Dose.Unit.self),
            strengthPercent: try members.optionalNumber("strengthPercent"), at: try members.optionalTime("at") ?? now,
            author: context.account.author, note: try members.optionalText("note"))
        do {
            try dose.validate(at: now)
        } catch {
            throw Problem(.wrongMember, "\(error)", member: Self.member(of: error))
        }
        let logged = try await hub.ask(.addDose(dose)).dose
        return try .json(DoseRecord(logged, in: snapshot.state), status: 201)
    }

    func removeDose(_ id: String, _ context: RequestContext) async throws -> WebResponse {
        let missing = Problem(.missing, "there is no dose \(Excerpt(id)): see /api/v1/doses", value: id)
        guard let wanted = DoseID(id),
            let dose = try await hub.ask(.doses(of: nil, limit: DoseRequest.listMax)).first(where: { $0.id == wanted })
        else { throw missing }
        try context.check(of: dose.poolID, missing: missing)
        return try .json(Done(done: try await hub.ask(.removeDose(dose.id))))
    }

    private static func member(of error: DoseError) -> String {
        switch error {
        case .amountOutOfRange: "amount"
        case .unitWrong: "unit"
        case .strengthOutOfRange: "strengthPercent"
        case .inTheFuture, .tooLongAgo, .tooManyNewer: "at"
        case .textTooLong, .textSteers: "note"
        }
    }
}

extension DoseRecord {
    /// A dose with the name of its pool.
    fileprivate init(_ dose: Dose, in state: HubState) {
        self.init(dose, pool: state.pool(dose.poolID)?.name ?? "\(dose.poolID)")
    }
}

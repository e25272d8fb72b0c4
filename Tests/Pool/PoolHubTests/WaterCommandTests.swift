import BrokerFixture
import Platform
import PoolControl
import PoolModel
import PoolStore
import SyncCore
import TestSupport
import Testing

@testable import PoolHub

/// Doses, advice and forecasts of a hub that runs, and of one at rest.
@Suite(.timeLimit(.minutes(20))) struct WaterCommandTests {
    private let folder: TestHubFolder

    init() throws {
        folder = try TestHubFolder()
    }

    /// Whether a hub runs.
    enum Way: CaseIterable, Sendable {
        case running
        case resting
    }

    /// Asks the folder's hub after it was started, or at rest.
    private func asking<Result>(
        _ way: Way, _ work: ((HubCommand) async throws -> HubReply) async throws -> Result
    ) async throws -> Result {
        guard way == .running else { return try await work { try await HubClient.perform($0, path: folder.path) } }
        let hub = TestHub(folder)
        try await hub.start()
        let result = try await work { try await hub.perform($0) }
        try await hub.stop()
        return result
    }

    /// A pool with a device; gives their identities.
    private func configure() async throws -> (pool: PoolID, device: DeviceID) {
        var server = ServerPatch()
        server.name = "Home"
        server.host = "127.0.0.1"
        server.port = 1
        var pool = PoolPatch()
        pool.name = "Garden"
        pool.volume = 48
        var device = DevicePatch()
        device.name = "Lagoon"
        device.topic = "pool/sensor/main"
        for command in [HubCommand.edit(.addServer(server)), .edit(.addPool(pool))] {
            _ = try await HubClient.perform(command, path: folder.path)
        }
        let id = try await folder.report().poolID("Garden")
        device.poolID = .set(id)
        _ = try await HubClient.perform(.edit(.addDevice(device)), path: folder.path)
        return (id, try await folder.report().deviceID("Lagoon"))
    }

    private func dose(
        _ number: UInt64, in pool: PoolID, _ product: DoseProduct = .dichlor, hoursAgo: Double = 1
    ) -> Dose {
        Dose(
            id: DoseID(high: 7, low: number), poolID: pool, product: product, amount: 100, unit: product.units[0],
            at: Timestamp.now.advanced(byMilliseconds: Int64(-hoursAgo * 3_600_000)), author: "me")
    }

    /// Stores readings of a device, one for each time, newest last, so that the newest one is a minute old.
    private func record(
        _ device: DeviceID, count: Int, everyMinutes minutes: Int64, _ values: (Int) -> QuantityMap<Double>
    ) throws {
        let hub = try HubFolder(path: folder.path)
        let now = Timestamp.now
        var state = DeviceReadings(deviceID: device)
        let arrivals = (0..<count).map { number -> Arrival in
            let age = Int64(count - 1 - number) * minutes * 60_000 + 60_000
            let moment = now.advanced(byMilliseconds: -age)
            let reading = Reading(
                deviceID: device, values: values(number), sampledAt: moment, timeQuality: .device, receivedAt: moment)
            return Arrival(reading: reading, payloadHash: UInt64(number), delivery: nil)
        }
        try hub.history.record(arrivals) { reading in
            state.follow(reading)
            return state
        }
    }

    // MARK: - Assessments

    @Test func `nobody may swim from the moment at which a dose is logged`() async throws {
        let (pool, device) = try await configure()
        try record(device, count: 8, everyMinutes: 5) { _ in [.temperature: 25, .ph: 7.3, .chlorine: 1.5] }
        try await asking(.running) { ask in
            func sentence() async throws -> String? {
                guard case .state(let state) = try await ask(.state) else { return nil }
                let assessments = state.assessments(at: .now)
                return assessments.count == 1 ? assessments[0].sentence(in: .english) : "\(assessments)"
            }
            #expect(try await sentence() == "You can swim.")
            _ = try await ask(.doses(.add(dose(1, in: pool, hoursAgo: 1))))
            #expect(try await sentence() == "Wait 11 h before you swim: dichlor was added.")
            _ = try await ask(.doses(.remove(DoseID(high: 7, low: 1))))
            #expect(try await sentence() == "You can swim.")
        }
        guard case .state(let rest) = try await HubClient.perform(.state, path: folder.path) else { return }
        #expect(rest.assessments(at: .now).map(\.label) == ["unknown"], "no hub runs")
    }

    @Test func `the sentence names the dose that the advice computes`() async throws {
        let (pool, device) = try await configure()
        try record(device, count: 8, everyMinutes: 5) { _ in [.temperature: 25, .ph: 7.8, .chlorine: 1.5] }
        try await asking(.running) { ask in
            guard case .advice(let advice) = try await ask(.advice(pool, AdviceNumbers())),
                case .dose(let portions) = advice.steps[0].outcome,
                case .state(let state) = try await ask(.state)
            else {
                Issue.record("no advice")
                return
            }
            let first = portions.choices[0]
            #expect(first.product == .sodiumBisulfate && first.least < first.greatest)
            let expected = (first.least / 10).rounded(.down) * 10
            #expect((100..<1000).contains(first.least))
            let sentence = state.assessments(at: .now).map { $0.sentence(in: .english) }
            #expect(sentence == ["Add \(Int(expected)) g of pH minus to Garden, then measure."])
        }
    }

    // MARK: - Doses

    @Test(arguments: Way.allCases)
    func `a dose is added once, listed and removed`(way: Way) async throws {
        // V21
        let (pool, _) = try await configure()
        let dose = dose(1, in: pool)
        try await asking(way) { ask in
            guard case .dosed(let logged, isNew: true) = try await ask(.doses(.add(dose))) else { throw NotRunning() }
            #expect(logged == dose)
            guard case .dosed(_, isNew: false) = try await ask(.doses(.add(dose))) else { throw NotRunning() }
            guard case .doses(let listed) = try await ask(.doses(.list(pool: pool, limit: 10))) else {
                throw NotRunning()
            }
            #expect(listed == [dose])
            guard case .done = try await ask(.doses(.remove(dose.id))) else { throw NotRunning() }
            guard case .refused = try await ask(.doses(.remove(dose.id))) else { throw NotRunning() }
            guard case .doses(let rest) = try await ask(.doses(.list(pool: nil, limit: 10))) else { throw NotRunning() }
            #expect(rest.isEmpty)
            // A removed dose that is added again, as by a link that repeats itself, does not come back.
            guard case .dosed(_, isNew: false) = try await ask(.doses(.add(dose))) else { throw NotRunning() }
        }
    }

    @Test(arguments: Way.allCases)
    func `a dose that cannot be is refused with what is wrong`(way: Way) async throws {
        let (pool, _) = try await configure()
        try await asking(way) { ask in
            var wrong = dose(1, in: pool)
            wrong.amount = -1
            await #expect(throws: DoseError.self) { try await ask(.doses(.add(wrong))) }
            let foreign = dose(2, in: PoolID(high: 1, low: 1))
            await #expect(throws: ConfigurationError.self) { try await ask(.doses(.add(foreign))) }
            await #expect(throws: RequestProblem.self) { try await ask(.doses(.list(pool: nil, limit: 0))) }
            await #expect(throws: RequestProblem.self) { try await ask(.doses(.list(pool: nil, limit: 10_001))) }
            guard case .doses(let listed) = try await ask(.doses(.list(pool: nil, limit: 10))) else {
                throw NotRunning()
            }
            #expect(listed.isEmpty)
        }
    }

    @Test func `a dose at a running hub is an event, and the screens hear of it`() async throws {
        let (pool, _) = try await configure()
        let hub = TestHub(folder)
        try await hub.start()
        guard case .look(let before?, _) = try await hub.perform(.look(LookRequest())) else { throw NotRunning() }

        _ = try await hub.perform(.doses(.add(dose(1, in: pool))))

        await hub.events.wait { $0.contains { $0.kind == .dose } }
        #expect(hub.events.items.last { $0.kind == .dose }?.words == "Garden: 100 g dichlor, logged by me")
        guard case .look(_?, let events) = try await hub.perform(.look(LookRequest(after: before.change))) else {
            throw NotRunning()
        }
        #expect(events.contains { $0.kind == .dose && $0.severity == nil })
        try await hub.stop()
    }

    // MARK: - Advice

    @Test(arguments: Way.allCases)
    func `advice has the newest values, and a logged dose locks its product`(way: Way) async throws {
        // V21
        let (pool, device) = try await configure()
        try record(device, count: 6, everyMinutes: 10) { _ in [.temperature: 26, .ph: 7.2, .chlorine: 0.6] }
        try await asking(way) { ask in
            guard case .advice(let advice) = try await ask(.advice(pool, AdviceNumbers())) else { throw NotRunning() }
            #expect(advice.pool == "Garden" && advice.volume == 48)
            #expect(advice.inputs.map(\.value) == [26, 7.2, 0.6] && advice.inputs.allSatisfy { $0.device == "Lagoon" })
            #expect(advice.inputs.allSatisfy { ($0.ageSeconds ?? 0) >= 60 })
            #expect(advice.filtration == .hours(13))
            guard case .dose(let portions)? = advice.steps.last?.outcome else { throw Unexpected(advice) }
            // 1…3 mg/L: half of 1.4 mg/L in 48 m³ are 33.6 g, of 56 % 60 g.
            #expect(portions.choices.contains { $0.product == .dichlor && ($0.least - 60).magnitude < 1e-9 })

            let dose = dose(1, in: pool, hoursAgo: 1)
            _ = try await ask(.doses(.add(dose)))
            guard case .advice(let later) = try await ask(.advice(pool, AdviceNumbers())) else { throw NotRunning() }
            #expect(
                later.steps.last?.outcome
                    == .wait(.locked(.dichlor, at: dose.at), until: dose.at.advanced(byMilliseconds: 12 * 3_600_000)))
            await #expect(throws: AdviceNumbersError.self) {
                try await ask(.advice(pool, AdviceNumbers(totalAlkalinity: 3)))
            }
            await #expect(throws: ConfigurationError.self) {
                try await ask(.advice(PoolID(high: 1, low: 1), AdviceNumbers()))
            }
        }
    }

    @Test func `two devices of a pool that disagree give no advice, and each step names its device`() async throws {
        let (pool, device) = try await configure()
        var patch = DevicePatch()
        patch.name = "Second"
        patch.topic = "pool/sensor/second"
        patch.poolID = .set(pool)
        _ = try await HubClient.perform(.edit(.addDevice(patch)), path: folder.path)
        let second = try await folder.report().deviceID("Second")
        func advice() async throws -> Advice {
            guard
                case .advice(let advice) = try await HubClient.perform(
                    .advice(pool, AdviceNumbers()), path: folder.path)
            else { throw NotRunning() }
            return advice
        }
        // The first one was critical a while ago; the second one says that nothing is needed.
        try record(device, count: 6, everyMinutes: 20) { _ in [.chlorine: 0.4] }
        try record(second, count: 6, everyMinutes: 10) { _ in [.chlorine: 1.8] }
        let found = try await advice()
        #expect(found.steps.last?.device == found.inputs.last?.device)
        guard case .refused(.disagreement(.chlorine, let one, _, let other, _, _))? = found.steps.last?.outcome else {
            throw Unexpected(found)
        }
        #expect(Set([one, other]) == ["Lagoon", "Second"])
    }

    @Test func `too few, old and missing values give no advice`() async throws {
        let (pool, device) = try await configure()
        func outcome() async throws -> Advice.Outcome? {
            guard
                case .advice(let advice) = try await HubClient.perform(
                    .advice(pool, AdviceNumbers()), path: folder.path)
            else { throw NotRunning() }
            return advice.steps.last?.outcome
        }
        #expect(try await outcome() == .refused(.notMeasured(.chlorine)))
        // One a day: four of them are older than a day.
        try record(device, count: 5, everyMinutes: 1440) { _ in [.chlorine: 0.6] }
        #expect(try await outcome() == .refused(.tooFew(.chlorine, count: 1)))
    }

    @Test func `a value that was not plausible stops advice until a plausible one comes`() async throws {
        let (pool, _) = try await configure()
        let broker = try await Broker.start()
        let hub = TestHub(folder)
        try await hub.start()
        let server = try await hub.report().serverID("Home")
        var patch = ServerPatch()
        patch.host = broker.host
        patch.port = broker.port
        _ = try await hub.perform(.edit(.editServer(server, patch)))
        await hub.waitForServer("Home", isConnected: true)
        _ = await broker.logLine(containing: "pool/sensor/main (QoS ")
        let publisher = try await Publisher(broker)
        func outcome() async throws -> Advice.Outcome? {
            guard case .advice(let advice) = try await hub.perform(.advice(pool, AdviceNumbers())) else {
                throw NotRunning()
            }
            return advice.steps.first?.outcome
        }
        for number in 0..<6 { try await publisher.publish(#"{"ph":7.\#(20 + number)}"#) }
        await hub.waitForValue("Lagoon", .ph, 7.25)
        #expect(try await outcome() == .nothing(.inRange(low: 6.8, high: 7.6)))

        try await publisher.publish(#"{"ph":99}"#)
        try await poll("the refusal") { try await outcome() == .refused(.quarantined(.ph)) }
        try await publisher.publish(#"{"ph":7.3}"#)
        await hub.waitForValue("Lagoon", .ph, 7.3)
        #expect(try await outcome() == .nothing(.inRange(low: 6.8, high: 7.6)))

        publisher.close()
        try await hub.stop()
        await broker.stop()
    }

    // MARK: - Forecasts

    @Test(arguments: Way.allCases)
    func `a pool that drifts evenly is forecast, and a logged dose begins anew`(way: Way) async throws {
        // V12
        let (pool, device) = try await configure()
        // Two samples an hour for thirty days; pH rises by 0.005 in each, for two days; the last dose was a day ago.
        try record(device, count: 1440, everyMinutes: 30) { number in
            [.ph: 7.1 + 0.005 * Double((number + 48) % 96), .orp: 650]
        }
        try await asking(way) { ask in
            guard case .forecasts(let name, let forecasts) = try await ask(.forecast(device)) else {
                throw NotRunning()
            }
            #expect(name == "Lagoon" && forecasts.map(\.quantity) == [.ph, .orp])
            guard case .leaving(let exit) = forecasts[0].result else { throw Unexpected(forecasts) }
            // From 7.335 at 0.01 an hour to 7.6: in 26.5 hours, which is beyond the reach of 24.
            #expect((exit.changePerDay - 0.24).magnitude < 0.01 && exit.at == nil)
            #expect(forecasts[0].score.map { $0.isGood && $0.originCount > 80 } == true)
            #expect(forecasts[1].result == .refused(.never))

            _ = try await ask(.doses(.add(dose(1, in: pool, .sodiumBisulfate, hoursAgo: 2))))
            guard case .forecasts(_, let later) = try await ask(.forecast(device)) else { throw NotRunning() }
            guard case .refused(.tooRecent) = later[0].result else { throw Unexpected(later) }
            await #expect(throws: ConfigurationError.self) { try await ask(.forecast(DeviceID(high: 1, low: 1))) }
        }
    }

    @Test func `a device without values has no forecasts`() async throws {
        let (_, device) = try await configure()
        guard case .forecasts(_, let forecasts) = try await HubClient.perform(.forecast(device), path: folder.path)
        else { throw NotRunning() }
        #expect(forecasts.isEmpty)
    }
}

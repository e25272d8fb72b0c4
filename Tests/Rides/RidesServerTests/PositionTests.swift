import Postgres
import RidesApp
import RidesModel
import RidesServer
import Testing
import Text

/// Places of drivers: the newest that can be believed.
@Suite(.timeLimit(.minutes(20))) struct PositionTests {
    private static let now = Timestamp(milliseconds: 1_800_000_000_000)

    private static func fix(_ driver: Int, north: Double, at seconds: Int64) throws -> DriverFix {
        DriverFix(
            chauffeur: driver, localisation: try Town.place(north: north),
            mesuree: now.advanced(byMilliseconds: seconds * 1000))
    }

    @Test func `C40 an older measurement replaces nothing, in any order, and one from the future neither`() async throws
    {
        let town = try await Town()
        defer { town.database.close() }
        let driver = try await town.driver()
        func north() async throws -> Double {
            let place = try #require(try await town.store.chauffeurs(nil, limit: 1, as: .operatorOnly).first)
            return ((place.localisation.latitude - Town.centre.latitude) * 111_195).rounded()
        }
        #expect(try await town.store.take([try Self.fix(driver, north: 10, at: 10)], at: Self.now) == 1)
        #expect(try await town.store.take([try Self.fix(driver, north: 5, at: 9)], at: Self.now) == 0)
        #expect(try await town.store.take([try Self.fix(driver, north: 6, at: 10)], at: Self.now) == 0)
        #expect(try await north() == 10)
        let batch = [(40.0, Int64(14)), (20, 12), (30, 13)].map { (north: $0.0, at: $0.1) }
        #expect(
            try await town.store.take(
                try batch.map { try Self.fix(driver, north: $0.north, at: $0.at) }, at: Self.now) == 1)
        #expect(try await north() == 40)
        #expect(try await town.store.take([try Self.fix(driver, north: 50, at: 31)], at: Self.now) == 0)
        #expect(try await town.store.take([try Self.fix(driver, north: 50, at: 30)], at: Self.now) == 1)
        #expect(try await town.store.take([try Self.fix(999, north: 50, at: 30)], at: Self.now) == 0, "no such driver")
    }

    @Test func `C40 a jump is flagged and not shown, until a second measurement agrees with it`() async throws {
        let town = try await Town()
        defer { town.database.close() }
        let driver = try await town.driver()
        func driving() async throws -> RidesView.Driving {
            try #require(try await town.store.view(of: .chauffeur(driver)).driving)
        }
        _ = try await town.store.take([try Self.fix(driver, north: 0, at: 0)], at: Self.now)
        // 9 km in 10 s.
        #expect(try await town.store.take([try Self.fix(driver, north: 9000, at: 10)], at: Self.now) == 0)
        #expect(try await driving().estSuspecte)
        #expect(abs(try await #require(driving().fix).localisation.latitude - Town.centre.latitude) < 0.001)
        // Back at the old place: that was a fault.
        #expect(try await town.store.take([try Self.fix(driver, north: 20, at: 12)], at: Self.now) == 1)
        #expect(try await driving().estSuspecte == false)
        // Twice at the new place: the driver is there.
        #expect(try await town.store.take([try Self.fix(driver, north: 9000, at: 14)], at: Self.now) == 0)
        #expect(try await town.store.take([try Self.fix(driver, north: 9030, at: 16)], at: Self.now) == 1)
        #expect(try await driving().estSuspecte == false)
    }

    @Test func `C40 C41 a place is grey after half a minute and unknown after two, and the driver stays available`()
        async throws
    {
        let fix = RidesView.Fix(localisation: try Town.place(), mesuree: Self.now)
        for (seconds, age) in [(0, RidesView.Fix.Age.fresh), (30, .fresh), (31, .grey), (120, .grey), (121, .unknown)] {
            #expect(fix.age(at: Self.now.advanced(byMilliseconds: Int64(seconds) * 1000)) == age)
        }
        #expect(RidesText.words(fix, at: Self.now.advanced(byMilliseconds: 40_000)) == "40 s old, grey")
        #expect(RidesText.words(fix, at: Self.now.advanced(byMilliseconds: 180_000)) == "unknown for 3 min")
        let town = try await Town()
        defer { town.database.close() }
        let driver = try await town.driver()
        _ = try await town.store.take([try Self.fix(driver, north: 0, at: -600)], at: Self.now)
        #expect(try await town.store.view(of: .chauffeur(driver)).driving?.statut == .disponible)
    }
}

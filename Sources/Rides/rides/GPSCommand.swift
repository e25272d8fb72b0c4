import ArgumentParser
import Commands
import Foundation
import Platform
import Primitives
import RidesApp
import RidesModel
import RidesPhone
import RidesServer
import Text

/// A car that walks at random on a grid, and what its receiver says, which is not always right.
struct WalkingCar {
    /// What a receiver says at a step.
    enum Reading: Equatable {
        case nothing
        case fix(Location, ageSeconds: Int)
    }

    private static let metresPerDegree = Location.sphereRadiusMetres * .pi / 180
    private static let metresPerSecond = 8.0

    let chauffeur: Int
    private(set) var location: Location
    private var generator: SplitMix64
    private var heading = 0
    private var outageSteps = 0

    /// Starts a car; the same seed gives the same way.
    init(chauffeur: Int, at location: Location, seed: UInt64) {
        self.chauffeur = chauffeur
        self.location = location
        generator = SplitMix64(seed: seed &+ UInt64(truncatingIfNeeded: chauffeur) &* 0x9E37_79B9)
    }

    /// Goes on for some seconds.
    mutating func step(seconds: Double) -> Reading {
        if Int.random(in: 0..<8, using: &generator) == 0 { heading = Int.random(in: 0..<4, using: &generator) }
        let metres = Self.metresPerSecond * seconds
        let (east, north) = [(metres, 0.0), (0, metres), (-metres, 0), (0, -metres)][heading]
        location = moved(east: east, north: north)
        if outageSteps > 0 {
            outageSteps -= 1
            return .nothing
        }
        switch Int.random(in: 0..<400, using: &generator) {
        case 0:
            outageSteps = Int.random(in: 5...50, using: &generator)
            return .nothing
        // A stale measurement, and one from far away.
        case 1...4: return .fix(location, ageSeconds: 60)
        case 5...6: return .fix(moved(east: 30_000, north: 10_000), ageSeconds: 0)
        default:
            let noise = -8.0...8
            return .fix(
                moved(east: .random(in: noise, using: &generator), north: .random(in: noise, using: &generator)),
                ageSeconds: 0)
        }
    }

    private func moved(east: Double, north: Double) -> Location {
        let latitude = location.latitude + north / Self.metresPerDegree
        let longitude =
            location.longitude + east / Self.metresPerDegree / max(0.01, cos(location.latitude * .pi / 180))
        // At the edge of the world a car stays where it is.
        return (try? Location(latitude: latitude, longitude: longitude)) ?? location
    }
}

/// Simulated receivers.
struct GPSCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gps", abstract: "Simulates the places of drivers: a seeded walk on a grid with noise and gaps.",
        discussion: "Some measurements are old, and some far away: the server does not show them.")

    @Option(help: ArgumentHelp("How many drivers, by key from 1, 1 to 1000.", valueName: "count")) var drivers = 50
    @Option(help: ArgumentHelp("The same seed gives the same ways.", valueName: "number")) var seed: UInt64 = 7
    @Option(help: ArgumentHelp("The time between two measurements, from 100ms.", valueName: "duration"))
    var interval = "1s"
    @OptionGroup var server: ServerOptions
    @OptionGroup var state: StateOptions

    private var pause: Duration? { DurationText.duration(interval).flatMap { $0 >= .milliseconds(100) ? $0 : nil } }

    func validate() throws {
        if pause == nil {
            throw ValidationError("--interval is \"\(interval)\", expected \(DurationText.expected) from 100ms")
        }
        guard (1...1000).contains(drivers) else {
            throw ValidationError("--drivers is \(drivers), expected 1 to 1000")
        }
    }

    private struct Batch: Encodable {
        struct Item: Encodable {
            var chauffeur: Int
            var localisation: Location
            var mesuree: String
        }

        var positions: [Item]
    }

    func run() async throws {
        let client = try await server.client(for: nil, state)
        let (pause, seed, drivers) = (pause ?? .seconds(1), seed, drivers)
        _ = try await untilStopped {
            do {
                let known: [Chauffeur] = try await client.get("/chauffeurs?limite=\(drivers)")
                var cars = known.map { WalkingCar(chauffeur: $0.id, at: $0.localisation, seed: seed) }
                guard !cars.isEmpty else {
                    throw CommandFailure(
                        "the database has no drivers: start the server with --sample", exitStatus: .notFound)
                }
                Output.standard.line("gps moves \(cars.count) drivers")
                while !Task.isCancelled {
                    let now = Timestamp.now
                    var items: [Batch.Item] = []
                    for index in cars.indices {
                        guard case .fix(let place, let age) = cars[index].step(seconds: pause / .seconds(1)) else {
                            continue
                        }
                        let time = now.advanced(byMilliseconds: Int64(age) * -1000).iso8601
                        items.append(.init(chauffeur: cars[index].chauffeur, localisation: place, mesuree: time))
                    }
                    for start in stride(from: 0, to: items.count, by: 500) {
                        let batch = Batch(positions: Array(items[start...].prefix(500)))
                        do {
                            try await client.send("POST", "/positions", try CanonicalJSON.encode(batch))
                        } catch ServerProblem.away(let reason) {
                            Output.errors.line("gps: \(reason)")
                        }
                    }
                    try await Task.sleep(for: pause)
                }
            } catch {
                throw CommandFailure(error)
            }
        }
    }
}

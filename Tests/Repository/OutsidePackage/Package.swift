// swift-tools-version: 6.2

import PackageDescription

/// What the program that uses the simulations needs.
let simulations: [Target.Dependency] = [
    .product(name: "SyncCore", package: "PoolSensors"),
    .product(name: "SyncSimulation", package: "PoolSensors"),
    .product(name: "WatchConnectivity", package: "PoolSensors"),
    .product(name: "WatchConnectivityTesting", package: "PoolSensors"),
]
/// What the program of Docs/internals/use-the-engine.md needs.
let engine: [Target.Dependency] = [
    .product(name: "SyncCore", package: "PoolSensors"),
    .product(name: "SyncStore", package: "PoolSensors"),
    .product(name: "SyncTransport", package: "PoolSensors"),
]
/// What the program of Docs/internals/companion.md needs.
let companion: [Target.Dependency] = [
    .product(name: "Companion", package: "PoolSensors"),
    .product(name: "WatchConnectivity", package: "PoolSensors"),
]
let swift5: [SwiftSetting] = [.swiftLanguageMode(.v5)]
/// Clients in the styles of published code: what compiles with Apple's SDK compiles here, without a warning.
let sessions: [Target.Dependency] = [
    .product(name: "WatchConnectivity", package: "PoolSensors"),
    .product(name: "WatchConnectivityTesting", package: "PoolSensors"),
]
let strict: SwiftSetting = .treatAllWarnings(as: .error)

// A package of somebody else: it uses the library products as a dependency, from outside. Apart from the language mode, which is
// that of Swift 6 or that of Swift 5 over the same sources, its settings are SwiftPM's. `.ci/run` builds and runs its programs, for
// debugging and for release.
let package = Package(
    name: "OutsidePackage",
    platforms: [.macOS(.v26)],
    dependencies: [.package(name: "PoolSensors", path: "../../..")],
    targets: [
        .executableTarget(name: "Outside", dependencies: simulations),
        .executableTarget(name: "OutsideInSwift5", dependencies: simulations, swiftSettings: swift5),
        .executableTarget(name: "Lamp", dependencies: engine),
        .executableTarget(name: "LampInSwift5", dependencies: engine, swiftSettings: swift5),
        .executableTarget(name: "Groceries", dependencies: companion, swiftSettings: [strict]),
        .executableTarget(name: "Clients", dependencies: sessions, swiftSettings: [strict]),
        .executableTarget(
            name: "ClientsInSwift5", dependencies: sessions,
            swiftSettings: swift5 + [strict, .enableUpcomingFeature("StrictConcurrency")]),
        .executableTarget(
            name: "ClientsOnMainActor", dependencies: sessions,
            swiftSettings: [strict, .defaultIsolation(MainActor.self)]),
    ]
)

// swift-tools-version: 6.0

import PackageDescription

// A package of somebody else, with SwiftPM's own settings: it uses the library products as a dependency, from outside.
// `.ci/run` builds it for release and runs it.
let package = Package(
    name: "OutsidePackage",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "PoolSensors", path: "../../..")],
    targets: [
        .executableTarget(
            name: "Outside",
            dependencies: [
                .product(name: "SyncCore", package: "PoolSensors"),
                .product(name: "SyncSimulation", package: "PoolSensors"),
                .product(name: "WatchConnectivity", package: "PoolSensors"),
                .product(name: "WatchConnectivityTesting", package: "PoolSensors"),
            ]),
        // The program of Docs/internals/use-the-engine.md.
        .executableTarget(
            name: "Lamp",
            dependencies: [
                .product(name: "SyncCore", package: "PoolSensors"),
                .product(name: "SyncStore", package: "PoolSensors"),
                .product(name: "SyncTransport", package: "PoolSensors"),
            ]),
    ]
)

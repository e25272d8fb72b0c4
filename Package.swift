// swift-tools-version: 6.3

import PackageDescription

/// Every Swift target of the house is built with these; a warning is an error.
let houseSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
]

// Debian's libzmq.pc prints a flag that SwiftPM refuses with a warning at every build,
// and the headers lie in the default path anyway.
#if os(Linux)
    let zeroMQPackageConfig: String? = nil
#else
    let zeroMQPackageConfig: String? = "libzmq"
#endif

let package = Package(
    name: "PoolSensors",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "poolsensors", targets: ["poolsensors"]),
        .library(name: "SyncCore", targets: ["SyncCore"]),
        .library(name: "SyncSimulation", targets: ["SyncSimulation"]),
        .library(name: "WatchConnectivity", targets: ["WatchConnectivity"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"),
    ],
    targets: [
        .systemLibrary(
            name: "CZeroMQ", pkgConfig: zeroMQPackageConfig,
            providers: [.apt(["libzmq3-dev"]), .brew(["zeromq"])]),
        .systemLibrary(
            name: "CMosquitto", pkgConfig: "libmosquitto",
            providers: [.apt(["libmosquitto-dev"]), .brew(["mosquitto"])]),
    ]
)

for target in package.targets where target.type != .system {
    target.swiftSettings = (target.swiftSettings ?? []) + houseSettings
}

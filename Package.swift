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

/// The same for a module with Apple's names.
///
/// Apple's modules are not built in Swift 6 mode, and the compiler looks at the mode
/// of a module that is imported: `@preconcurrency import` silences its types, and the handlers of actors check their queue.
/// Every check of Swift 6 is on nevertheless.
let appleSettings: [SwiftSetting] =
    [
        .swiftLanguageMode(.v5),
        .enableUpcomingFeature("StrictConcurrency"),
        .enableUpcomingFeature("BareSlashRegexLiterals"),
        .enableUpcomingFeature("ConciseMagicFile"),
        .enableUpcomingFeature("DeprecateApplicationMain"),
        .enableUpcomingFeature("DisableOutwardActorInference"),
        .enableUpcomingFeature("DynamicActorIsolation"),
        .enableUpcomingFeature("ForwardTrailingClosures"),
        .enableUpcomingFeature("GlobalActorIsolatedTypesUsability"),
        .enableUpcomingFeature("GlobalConcurrency"),
        .enableUpcomingFeature("ImplicitOpenExistentials"),
        .enableUpcomingFeature("ImportObjcForwardDeclarations"),
        .enableUpcomingFeature("InferSendableFromCaptures"),
        .enableUpcomingFeature("IsolatedDefaultValues"),
        .enableUpcomingFeature("NonfrozenEnumExhaustivity"),
        .enableUpcomingFeature("RegionBasedIsolation"),
    ] + houseSettings.dropFirst()

// Debian's libzmq.pc prints a flag that SwiftPM refuses with a warning at every build,
// and the headers lie in the default path anyway.
#if os(Linux)
    let zeroMQPackageConfig: String? = nil
#else
    let zeroMQPackageConfig: String? = "libzmq"
#endif

/// What a client that takes the package with `traits: []` neither fetches nor builds: sockets, store and programs.
let withProcesses: TargetDependencyCondition? = .when(traits: ["Processes", "Web"])
let logging: Target.Dependency = .product(
    name: "Logging", package: "swift-log", condition: withProcesses)
let grdb: Target.Dependency = .product(
    name: "GRDB", package: "GRDB.swift", condition: withProcesses)
/// SQLite itself, as GRDB links it.
let sqlite: Target.Dependency = .product(
    name: "GRDBSQLite", package: "GRDB.swift", condition: withProcesses)
/// Error numbers and files of the operating system.
let system: Target.Dependency = .product(name: "SystemPackage", package: "swift-system")
let crypto: Target.Dependency = .product(
    name: "Crypto", package: "swift-crypto", condition: withProcesses)
/// Keys from passphrases.
let cryptoExtras: Target.Dependency = .product(
    name: "CryptoExtras", package: "swift-crypto", condition: withProcesses)

/// What only the programs and the page need: a client that takes the package without the trait `Web`, the default, fetches
/// neither an HTTP server nor what reads a command line.
let withWeb: TargetDependencyCondition? = .when(traits: ["Web"])
let argumentParser: Target.Dependency = .product(
    name: "ArgumentParser", package: "swift-argument-parser", condition: withWeb)
let unixSignals: Target.Dependency = .product(
    name: "UnixSignals", package: "swift-service-lifecycle", condition: withWeb)
/// Asks HTTP servers, also by streams without an end, over which FoundationNetworking keeps a processor busy.
let httpClient: [Target.Dependency] = [
    .product(name: "AsyncHTTPClient", package: "async-http-client", condition: withWeb),
    .product(name: "NIOCore", package: "swift-nio", condition: withWeb),
    .product(name: "NIOHTTP1", package: "swift-nio", condition: withWeb),
    .product(name: "NIOPosix", package: "swift-nio", condition: withWeb),
]
let webServer: [Target.Dependency] = [
    .product(name: "HummingbirdCore", package: "hummingbird", condition: withWeb),
    .product(name: "HummingbirdTLS", package: "hummingbird", condition: withWeb),
    .product(name: "HTTPTypes", package: "swift-http-types", condition: withWeb),
    .product(name: "NIOCore", package: "swift-nio", condition: withWeb),
    .product(name: "NIOHTTP1", package: "swift-nio", condition: withWeb),
    .product(name: "NIOPosix", package: "swift-nio", condition: withWeb),
    .product(name: "NIOSSL", package: "swift-nio-ssl", condition: withWeb),
    .product(name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: withWeb),
    .product(name: "SwiftASN1", package: "swift-asn1", condition: withWeb),
    .product(name: "X509", package: "swift-certificates", condition: withWeb),
]

let package = Package(
    name: "PoolSensors",
    // Views of arrays (`Array.span`) are there since macOS 26.
    platforms: [.macOS(.v26)],
    products: [
        .executable(name: "poolsensors", targets: ["poolsensors"]),
        .executable(name: "poolsensors-web", targets: ["poolsensors-web"]),
        .executable(name: "synclab", targets: ["synclab"]),
        .executable(name: "rides", targets: ["rides"]),
        .executable(name: "tars", targets: ["tars"]),
        .executable(name: "imt", targets: ["imt"]),
        .library(name: "Companion", targets: ["Companion"]),
        .library(name: "RidesModel", targets: ["RidesModel"]),
        .library(name: "SyncCore", targets: ["SyncCore"]),
        .library(name: "SyncSimulation", targets: ["SyncSimulation"]),
        .library(name: "SyncStore", targets: ["SyncStore"]),
        .library(name: "SyncTransport", targets: ["SyncTransport"]),
        .library(name: "WatchConnectivity", targets: ["WatchConnectivity"]),
        .library(name: "WatchConnectivityTesting", targets: ["WatchConnectivityTesting"]),
    ],
    traits: [
        .trait(
            name: "Processes",
            description: "Sessions between processes, over sockets and with a store; without it, only pairs under test."
        ),
        .trait(name: "Web", description: "The page for browsers, with its HTTP server, and all of `Processes`."),
        // One only: SwiftPM gives several to the compiler in another order each time, and then compiles everything again.
        .default(enabledTraits: ["Web"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"),
    ],
    targets: [
        // C libraries, and two targets in C.
        .systemLibrary(
            name: "CZeroMQ", path: "Sources/Base/CZeroMQ", pkgConfig: zeroMQPackageConfig,
            providers: [.apt(["libzmq3-dev"]), .brew(["zeromq"])]),
        .systemLibrary(
            name: "CMosquitto", path: "Sources/Base/CMosquitto", pkgConfig: "libmosquitto",
            providers: [.apt(["libmosquitto-dev"]), .brew(["mosquitto"])]),
        .systemLibrary(
            name: "CSodium", path: "Sources/Base/CSodium", pkgConfig: "libsodium",
            providers: [.apt(["libsodium-dev"]), .brew(["libsodium"])]),
        .systemLibrary(
            name: "CPostgres", path: "Sources/Base/CPostgres", pkgConfig: "libpq",
            providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        .systemLibrary(
            name: "CTurboJPEG", path: "Sources/Base/CTurboJPEG", pkgConfig: "libturbojpeg",
            providers: [.apt(["libturbojpeg0-dev"]), .brew(["jpeg-turbo"])]),
        .target(name: "CTerminal", path: "Sources/Base/CTerminal"),
        .target(
            name: "CCompression", path: "Sources/Base/CCompression", linkerSettings: [.linkedLibrary("z")]),
        .target(name: "CChecksum", path: "Sources/Base/CChecksum"),

        // Values, and thin wrappers.
        .target(name: "Primitives", path: "Sources/Base/Primitives"),
        .target(name: "Platform", dependencies: ["Primitives", system], path: "Sources/Base/Platform"),
        .target(name: "ZeroMQ", dependencies: ["CZeroMQ"], path: "Sources/Base/ZeroMQ"),
        .target(
            name: "MQTT", dependencies: ["CMosquitto", "Platform", "Primitives", system], path: "Sources/Base/MQTT"),
        .target(
            name: "Postgres", dependencies: ["CPostgres", "Platform", "Primitives"], path: "Sources/Base/Postgres"),

        // The engine: it knows nothing of pools.
        .target(name: "SyncCore", dependencies: ["CChecksum", "Primitives"], path: "Sources/Sync/SyncCore"),
        .target(name: "SyncSimulation", dependencies: ["SyncCore"], path: "Sources/Sync/SyncSimulation"),
        .target(
            name: "SyncStore", dependencies: ["Platform", "SyncCore", crypto, grdb, sqlite, system],
            path: "Sources/Sync/SyncStore"),
        .target(
            name: "SyncTransport", dependencies: ["Platform", "SyncCore", "ZeroMQ", logging],
            path: "Sources/Sync/SyncTransport"),
        .target(
            name: "WatchConnectivity",
            dependencies: [
                "Platform", "SyncCore", .target(name: "SyncTransport", condition: withProcesses),
                .target(name: "SyncStore", condition: withProcesses), .target(name: "ZeroMQ", condition: withProcesses),
                logging,
            ], path: "Sources/WatchConnectivity/WatchConnectivity",
            swiftSettings: [.define("Processes", .when(traits: ["Web"]))]),
        .target(name: "CSharedUse", path: "Sources/WatchConnectivity/CSharedUse"),
        .target(
            name: "WatchConnectivityTesting",
            dependencies: ["CSharedUse", "Platform", "WatchConnectivity", "SyncCore", "SyncSimulation"],
            path: "Sources/WatchConnectivity/WatchConnectivityTesting"),

        // What any app on the engine needs: it knows nothing of pools.
        .target(name: "Text", dependencies: ["Primitives"], path: "Sources/App/Text"),
        .target(name: "Terminal", dependencies: ["CTerminal", "Text"], path: "Sources/App/Terminal"),
        .target(name: "PINPairing", dependencies: ["CSodium", "Text"], path: "Sources/App/PINPairing"),
        .target(
            name: "CodePairing", dependencies: ["PINPairing", "Platform", "SyncTransport", "Text", "ZeroMQ", crypto],
            path: "Sources/App/CodePairing"),
        .target(
            name: "Vault", dependencies: ["Platform", "Primitives", "SyncStore", "Text", crypto, system],
            path: "Sources/App/Vault"),
        .target(
            name: "Service",
            dependencies: ["Platform", "Primitives", "SyncCore", "SyncStore", "SyncTransport", "Text", "ZeroMQ"],
            path: "Sources/App/Service"),
        .target(name: "HomeAssistantMQTT", dependencies: ["Text"], path: "Sources/App/HomeAssistantMQTT"),
        // Things at home: what they do, how other makers' programs are spoken to by MQTT, where a command stands.
        .target(
            name: "Appliances", dependencies: ["HomeAssistantMQTT", "Primitives", "Text"],
            path: "Sources/App/Appliances"),
        // Devices near a phone: a simulated short link, pairing by PIN, sealed commands, and bridges to MQTT.
        .target(
            name: "Peripherals",
            dependencies: [
                "Appliances", "Brokers", "MQTT", "PINPairing", "Platform", "Primitives", "Text", "ZeroMQ", crypto,
            ], path: "Sources/App/Peripherals"),
        // A database of an app's records.
        .target(
            name: "Records", dependencies: ["Platform", "SyncStore", "Text", grdb], path: "Sources/App/Records"),
        // Pictures that are not trusted.
        .target(
            name: "Pictures", dependencies: ["CTurboJPEG", "Terminal", "Text", crypto], path: "Sources/App/Pictures"),
        .target(
            name: "Brokers", dependencies: ["MQTT", "Platform", "Text", logging], path: "Sources/App/Brokers"),
        // The options of commands that use one broker.
        .target(
            name: "BrokerCommands", dependencies: ["Brokers", "Commands", "MQTT", "Text", argumentParser],
            path: "Sources/App/BrokerCommands"),
        // What an app's phone and watches say to each other, over the public sessions.
        .target(
            name: "Companion",
            dependencies: [
                "Platform", "Primitives", "Text", "WatchConnectivity",
                .target(name: "SyncStore", condition: withProcesses),
            ], path: "Sources/App/Companion", swiftSettings: [.define("Processes", .when(traits: ["Web"]))]),
        // A page with accounts: HTTP, sessions, links, tokens, certificates and a table of routes.
        .target(name: "CPageKit", path: "Sources/App/CPageKit", exclude: ["Page"]),
        .target(
            name: "WebServer",
            dependencies: [
                "CCompression", "CPageKit", "Platform", "Primitives", "Service", "SyncCore", "Text", "Vault", crypto,
                cryptoExtras,
                grdb, logging, system,
            ] + webServer, path: "Sources/App/WebServer"),
        // The commands of a page: serve it, make a certificate for it, and keep its accounts.
        .target(
            name: "WebCommands",
            dependencies: ["Commands", "Platform", "Terminal", "Text", "WebServer", argumentParser, logging],
            path: "Sources/App/WebCommands"),
        .target(
            name: "Commands",
            dependencies: [
                "Platform", "SyncCore", "Terminal", "Text", "ZeroMQ", argumentParser, logging, system, unixSignals,
            ],
            path: "Sources/App/Commands"),
        // A PostgreSQL server that belongs to one program.
        .target(
            name: "PrivateCluster", dependencies: ["Commands", "Platform", "Postgres"],
            path: "Sources/App/PrivateCluster"),

        // What the pool is: these targets know nothing of how it travels.
        .target(name: "PoolModel", dependencies: ["Primitives", "Text"], path: "Sources/Pool/PoolModel"),
        .target(
            name: "PoolDecoding", dependencies: ["HomeAssistantMQTT", "PoolModel", "Text"],
            path: "Sources/Pool/PoolDecoding"),
        .target(name: "PoolAlerts", dependencies: ["PoolModel", "Text"], path: "Sources/Pool/PoolAlerts"),
        .target(name: "WaterChemistry", dependencies: ["PoolModel", "Text"], path: "Sources/Pool/WaterChemistry"),
        // What can be asked of a hub, and what it answers: all faces of a hub speak it.
        .target(
            name: "PoolControl", dependencies: ["PoolDecoding", "PoolModel", "Text"], path: "Sources/Pool/PoolControl"),
        .target(
            name: "PoolStore", dependencies: ["Platform", "PoolModel", "Text", grdb, system],
            path: "Sources/Pool/PoolStore"),
        // The history as rows of a database, for those who want it there, too.
        .target(
            name: "HistoryMirror",
            dependencies: ["Platform", "PoolModel", "PoolStore", "Postgres", "Primitives"],
            path: "Sources/Pool/HistoryMirror"),
        // The hub, the watch and their screens: they put the pool on the engine.
        .target(
            name: "PoolHub",
            dependencies: [
                "Brokers", "HomeAssistantMQTT", "Platform", "MQTT", "PoolAlerts", "PoolControl", "PoolDecoding",
                "PoolModel", "Text", "PoolStore", "Primitives",
                "Service", "SyncCore", "SyncStore", "SyncTransport", "Vault", "WaterChemistry", "ZeroMQ", crypto,
                cryptoExtras,
                logging,
            ], path: "Sources/Pool/PoolHub"),
        .target(
            name: "PoolWatch",
            dependencies: [
                "Platform", "PoolModel", "Text", "Service", "SyncCore", "SyncTransport", "SyncStore", "ZeroMQ", logging,
            ],
            path: "Sources/Pool/PoolWatch"),
        .target(
            name: "TerminalUI",
            dependencies: ["PoolControl", "PoolModel", "Terminal", "Text", "WaterChemistry"],
            path: "Sources/Pool/TerminalUI"),
        .target(
            name: "PoolScreens",
            dependencies: [
                "Platform", "PoolControl", "PoolModel", "Text", "PoolWatch", "SyncCore", "SyncTransport", "Terminal",
                "TerminalUI",
            ],
            path: "Sources/Pool/PoolScreens"),
        // The files of the page, as bytes.
        .target(name: "CPage", dependencies: ["CPageKit"], path: "Sources/Pool/CPage"),
        // The page for browsers: it asks the running hub, and holds nothing of it but its own accounts.
        .target(
            name: "PoolWeb",
            dependencies: [
                "CPage", "Platform", "PoolControl", "PoolHub", "PoolModel", "Service", "SyncCore", "SyncTransport",
                "Terminal", "Text",
                "TerminalUI", "Vault", "WaterChemistry", "WebServer", "ZeroMQ", crypto, logging, system,
            ], path: "Sources/Pool/PoolWeb", exclude: ["Page"]),

        // What the programs share, and the programs: those that people install, and the laboratory.
        .target(
            name: "CommandSupport",
            dependencies: [
                "Commands", "Platform", "PoolControl", "PoolHub", "PoolModel", "PoolWatch", "Service", "SyncCore",
                "SyncSimulation", "SyncTransport", argumentParser,
            ], path: "Sources/Pool/CommandSupport"),
        .executableTarget(
            name: "poolsensors",
            dependencies: [
                "Platform", "CodePairing", "CommandSupport", "HistoryMirror", "MQTT", "PoolControl", "PoolDecoding",
                "PoolHub", "PoolModel", "Text", "PoolScreens", "PoolStore",
                "PoolWatch", "Postgres", "Primitives", "Service", "SyncCore", "SyncStore", "SyncTransport", "Terminal",
                "TerminalUI",
                "WaterChemistry",
                "ZeroMQ", argumentParser, logging, unixSignals,
            ], path: "Sources/Pool/poolsensors"),
        .executableTarget(
            name: "poolsensors-web",
            dependencies: [
                "CommandSupport", "PoolControl", "PoolModel", "PoolWeb", "WebCommands", "WebServer", argumentParser,
            ], path: "Sources/Pool/poolsensors-web"),
        // The motor device of a home, without and with its radio.
        .target(
            name: "TarsModel", dependencies: ["Appliances", "Peripherals", "Primitives", "Text"],
            path: "Sources/Tars/TarsModel"),
        .target(
            name: "TarsDevice",
            dependencies: [
                "Appliances", "PINPairing", "Peripherals", "Platform", "Primitives", "TarsModel", "Text", "ZeroMQ",
            ], path: "Sources/Tars/TarsDevice"),
        // What phone and watch say to each other, and the two.
        .target(
            name: "TarsApp", dependencies: ["Appliances", "Companion", "Text", "WatchConnectivity"],
            path: "Sources/Tars/TarsApp"),
        .target(
            name: "TarsPhone",
            dependencies: [
                "Appliances", "Brokers", "Companion", "MQTT", "PINPairing", "Peripherals", "Platform", "Primitives",
                "Service", "SyncStore", "SyncTransport", "TarsApp", "TarsModel", "Text", "Vault", "WatchConnectivity",
                "ZeroMQ",
            ], path: "Sources/Tars/TarsPhone"),
        .target(
            name: "TarsWatch",
            dependencies: [
                "Appliances", "Companion", "Platform", "Primitives", "TarsApp", "Terminal", "Text",
                "WatchConnectivity",
            ], path: "Sources/Tars/TarsWatch"),
        .target(
            name: "CTarsPage", dependencies: ["CPageKit"], path: "Sources/Tars/CTarsPage", exclude: ["Page"]),
        .target(
            name: "TarsWeb",
            dependencies: [
                "Appliances", "CTarsPage", "Companion", "Peripherals", "Platform", "SyncCore", "TarsApp", "TarsModel",
                "TarsPhone", "Text", "WebServer",
            ], path: "Sources/Tars/TarsWeb"),
        .executableTarget(
            name: "tars",
            dependencies: [
                "Appliances", "BrokerCommands", "Commands", "Companion", "Peripherals", "Platform", "Primitives",
                "Service", "TarsApp", "TarsDevice", "TarsModel", "TarsPhone", "TarsWatch", "TarsWeb", "Terminal",
                "Text",
                "WatchConnectivity", "WebCommands", "WebServer", "ZeroMQ", argumentParser,
            ], path: "Sources/Tars/tars"),

        // Rides: the four tables of the published models, pure.
        .target(name: "RidesModel", path: "Sources/Rides/RidesModel"),
        // The migrations and the files of the page, as bytes.
        .target(name: "CRides", dependencies: ["CPageKit"], path: "Sources/Rides/CRides"),
        .target(
            name: "RidesServer",
            dependencies: [
                "CRides", "Platform", "Postgres", "Primitives", "RidesApp", "RidesModel", "Service", "SyncCore", "Text",
                "WebServer", crypto, logging,
            ], path: "Sources/Rides/RidesServer", exclude: ["Migrations", "Page"]),
        // What phone and watch say to each other, and the two.
        .target(name: "RidesApp", dependencies: ["Companion", "RidesModel", "Text"], path: "Sources/Rides/RidesApp"),
        .target(
            name: "RidesPhone",
            dependencies: [
                "Companion", "Platform", "Primitives", "RidesApp", "RidesModel", "Service", "SyncTransport", "Text",
                "WatchConnectivity",
            ] + httpClient, path: "Sources/Rides/RidesPhone"),
        .target(
            name: "RidesWatch",
            dependencies: [
                "Companion", "Platform", "Primitives", "RidesApp", "RidesModel", "Terminal", "Text",
                "WatchConnectivity",
            ], path: "Sources/Rides/RidesWatch"),
        .executableTarget(
            name: "rides",
            dependencies: [
                "Commands", "Platform", "Postgres", "Primitives", "PrivateCluster", "RidesApp", "RidesModel",
                "RidesPhone",
                "RidesServer", "RidesWatch", "Service", "SyncCore", "Terminal", "Text", "WebCommands", "WebServer",
                argumentParser, logging,
            ], path: "Sources/Rides/rides"),
        // Photos of faces before and after: pure values, pictures, what phone and watches say to each other, and the two.
        .target(name: "ImtModel", dependencies: ["Pictures", "Text"], path: "Sources/Imt/ImtModel"),
        .target(name: "ImtApp", dependencies: ["Companion", "ImtModel"], path: "Sources/Imt/ImtApp"),
        .target(
            name: "ImtPhone",
            dependencies: [
                "Companion", "ImtApp", "ImtModel", "Platform", "Records", "Service", "SyncStore", "SyncTransport",
                "Vault", "WatchConnectivity", "ZeroMQ", crypto, grdb,
            ], path: "Sources/Imt/ImtPhone"),
        // The page, and its files as bytes.
        .target(name: "CImtPage", dependencies: ["CPageKit"], path: "Sources/Imt/CImtPage"),
        .target(
            name: "ImtPage", dependencies: ["CImtPage", "ImtModel", "ImtPhone", "SyncCore", "Text", "WebServer"],
            path: "Sources/Imt/ImtPage", exclude: ["Page"]),
        .target(
            name: "ImtWatch",
            dependencies: [
                "Companion", "ImtApp", "ImtModel", "Platform", "SyncStore", "Terminal", "Text", "Vault",
                "WatchConnectivity",
            ], path: "Sources/Imt/ImtWatch"),
        .executableTarget(
            name: "imt",
            dependencies: [
                "Commands", "ImtApp", "ImtModel", "ImtPage", "ImtPhone", "ImtWatch", "Platform",
                "Service", "Terminal", "Text", "WebCommands", "WebServer", argumentParser, logging,
            ], path: "Sources/Imt/imt"),

        .executableTarget(
            name: "synclab",
            dependencies: [
                "Platform", "CommandSupport", "MQTT", "PoolControl", "PoolHub", "PoolModel", "PoolStore", "Text",
                "PoolWatch", "Primitives",
                "SyncCore", "SyncSimulation", "SyncStore", "SyncTransport", "WatchConnectivity",
                "WatchConnectivityTesting", "ZeroMQ", argumentParser, logging, sqlite,
            ], path: "Sources/Lab/synclab"),

        // What tests share, and the tests.
        .target(name: "BrokerFixture", dependencies: ["Platform", "TestSupport"], path: "Tests/Support/BrokerFixture"),
        .target(
            name: "CreditWindows", dependencies: ["SyncCore", "SyncSimulation"], path: "Tests/Support/CreditWindows"),
        .target(name: "CPowerCut", path: "Tests/Support/CPowerCut"),
        .target(name: "CTestDefaults", path: "Tests/Support/CTestDefaults"),
        .target(
            name: "PoolSamples", dependencies: ["PoolModel", "Text", "PoolDecoding", "TestSupport"],
            path: "Tests/Support/PoolSamples"),
        .target(name: "PowerCut", dependencies: ["CPowerCut", "Primitives"], path: "Tests/Support/PowerCut"),
        .target(
            name: "DatabaseFixture",
            dependencies: ["Commands", "Platform", "Postgres", "PrivateCluster", "TestSupport"],
            path: "Tests/Support/DatabaseFixture"),
        .target(
            name: "ProgramFixture", dependencies: ["CommandSupport", "TestSupport", argumentParser],
            path: "Tests/Support/ProgramFixture"),
        .target(name: "TestSupport", dependencies: ["CTestDefaults", "Platform"], path: "Tests/Support/TestSupport"),
        // Tests start it as a process; nothing links it.
        .executableTarget(name: "WithoutSockets", path: "Tests/Support/WithoutSockets"),
        .executableTarget(
            name: "TerminalUILifecycle", dependencies: ["Platform", "PoolModel", "Text", "Terminal", "TerminalUI"],
            path: "Tests/Support/TerminalUILifecycle"),
        .testTarget(
            name: "TarsPhoneTests",
            dependencies: [
                "Appliances", "Companion", "PINPairing", "Peripherals", "Platform", "Primitives", "TarsApp",
                "TarsModel", "TarsPhone", "TarsWatch", "TestSupport", "Text", "WatchConnectivity",
                "WatchConnectivityTesting",
            ], path: "Tests/Tars/TarsPhoneTests"),
        .testTarget(
            name: "TarsWatchTests",
            dependencies: ["Appliances", "TarsApp", "TarsWatch", "Terminal", "TestSupport", "Text"],
            path: "Tests/Tars/TarsWatchTests"),
        .testTarget(
            name: "TarsProgramTests",
            dependencies: [
                "BrokerFixture", "Brokers", "CommandSupport", "MQTT", "ProgramFixture", "TestSupport", "tars",
            ],
            path: "Tests/Tars/TarsProgramTests"),
        .testTarget(
            name: "RidesModelTests", dependencies: ["RidesModel"], path: "Tests/Rides/RidesModelTests"),
        // Measures what grows with the number of drivers; a person runs it.
        .executableTarget(
            name: "RidesBench",
            dependencies: [
                "Commands", "Platform", "Postgres", "Primitives", "PrivateCluster", "RidesApp", "RidesModel",
                "RidesServer", argumentParser,
            ], path: "Tests/Support/RidesBench"),
        .testTarget(
            name: "PostgresTests",
            dependencies: [
                "Commands", "DatabaseFixture", "Platform", "Postgres", "Primitives", "PrivateCluster", "TestSupport",
            ], path: "Tests/App/PostgresTests"),
        .testTarget(
            name: "RidesServerTests",
            dependencies: [
                "CommandSupport", "Commands", "DatabaseFixture", "Platform", "Postgres", "Primitives", "PrivateCluster",
                "ProgramFixture", "RidesApp", "RidesModel", "RidesPhone", "RidesServer", "RidesWatch", "TestSupport",
                "Text",
                "WebServer", "rides", logging,
            ], path: "Tests/Rides/RidesServerTests"),
        .testTarget(name: "PlatformTests", dependencies: ["Platform"], path: "Tests/Base/PlatformTests"),
        .testTarget(name: "PrimitivesTests", dependencies: ["Primitives"], path: "Tests/Base/PrimitivesTests"),
        .testTarget(name: "ZeroMQTests", dependencies: ["ZeroMQ"], path: "Tests/Base/ZeroMQTests"),
        .testTarget(
            name: "MQTTTests",
            dependencies: ["MQTT", "BrokerFixture", "CMosquitto", "Platform", "Primitives", system],
            path: "Tests/Base/MQTTTests"),
        .testTarget(
            name: "SyncCoreTests", dependencies: ["SyncCore", "TestSupport"], path: "Tests/Sync/SyncCoreTests"),
        .testTarget(
            name: "SyncSimulationTests", dependencies: ["SyncSimulation", "SyncCore", "CreditWindows", "TestSupport"],
            path: "Tests/Sync/SyncSimulationTests"),
        .testTarget(
            name: "SyncStoreTests",
            dependencies: ["Platform", "SyncStore", "SyncCore", "TestSupport", "PowerCut", grdb],
            path: "Tests/Sync/SyncStoreTests"),
        .testTarget(
            name: "SyncTransportTests",
            dependencies: ["Platform", "SyncTransport", "SyncCore", "ZeroMQ", "CreditWindows", "TestSupport", logging],
            path: "Tests/Sync/SyncTransportTests"),
        // The program of the page about using the engine; the package outside builds the same file.
        .executableTarget(
            name: "LampProgram", dependencies: ["SyncCore", "SyncStore", "SyncTransport"],
            path: "Tests/Repository/OutsidePackage/Sources/Lamp"),
        .testTarget(
            name: "LampProgramTests", dependencies: ["LampProgram", "TestSupport"],
            path: "Tests/Sync/LampProgramTests"),
        // The same for the page about writing an app.
        .executableTarget(
            name: "GroceriesProgram", dependencies: ["Companion", "WatchConnectivity"],
            path: "Tests/Repository/OutsidePackage/Sources/Groceries"),
        .executableTarget(
            name: "SessionProcess", dependencies: ["Platform", "WatchConnectivity"],
            path: "Tests/Support/SessionProcess"),
        .testTarget(
            name: "WatchConnectivityTests",
            dependencies: [
                "Platform", "WatchConnectivity", "SyncCore", "SyncTransport", "SyncStore", "ZeroMQ", "SessionProcess",
                "TestSupport",
            ], path: "Tests/WatchConnectivity/WatchConnectivityTests"),
        .testTarget(
            name: "WatchConnectivityTestingTests",
            dependencies: [
                "Platform", "Primitives", "WatchConnectivityTesting", "WatchConnectivity", "SyncCore", "SyncSimulation",
                "CreditWindows", "TestSupport",
            ], path: "Tests/WatchConnectivity/WatchConnectivityTestingTests"),
        // What people with Apple's devices measure; its sources go into an app of theirs.
        .target(name: "Measurements", dependencies: ["WatchConnectivity"], path: "Fixtures/measurements/Sources"),
        .testTarget(
            name: "MeasurementsTests",
            dependencies: ["Measurements", "TestSupport", "WatchConnectivity", "WatchConnectivityTesting"],
            path: "Tests/WatchConnectivity/MeasurementsTests"),
        .testTarget(
            name: "TextTests", dependencies: ["TestSupport", "Text"], path: "Tests/App/TextTests"),
        .testTarget(
            name: "HomeAssistantMQTTTests", dependencies: ["HomeAssistantMQTT", "TestSupport", "Text"],
            path: "Tests/App/HomeAssistantMQTTTests"),
        .testTarget(name: "WebServerTests", dependencies: ["WebServer"], path: "Tests/App/WebServerTests"),
        .testTarget(
            name: "ServiceTests",
            dependencies: ["Platform", "Primitives", "Service", "SyncCore", "SyncStore", "TestSupport"],
            path: "Tests/App/ServiceTests"),
        .target(name: "TerminalFixture", dependencies: ["Terminal"], path: "Tests/Support/TerminalFixture"),
        .testTarget(
            name: "TerminalTests",
            dependencies: ["Primitives", "Terminal", "TerminalFixture", "TestSupport"],
            path: "Tests/App/TerminalTests"),
        .testTarget(
            name: "CodePairingTests",
            dependencies: ["CodePairing", "PINPairing", "SyncTransport", "TestSupport", "ZeroMQ"],
            path: "Tests/App/CodePairingTests"),
        .testTarget(
            name: "PINPairingTests", dependencies: ["PINPairing", "TestSupport", "Text"],
            path: "Tests/App/PINPairingTests"),
        // An app of its own on the floor: nothing of a pool is among its dependencies.
        .testTarget(
            name: "ToyAppTests",
            dependencies: [
                "BrokerFixture", "Brokers", "Commands", "MQTT", "Platform", "Service", "SyncCore", "SyncStore",
                "SyncTransport", "Terminal", "TestSupport", "Text", "Vault", "WatchConnectivity",
                "WatchConnectivityTesting", "WebServer", argumentParser,
            ], path: "Tests/App/ToyAppTests"),
        .testTarget(
            name: "CompanionTests",
            dependencies: [
                "Companion", "GroceriesProgram", "Platform", "Primitives", "SessionProcess", "TestSupport",
                "WatchConnectivity", "WatchConnectivityTesting",
            ], path: "Tests/App/CompanionTests"),
        .testTarget(
            name: "CommandsTests", dependencies: ["Commands", "Primitives", "TestSupport", "Text", argumentParser],
            path: "Tests/App/CommandsTests"),
        .testTarget(
            name: "PoolModelTests",
            dependencies: ["PoolModel", "Text", "PoolDecoding", "PoolAlerts", "PoolSamples", "TestSupport"],
            path: "Tests/Pool/PoolModelTests"),
        .testTarget(
            name: "PoolDecodingTests",
            dependencies: ["HomeAssistantMQTT", "PoolDecoding", "PoolModel", "Text", "PoolSamples", "TestSupport"],
            path: "Tests/Pool/PoolDecodingTests"),
        .testTarget(
            name: "PoolAlertsTests", dependencies: ["PoolAlerts", "PoolModel", "Text", "PoolSamples", "TestSupport"],
            path: "Tests/Pool/PoolAlertsTests"),
        .testTarget(
            name: "WaterChemistryTests",
            dependencies: ["WaterChemistry", "PoolModel", "Text", "PoolDecoding", "PoolSamples", "TestSupport"],
            path: "Tests/Pool/WaterChemistryTests"),
        .testTarget(
            name: "PoolStoreTests",
            dependencies: ["Platform", "PoolStore", "PoolModel", "Text", "TestSupport", "PowerCut", grdb],
            path: "Tests/Pool/PoolStoreTests"),
        .testTarget(
            name: "HistoryMirrorTests",
            dependencies: [
                "CommandSupport", "DatabaseFixture", "HistoryMirror", "Platform", "PoolModel", "PoolStore", "Postgres",
                "Primitives", "PrivateCluster", "ProgramFixture", "TestSupport", "Text", "poolsensors",
            ], path: "Tests/Pool/HistoryMirrorTests"),
        .testTarget(
            name: "PoolHubTests",
            dependencies: [
                "Brokers", "Platform", "BrokerFixture", "CPowerCut", "MQTT", "PoolAlerts", "PoolControl",
                "PoolDecoding", "PoolHub", "PoolModel", "Text", "PoolStore", "PowerCut", "Service", "SyncCore",
                "SyncStore", "SyncTransport",
                "TestSupport",
                "Vault",
                "ZeroMQ", crypto, grdb, logging,
            ], path: "Tests/Pool/PoolHubTests"),
        .testTarget(
            name: "PoolWatchTests",
            dependencies: [
                "Platform", "PoolWatch", "PoolModel", "Text", "PoolAlerts", "SyncCore", "SyncTransport", "SyncStore",
                "ZeroMQ",
                "TestSupport", logging,
                .product(name: "InMemoryLogging", package: "swift-log", condition: withProcesses),
            ], path: "Tests/Pool/PoolWatchTests"),
        .testTarget(
            name: "TerminalUITests",
            dependencies: [
                "Terminal", "TerminalUI", "PoolControl", "PoolModel", "Text", "PoolDecoding", "Primitives",
                "WaterChemistry",
                "TerminalFixture", "TerminalUILifecycle", "TestSupport",
            ],
            path: "Tests/Pool/TerminalUITests",
            exclude: ["Goldens"]),
        .testTarget(
            name: "PoolScreensTests", dependencies: ["PoolScreens", "PoolModel", "Text", "Terminal", "TerminalUI"],
            path: "Tests/Pool/PoolScreensTests"),
        .testTarget(
            name: "PoolWebTests",
            dependencies: [
                "CommandSupport", "Platform", "PoolControl", "PoolModel", "Text", "PoolWeb", "WebServer",
                "ProgramFixture",
                "TestSupport",
                "poolsensors", "poolsensors-web", grdb, logging,
            ], path: "Tests/Pool/PoolWebTests"),
        .testTarget(
            name: "PoolSensorsTests",
            dependencies: [
                "Platform", "BrokerFixture", "CommandSupport", "MQTT", "PoolControl", "PoolDecoding", "PoolHub",
                "PoolModel", "Text", "PoolSamples", "PoolScreens", "PoolStore", "PoolWatch", "Primitives",
                "ProgramFixture",
                "Service", "SyncCore",
                "SyncStore", "SyncTransport", "Terminal", "TerminalUI", "TestSupport", "WaterChemistry", "ZeroMQ",
                "poolsensors",
                argumentParser, logging,
            ], path: "Tests/Pool/PoolSensorsTests",
            exclude: ["Snapshots"]),
        .testTarget(
            name: "SynclabTests",
            dependencies: [
                "synclab", "poolsensors", "BrokerFixture", "CommandSupport", "PoolModel", "Text", "ProgramFixture",
                "SyncCore",
                "SyncSimulation", "TestSupport", argumentParser,
            ], path: "Tests/Lab/SynclabTests",
            exclude: ["Snapshots"]),
        .testTarget(
            name: "TarsModelTests", dependencies: ["Appliances", "Peripherals", "TarsModel", "TestSupport", "Text"],
            path: "Tests/Tars/TarsModelTests"),
        .testTarget(
            name: "AppliancesTests", dependencies: ["Appliances", "Primitives", "TestSupport", "Text"],
            path: "Tests/App/AppliancesTests"),
        .testTarget(
            name: "PeripheralsTests",
            dependencies: ["Appliances", "PINPairing", "Peripherals", "Primitives", "TestSupport", "Text", "ZeroMQ"],
            path: "Tests/App/PeripheralsTests"),
        .testTarget(
            name: "ImtModelTests", dependencies: ["ImtModel", "Primitives", "TestSupport", "Text"],
            path: "Tests/Imt/ImtModelTests"),
        .testTarget(
            name: "ImtPhoneTests",
            dependencies: [
                "Companion", "ImtApp", "ImtModel", "ImtPage", "ImtPhone", "ImtWatch", "Platform",
                "Primitives", "SyncStore", "TestSupport", "Text", "Vault", "WatchConnectivity",
                "WatchConnectivityTesting", "WebServer", grdb,
            ], path: "Tests/Imt/ImtPhoneTests"),
        .testTarget(
            name: "ImtWatchTests", dependencies: ["ImtApp", "ImtModel", "ImtWatch", "Terminal"],
            path: "Tests/Imt/ImtWatchTests"),
        .testTarget(
            name: "ImtProgramTests",
            dependencies: ["CommandSupport", "ImtModel", "ProgramFixture", "TestSupport", "imt"],
            path: "Tests/Imt/ImtProgramTests"),
        .testTarget(name: "TestSupportTests", dependencies: ["TestSupport"], path: "Tests/Support/TestSupportTests"),
        .testTarget(name: "TidyTests", dependencies: ["TestSupport"], path: "Tests/Repository/TidyTests"),
    ]
)

for target in package.targets where target.type != .system {
    let settings = target.name == "WatchConnectivity" ? appleSettings : houseSettings
    target.swiftSettings = (target.swiftSettings ?? []) + settings
}

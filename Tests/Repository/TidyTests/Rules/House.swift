/// What one target may lean on: the house's rule of who knows whom, in one table.
struct Room {
    /// The modules that its sources may import beside the standard library.
    var imports: Set<String>
    /// Modules that may be imported in some folders of the target only: the module and the folders.
    var importsByFolder: [String: Set<String>] = [:]
    /// The pieces of code that its sources never hold.
    var forbiddenCode: [String] = []
    /// Whether a word of the pool is out of place here: the engine serves any domain.
    var isEngine = false
}

/// The targets from the ground up.
///
/// A target that is missing here has no place in the house yet.
enum House {
    /// The system's C library and the atomics of the standard library.
    private static let systemLibraries: Set = ["Glibc", "Musl", "Darwin", "Synchronization"]
    /// What has threads, files or a clock of its own.
    private static let platform = systemLibraries.union(["Platform", "SystemPackage"])
    private static let engine: Set = ["Primitives", "SyncCore", "SyncTransport", "SyncStore"]

    /// Only the executables talk to the person who started them.
    private static let forbiddenInLibraries = [
        "print(", "debugPrint(", "dump(", "LoggingSystem.bootstrap", "getenv(", "setenv(", "environ", "ProcessInfo",
        "CommandLine", "exit(", "FileHandle.standardOutput", "FileHandle.standardError",
    ]
    /// What a value machine gets as an argument instead: the time, randomness, identity, durability.
    private static let forbiddenInPureCode = [
        "Date(", "Date.now", "ContinuousClock", "SuspendingClock", "clock_gettime", "UUID(", "Task {", "Task.detached",
        "Thread", "pthread_create", "withTaskGroup", "FileManager", "SystemRandomNumberGenerator",
    ]
    private static let forbiddenInTheCore =
        forbiddenInPureCode + [
            "async", "await", "actor", ".random(", ".shuffled()", "Mutex", "Lock<", "Atomic", "Hasher(",
        ]

    static let rooms: [String: Room] = [
        "CZeroMQ": Room(imports: []),
        "CMosquitto": Room(imports: []),
        "CSodium": Room(imports: []),
        "CPostgres": Room(imports: []),
        "CTurboJPEG": Room(imports: []),
        "CTerminal": Room(imports: []),
        "CChecksum": Room(imports: []),
        "CPage": Room(imports: []),
        "CTarsPage": Room(imports: []),
        "Primitives": Room(
            imports: [], forbiddenCode: forbiddenInLibraries + forbiddenInTheCore, isEngine: true),
        "Platform": Room(
            imports: systemLibraries.union(["Primitives", "SystemPackage"]), forbiddenCode: forbiddenInLibraries,
            isEngine: true),
        "ZeroMQ": Room(
            imports: systemLibraries.union(["CZeroMQ"]), forbiddenCode: forbiddenInLibraries, isEngine: true),
        "MQTT": Room(
            imports: platform.union(["CMosquitto", "Primitives"]), forbiddenCode: forbiddenInLibraries, isEngine: true),
        "Postgres": Room(
            imports: platform.union(["CPostgres", "Primitives"]), forbiddenCode: forbiddenInLibraries, isEngine: true),
        "SyncCore": Room(
            imports: ["CChecksum", "Primitives"],
            forbiddenCode: forbiddenInLibraries + forbiddenInTheCore,
            isEngine: true),
        "SyncSimulation": Room(
            imports: ["SyncCore"], forbiddenCode: forbiddenInLibraries + forbiddenInPureCode,
            isEngine: true),
        "SyncStore": Room(
            imports: platform.union([
                "SyncCore", "GRDB", "GRDBSQLite", "Crypto", "Logging", "FoundationEssentials",
            ]),
            forbiddenCode: forbiddenInLibraries, isEngine: true),
        "SyncTransport": Room(
            imports: platform.union(["SyncCore", "ZeroMQ", "Logging"]),
            forbiddenCode: forbiddenInLibraries, isEngine: true),
        // An app's module is set up by its process's environment and may trace to its standard error: nobody else
        // could.
        "WatchConnectivity": Room(
            imports: platform.union(engine).union(["Foundation", "Dispatch", "Logging", "ZeroMQ"]),
            forbiddenCode: forbiddenInLibraries.filter { !["ProcessInfo", "FileHandle.standardError"].contains($0) },
            isEngine: true),
        "CSharedUse": Room(imports: []),
        "WatchConnectivityTesting": Room(
            imports: platform.union([
                "CSharedUse", "SyncCore", "SyncSimulation", "WatchConnectivity", "Foundation", "Dispatch",
            ]),
            // A mistake of a test that uses a pair fails that test, and a failure says what happened on the pair.
            importsByFolder: ["Testing": ["Singleton", "Reports"], "XCTest": ["Singleton", "Reports"]],
            // A test that hangs in a callback is told of there.
            forbiddenCode: forbiddenInLibraries.filter { $0 != "FileHandle.standardError" }, isEngine: true),
        // What any app on the engine needs. Internationalization knows the time zones.
        "Text": Room(
            imports: ["Primitives", "FoundationEssentials", "FoundationInternationalization"],
            forbiddenCode: forbiddenInLibraries + forbiddenInPureCode, isEngine: true),
        "Terminal": Room(
            imports: systemLibraries.union(["CTerminal", "Text"]), forbiddenCode: forbiddenInLibraries, isEngine: true),
        "PINPairing": Room(
            imports: ["CSodium", "Text"], forbiddenCode: forbiddenInLibraries + forbiddenInPureCode, isEngine: true),
        "Vault": Room(
            imports: platform.union(["Primitives", "SyncStore", "Text", "Crypto", "FoundationEssentials"]),
            forbiddenCode: forbiddenInLibraries, isEngine: true),
        "Service": Room(
            imports: [
                "Platform", "Primitives", "SyncCore", "SyncStore", "SyncTransport", "Text", "ZeroMQ",
                "FoundationEssentials",
            ],
            forbiddenCode: forbiddenInLibraries, isEngine: true),
        "CodePairing": Room(
            imports: platform.union(["PINPairing", "SyncTransport", "Text", "ZeroMQ", "Crypto", "FoundationEssentials"]
            ),
            forbiddenCode: forbiddenInLibraries, isEngine: true),
        "Appliances": Room(
            imports: ["HomeAssistantMQTT", "Primitives", "Text"],
            forbiddenCode: forbiddenInLibraries + forbiddenInPureCode, isEngine: true),
        "Peripherals": Room(
            imports: platform.union([
                "Primitives", "ZeroMQ", "MQTT", "Appliances", "Brokers", "PINPairing", "Text", "Crypto", "Foundation",
                "FoundationEssentials",
            ]), forbiddenCode: forbiddenInLibraries, isEngine: true),
        "BrokerCommands": Room(
            imports: platform.union(["Brokers", "Commands", "MQTT", "Text", "ArgumentParser", "Foundation"]),
            forbiddenCode: forbiddenInLibraries, isEngine: true),
        "HomeAssistantMQTT": Room(
            imports: ["Text"], forbiddenCode: forbiddenInLibraries + forbiddenInPureCode, isEngine: true),
        "Records": Room(
            imports: ["GRDB", "Platform", "SyncStore", "Text"], forbiddenCode: forbiddenInLibraries, isEngine: true),
        "Pictures": Room(
            imports: ["CTurboJPEG", "Terminal", "Text", "Crypto"], forbiddenCode: forbiddenInLibraries, isEngine: true),
        "Brokers": Room(
            imports: platform.union(["MQTT", "Text", "Logging", "FoundationEssentials"]),
            forbiddenCode: forbiddenInLibraries, isEngine: true),
        // Apps outside build it without a store, too.
        "Companion": Room(
            imports: ["Foundation", "Platform", "Primitives", "Text", "WatchConnectivity"],
            importsByFolder: ["SyncStore": ["Store"]], forbiddenCode: forbiddenInLibraries, isEngine: true),
        "CCompression": Room(imports: []),
        "WebServer": Room(
            imports: platform.union([
                "Primitives", "Service", "SyncCore", "Text", "Vault", "Logging", "FoundationEssentials", "Crypto",
            ]),
            importsByFolder: [
                "GRDB": ["Accounts"], "CryptoExtras": ["Accounts"], "HTTPTypes": ["Server"], "CCompression": ["HTTP"],
                "CPageKit": ["HTTP"],
                "HummingbirdCore": ["Server"], "HummingbirdTLS": ["Server"], "NIOCore": ["Server"],
                "NIOHTTP1": ["Server"], "NIOPosix": ["Server"], "NIOSSL": ["Server"], "ServiceLifecycle": ["Server"],
                "SwiftASN1": ["Certificates"], "X509": ["Certificates"],
            ], forbiddenCode: forbiddenInLibraries, isEngine: true),
        "CPageKit": Room(imports: []),
        "WebCommands": Room(
            imports: platform.union([
                "Commands", "Terminal", "Text", "WebServer", "ArgumentParser", "Foundation", "Logging",
            ]), isEngine: true),
        // Programs are made of it, so it talks to the person and starts processes as they do.
        "Commands": Room(
            imports: platform.union([
                "SyncCore", "Terminal", "Text", "ZeroMQ", "ArgumentParser", "Foundation", "Logging", "UnixSignals",
            ]), isEngine: true),
        // Only programs and tests have a server of their own.
        "PrivateCluster": Room(imports: platform.union(["Commands", "Postgres", "Foundation"]), isEngine: true),
        "PoolModel": Room(
            imports: ["Primitives", "Text"],
            // The units of display are one choice of the program.
            importsByFolder: ["Synchronization": ["Quantities"]],
            forbiddenCode: forbiddenInLibraries + forbiddenInPureCode),
        "PoolDecoding": Room(
            imports: ["HomeAssistantMQTT", "PoolModel"], forbiddenCode: forbiddenInLibraries + forbiddenInPureCode),
        "PoolAlerts": Room(imports: ["PoolModel"], forbiddenCode: forbiddenInLibraries + forbiddenInPureCode),
        "WaterChemistry": Room(imports: ["PoolModel"], forbiddenCode: forbiddenInLibraries + forbiddenInPureCode),
        "PoolControl": Room(
            imports: ["PoolDecoding", "PoolModel"], forbiddenCode: forbiddenInLibraries + forbiddenInPureCode),
        "PoolStore": Room(
            imports: platform.union(["PoolModel", "GRDB", "Logging", "FoundationEssentials"]),
            forbiddenCode: forbiddenInLibraries),
        "HistoryMirror": Room(
            imports: platform.union(["PoolModel", "PoolStore", "Postgres", "Primitives"]),
            forbiddenCode: forbiddenInLibraries),
        // SyncTransport speaks of endpoints and keys in the types of ZeroMQ, which code that names one imports.
        "PoolHub": Room(
            imports: platform.union(engine)
                .union([
                    "PoolControl", "PoolModel", "PoolDecoding", "PoolAlerts", "WaterChemistry", "PoolStore", "MQTT",
                    "Brokers", "HomeAssistantMQTT", "Service", "Vault", "ZeroMQ", "FoundationEssentials", "Crypto",
                    "Dispatch", "Logging",
                ]),
            // Only requests to web addresses need it.
            // Only what is shared with another hub is under a passphrase.
            importsByFolder: [
                "Foundation": ["Alerts"], "FoundationNetworking": ["Alerts"], "CryptoExtras": ["Sharing"],
            ],
            forbiddenCode: forbiddenInLibraries),
        "PoolWatch": Room(
            imports: platform.union(engine).union(["PoolModel", "Service", "ZeroMQ", "FoundationEssentials", "Logging"]
            ),
            forbiddenCode: forbiddenInLibraries),
        "TerminalUI": Room(
            imports: systemLibraries.union([
                "PoolControl", "PoolModel", "PoolDecoding", "Terminal", "Text", "WaterChemistry",
            ]),
            forbiddenCode: forbiddenInLibraries),
        // Foundation knows the time zone of the clocks on the screens.
        "PoolScreens": Room(
            imports: platform.union([
                "PoolControl", "PoolModel", "PoolWatch", "SyncCore", "SyncTransport", "TerminalUI", "Foundation",
            ]),
            forbiddenCode: forbiddenInLibraries),
        // It asks the hub and speaks HTTP; SyncTransport knows the invitations of watches, TerminalUI the QR code.
        "PoolWeb": Room(
            imports: platform.union([
                "PoolControl", "PoolModel", "PoolHub", "Service", "SyncCore", "WaterChemistry", "SyncTransport",
                "Terminal",
                "TerminalUI", "WebServer", "ZeroMQ", "Logging", "FoundationEssentials", "Crypto",
            ]), importsByFolder: ["CPage": ["HTTP"]], forbiddenCode: forbiddenInLibraries),
        "poolsensors-web": Room(
            imports: platform.union([
                "CommandSupport", "PoolControl", "PoolModel", "PoolWeb", "WebCommands", "WebServer", "ArgumentParser",
                "Foundation",
            ])),
        // The programs are made of it, so it talks to the person and starts processes as they do.
        "CommandSupport": Room(
            imports: platform.union(engine).union([
                "Commands", "PoolControl", "PoolModel", "PoolHub", "PoolWatch", "Service", "SyncSimulation",
                "ArgumentParser",
                "Foundation", "FoundationEssentials",
            ])),
        "poolsensors": Room(
            imports: platform.union(engine).union([
                "CodePairing", "CommandSupport", "Commands", "PoolControl", "PoolModel", "PoolDecoding", "PoolAlerts",
                "WaterChemistry", "PoolStore", "PoolHub", "PoolWatch", "Service", "Terminal", "TerminalUI", "Text",
                "ZeroMQ", "MQTT", "HistoryMirror", "Postgres",
                "PoolScreens", "ArgumentParser",
                "Foundation", "FoundationEssentials", "Dispatch", "Logging", "UnixSignals",
            ])),
        "TarsModel": Room(
            imports: ["Appliances", "Peripherals", "Primitives", "Text"],
            forbiddenCode: forbiddenInLibraries + forbiddenInPureCode, isEngine: true),
        "TarsDevice": Room(
            imports: platform.union([
                "Primitives", "ZeroMQ", "Appliances", "PINPairing", "Peripherals", "TarsModel", "Text", "Foundation",
            ]), forbiddenCode: forbiddenInLibraries, isEngine: true),
        "TarsApp": Room(
            imports: ["Appliances", "Companion", "WatchConnectivity", "Text", "Foundation"],
            forbiddenCode: forbiddenInLibraries, isEngine: true),
        "TarsPhone": Room(
            imports: platform.union([
                "Primitives", "ZeroMQ", "MQTT", "Appliances", "Brokers", "PINPairing", "Peripherals", "Companion",
                "WatchConnectivity", "Service", "SyncStore", "SyncTransport", "TarsApp", "TarsModel", "Text", "Vault",
                "Foundation",
            ]), forbiddenCode: forbiddenInLibraries, isEngine: true),
        "TarsWeb": Room(
            imports: platform.union([
                "SyncCore", "Appliances", "Companion", "Peripherals", "TarsApp", "TarsModel", "TarsPhone", "Text",
                "WebServer", "CTarsPage",
            ]),
            forbiddenCode: forbiddenInLibraries, isEngine: true),
        "TarsWatch": Room(
            imports: platform.union([
                "Primitives", "Appliances", "Companion", "WatchConnectivity", "TarsApp", "Terminal", "Text",
                "Foundation",
            ]), forbiddenCode: forbiddenInLibraries, isEngine: true),
        "tars": Room(
            imports: platform.union([
                "Primitives", "ZeroMQ", "Appliances", "BrokerCommands", "Commands", "Companion", "WatchConnectivity",
                "Peripherals", "Service", "TarsApp", "TarsDevice", "TarsModel", "TarsPhone", "TarsWatch", "TarsWeb",
                "Terminal", "Text",
                "WebCommands", "WebServer", "ArgumentParser", "Foundation",
            ]), isEngine: true),
        "RidesModel": Room(
            imports: systemLibraries, forbiddenCode: forbiddenInLibraries + forbiddenInPureCode, isEngine: true),
        "CRides": Room(imports: []),
        "RidesApp": Room(
            imports: ["Companion", "RidesModel", "Text"], forbiddenCode: forbiddenInLibraries + forbiddenInPureCode,
            isEngine: true),
        "RidesServer": Room(
            imports: platform.union([
                "CRides", "Postgres", "Primitives", "RidesApp", "RidesModel", "Service", "SyncCore", "Text",
                "WebServer",
                "Crypto", "Logging",
            ]), forbiddenCode: forbiddenInLibraries, isEngine: true),
        "RidesPhone": Room(
            imports: platform.union([
                "Companion", "WatchConnectivity", "Service", "SyncTransport", "RidesApp", "RidesModel", "Text",
                "AsyncHTTPClient", "Foundation", "NIOCore", "NIOHTTP1", "NIOPosix",
            ]), forbiddenCode: forbiddenInLibraries, isEngine: true),
        "RidesWatch": Room(
            imports: platform.union([
                "Companion", "WatchConnectivity", "RidesApp", "RidesModel", "Terminal", "Text", "Foundation",
            ]), forbiddenCode: forbiddenInLibraries, isEngine: true),
        "rides": Room(
            imports: platform.union([
                "Commands", "Companion", "Postgres", "Primitives", "PrivateCluster", "RidesApp", "RidesModel",
                "RidesPhone", "RidesServer", "RidesWatch", "Service", "Terminal", "Text", "WebCommands", "WebServer",
                "ArgumentParser", "Foundation", "Logging",
            ]), isEngine: true),
        "ImtModel": Room(
            imports: ["Pictures", "Text"], forbiddenCode: forbiddenInLibraries + forbiddenInPureCode, isEngine: true),
        "ImtApp": Room(
            imports: ["Companion", "ImtModel", "Foundation"], forbiddenCode: forbiddenInLibraries, isEngine: true),
        "ImtPhone": Room(
            imports: platform.union([
                "ZeroMQ", "Companion", "WatchConnectivity", "Service", "SyncStore", "SyncTransport", "Vault", "ImtApp",
                "ImtModel", "Records", "GRDB", "Crypto", "Foundation",
            ]), forbiddenCode: forbiddenInLibraries, isEngine: true),
        "CImtPage": Room(imports: []),
        "ImtPage": Room(
            imports: ["CImtPage", "ImtModel", "ImtPhone", "SyncCore", "Text", "WebServer"],
            forbiddenCode: forbiddenInLibraries, isEngine: true),
        "ImtWatch": Room(
            imports: platform.union([
                "Companion", "WatchConnectivity", "SyncStore", "Terminal", "Text", "Vault", "ImtApp", "ImtModel",
                "Foundation",
            ]), forbiddenCode: forbiddenInLibraries, isEngine: true),
        "imt": Room(
            imports: platform.union([
                "Commands", "Companion", "Service", "Terminal", "Text", "WebCommands", "WebServer", "ImtApp",
                "ImtModel",
                "ImtPage",
                "ImtPhone", "Pictures",
                "ImtWatch", "ArgumentParser", "Foundation", "Logging",
            ]), isEngine: true),
        "synclab": Room(
            imports: platform.union(engine).union([
                "CommandSupport", "PoolControl", "PoolModel", "PoolDecoding", "PoolAlerts", "WaterChemistry",
                "PoolStore", "PoolHub", "PoolWatch", "TerminalUI", "ZeroMQ", "MQTT", "SyncSimulation",
                "WatchConnectivity",
                "WatchConnectivityTesting", "ArgumentParser", "Foundation", "FoundationEssentials", "Dispatch",
                "Logging",
            ]), importsByFolder: ["GRDBSQLite": ["Bench"]]),
    ]

    /// What may stand at the top of the repository, beside files whose name starts with a dot.
    static let topLevel: Set = ["Package.swift", "Sources", "Tests", "README.md", "Docs", "Fixtures", "LICENSE"]

    /// The words of the pool's domain, in lower case.
    static let domainWords: Set = [
        "pool", "pools", "poolsensors", "swimming", "chlorine", "chlorinator", "orp", "redox", "ph", "alkalinity",
        "salinity",
        "cyanuric",
    ]
    /// Fixed terms in which such a word means something else.
    static let termsOfOtherFields = [
        "thread pool", "cooperative pool", "connection pool", "connectionPool", "buffer pool", "memory pool",
        "DatabasePool",
    ]
}

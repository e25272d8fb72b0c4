import Testing

@Suite struct HouseRulesTests {
    @Test(arguments: [
        ("SyncCore", "import Foundation"),
        ("SyncCore", "import Logging"),
        ("SyncCore", "internal import struct Foundation.Date"),
        ("ZeroMQ", "import Foundation"),
        ("ZeroMQ", "import Logging"),
        ("ZeroMQ", "import MQTT"),
        ("MQTT", "import Foundation"),
        ("MQTT", "import ZeroMQ"),
        ("SyncStore", "import SyncTransport"),
        ("SyncTransport", "import GRDB"),
        ("SyncTransport", "private import PoolModel"),
        ("SyncSimulation", "import SyncStore"),
        ("PoolModel", "import Foundation"), ("PoolModel", "import FoundationEssentials"),
        ("PoolModel", "import SyncCore"),
        ("PoolStore", "import SyncCore"),
        ("PoolHub", "import TerminalUI"),
        ("PoolHub", "import PoolWatch"),
        ("PoolHub", "import CMosquitto"),
        ("PoolHub", "import WatchConnectivity"),
        ("PoolWatch", "import MQTT"),
        ("PoolWatch", "import PoolHub"),
        ("TerminalUI", "import SyncCore"),
        ("TerminalUI", "import Logging"),
        ("poolsensors", "@testable import CZeroMQ"),
        ("poolsensors", "import GRDB"), ("poolsensors", "import SyncSimulation"), ("synclab", "import GRDB"),
    ])
    func `a forbidden import is found`(target: String, line: String) {
        let source = planted("Sources/Floor/\(target)/File.swift", "// A file.\n\(line)\n")

        let found = importViolations(in: source)

        #expect(found.map(\.line) == [2])
    }

    @Test(arguments: [
        (
            "Sources/Sync/SyncCore/File.swift",
            "// import Foundation\nlet text = \"import Foundation\"\nimport CChecksum"
        ),
        ("Sources/Sync/SyncStore/File.swift", "internal import GRDB\npublic import SyncCore"),
        (
            "Sources/App/Text/File.swift",
            "import FoundationEssentials"
        ),
        ("Tests/Sync/SyncCoreTests/File.swift", "import Foundation\n@testable import SyncCore"),
        ("Sources/Base/Platform/File.swift", "#if canImport(Glibc)\n    internal import Glibc\n#endif"),
        (
            "Sources/Sync/SyncStore/File.swift",
            "#if canImport(FoundationEssentials)\n    import FoundationEssentials\n#else\n    import Foundation\n#endif"
        ),
        ("Package.swift", "import PackageDescription"),
    ])
    func `an allowed import is no violation`(path: String, text: String) {
        #expect(importViolations(in: planted(path, text)) == [])
    }

    @Test(arguments: [
        "#if canImport(Crypto)\n    import Crypto\n#else\n    import Foundation\n#endif",
        "#if canImport(FoundationEssentials)\n    import Foundation\n#endif",
        "#if canImport(FoundationEssentials)\n#else\n#endif\nimport Foundation",
    ])
    func `the whole of Foundation takes the place only of its small part`(text: String) {
        #expect(importViolations(in: planted("Sources/Sync/SyncStore/File.swift", text)).count == 1)
    }

    @Test(arguments: [
        "import Glibc", "internal import FoundationEssentials", "import FoundationInternationalization",
        "#if os(macOS)\n    import Glibc\n#endif", "#if canImport(Glibc)\n#else\n    import Glibc\n#endif",
        "#if canImport(Glibc)\n#endif\nimport Glibc", "let kind = Int32(SOCK_STREAM.rawValue)",
        "let flags = SOCK_CLOEXEC", "#if os(Linux)\n#endif\nguard fdatasync(file) == 0 else { return }",
    ])
    func `what only Linux has is found`(text: String) {
        for path in ["Sources/Base/Platform/File.swift", "Tests/Base/PlatformTests/File.swift"] {
            #expect(portabilityViolations(in: planted(path, text)).count == 1)
        }
    }

    @Test(arguments: [
        "#if canImport(Glibc)\n    import Glibc\n#elseif canImport(Musl)\n    import Musl\n#endif",
        "#if Processes\n    #if canImport(Glibc)\n        import Glibc\n    #endif\n#endif",
        "#if os(Linux)\n    import Glibc\n#endif",
        "#if canImport(Glibc)\n    let kind = Int32(SOCK_STREAM.rawValue)\n#endif",
        "#if canImport(FoundationEssentials)\n    import FoundationEssentials\n#else\n    import Foundation\n#endif",
        "// MSG_NOSIGNAL",
    ])
    func `what is asked for is not`(text: String) {
        #expect(portabilityViolations(in: planted("Tests/Base/PlatformTests/File.swift", text)) == [])
    }

    @Test(arguments: [
        ("ZeroMQ", "public import CZeroMQ"), ("SyncStore", "public import GRDB"),
        ("PoolStore", "@_exported import GRDB"),
    ])
    func `what is wrapped stays inside`(target: String, line: String) {
        #expect(importViolations(in: planted("Sources/Floor/\(target)/File.swift", line)).count == 1)
    }

    @Test func `tests do not import XCTest`() {
        #expect(importViolations(in: planted("Tests/Sync/SyncCoreTests/File.swift", "import XCTest")).count == 1)
    }

    @Test func `a target without a room is found`() {
        #expect(importViolations(in: planted("Sources/Pool/Attic/File.swift", "let a = 1")).count == 1)
        #expect(
            roomViolations(paths: ["Sources/Pool/Attic/File.swift", "Sources/Sync/SyncCore/File.swift"]).count == 1)
    }

    @Test(arguments: [
        "let now = Date()", "Task { }", "Task{ }", "func run() async {}", "await run()",
        "let id = Int.random(in: 0..<9)",
        "print(1)", "let lock = Mutex(0)", "FileManager.default", "SystemRandomNumberGenerator()", "UUID()",
        "\"\\(Date())\"",
    ])
    func `what the core gets as an argument, it never fetches itself`(line: String) {
        #expect(forbiddenCodeViolations(in: planted("Sources/Sync/SyncCore/File.swift", line)).count == 1)
    }

    @Test(arguments: [
        "// Date() and await", "\"print(1)\"", "func print(line: Int) {}", "screen.print(1)", "struct Task {}",
    ])
    func `a comment, a string or a member of that name is no such code`(line: String) {
        #expect(forbiddenCodeViolations(in: planted("Sources/Pool/TerminalUI/File.swift", line)) == [])
    }

    @Test(arguments: [
        "LoggingSystem.bootstrap(factory)", "getenv(name)", "ProcessInfo.processInfo.environment", "print(line)",
    ])
    func `only the executable logs, prints and reads the environment`(line: String) {
        #expect(forbiddenCodeViolations(in: planted("Sources/Pool/PoolHub/File.swift", line)).count == 1)
        for program in ["Sources/Pool/poolsensors", "Sources/Lab/synclab"] {
            #expect(forbiddenCodeViolations(in: planted("\(program)/File.swift", line)) == [])
        }
    }

    @Test(arguments: [
        "let poolName = 1", "struct PoolReading {}", "let id = \"pool-sync\"", "// The pH of the water.", "case orp",
        "case ph",
        "let lastORPValue = 1",
    ])
    func `a word of the pool in the engine is found`(line: String) {
        #expect(domainWordViolations(in: planted("Sources/Sync/SyncCore/File.swift", line)).count == 1)
        #expect(domainWordViolations(in: planted("Sources/Pool/PoolModel/File.swift", line)) == [])
    }

    @Test(arguments: [
        "let stepHeight = 1", "// corpus, graph, phase", "let queue = DatabasePool()", "// The cooperative pool.",
    ])
    func `a word that only looks like one is not`(line: String) {
        #expect(domainWordViolations(in: planted("Sources/Sync/SyncStore/File.swift", line)) == [])
    }

    @Test func `a name in camel case is taken apart`() {
        #expect(
            words(of: "poolID lastORPValue pH, phValue x2") == [
                "pool", "id", "last", "orp", "value", "ph", "ph", "value", "x",
            ])
    }
}

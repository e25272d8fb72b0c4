import Foundation
import GRDB
import TestSupport
import Testing

@testable import SyncCore
@testable import SyncStore

@Suite
struct EarlierFormatTests {
    private static let stores = Repository.url("Fixtures/stores")
    private let place: TemporaryFolder

    init() throws {
        place = try TemporaryFolder()
    }

    @Test func `the scripted run leaves in the stores what it left before`() throws {
        let stores = SampleStores(path: place.path("stores"))
        do { _ = try StateFolder(path: stores.path) }
        try stores.write()
        let text = try stores.text()
        if ProcessInfo.processInfo.environment["RECORD_STORES"] == "1" {
            let files = FileManager.default
            try? files.removeItem(at: Self.stores)
            try files.createDirectory(at: Self.stores, withIntermediateDirectories: true)
            for name in ["hub", "watch", "keyed"] {
                try files.copyItem(
                    at: URL(filePath: "\(stores.path)/\(name)/\(name).sqlite"),
                    to: Self.stores.appending(path: "\(name).sqlite"))
            }
            try Data(text.utf8).write(to: Self.stores.appending(path: "state.txt"))
        }
        #expect(try String(contentsOf: Self.stores.appending(path: "state.txt"), encoding: .utf8) == text)
    }
}

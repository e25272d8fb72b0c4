import Foundation
import TestSupport
import Testing

/// The program of the page about writing an app, as processes with disks, and the page itself.
@Suite(.longWork) struct CompanionProcessTests {
    private static let sources = "Tests/Repository/OutsidePackage/Sources/Groceries"
    private static let outcomes = ["done", "refused", "the phone is away:", "too late", "perhaps"]

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func phone() throws -> LineProcess { try LineProcess("GroceriesProgram", ["phone", folder.path]) }

    private func watch(_ name: String = "anna") throws -> LineProcess {
        try LineProcess("GroceriesProgram", ["watch", folder.path, name])
    }

    private var list: [String] {
        let text = try? String(contentsOf: folder.url.appending(path: "phone/list"), encoding: .utf8)
        return text?.split(separator: "\n").map(String.init) ?? []
    }

    @Test func `the page shows the program that is built`() throws {
        let page = try String(contentsOf: Repository.url("Docs/internals/companion.md"), encoding: .utf8)
        let shown = page.components(separatedBy: "```swift\n").dropFirst().map { rest in
            String(rest[..<(rest.range(of: "\n```")?.lowerBound ?? rest.endIndex)]) + "\n"
        }
        let built = try ["Groceries.swift", "GroceryPhone.swift", "main.swift"].map {
            try String(contentsOf: Repository.url("\(Self.sources)/\($0)"), encoding: .utf8)
        }
        #expect(shown == built)
    }

    @Test func `the program does what the page says`() async throws {
        let (phone, watch) = (try phone(), try watch())
        await watch.says("list: bread, eggs, milk")
        #expect(await watch.ask("take milk", Self.outcomes) == "done, 2 left")
        await phone.says("anna took milk")
        await watch.says("list: bread, eggs")
        #expect(await watch.ask("again", Self.outcomes) == "done, 2 left")
        _ = await watch.ask("note jam", ["noted"])
        await phone.says("anna noted: jam")
        await watch.says("list: bread, eggs, jam")
        #expect(await phone.ask("title Party", ["title:"]) == "title: accepted")
        await watch.says("the list is called Party")
        #expect(await watch.end() == 0)
        #expect(await phone.end() == 0)
        #expect(phone.lines.items.count { $0 == "anna took milk" } == 1)
    }

    @Test func `nothing is done twice or lost while phone and watch are killed`() async throws {
        var phones = [try phone()]
        var watch = try watch()
        await watch.says("the phone is here")
        for round in 1...6 {
            _ = await watch.ask("note item-\(round)", ["noted"])
            let isDone = await watch.ask("take item-\(round)", Self.outcomes)
            if round.isMultiple(of: 2) {
                await phones.last?.kill()
                phones.append(try phone())
                // The session may still find out that the process was another one.
                try await poll("the same outcome") {
                    let again = await watch.ask("again", Self.outcomes)
                    return isDone.hasPrefix("done") ? again == isDone : again.hasPrefix("done")
                }
            } else {
                await watch.kill()
                watch = try self.watch()
                await watch.says("the phone is here")
            }
        }
        _ = await watch.ask("note last", ["noted"])
        try await poll("the last note") { list.contains("last") }
        let notes = list.filter { $0.hasPrefix("item-") }
        #expect(Set(notes).count == notes.count, "a note came twice: \(list)")
        for round in 1...6 {
            #expect(phones.flatMap(\.lines.items).count { $0 == "anna took item-\(round)" } == 1)
        }
    }

    @Test func `a title that is given on a watch without its phone survives the end of both`() async throws {
        let first = try phone()
        let watch = try watch()
        await watch.says("the phone is here")
        #expect(await first.ask("title Party", ["title:"]) == "title: accepted")
        await watch.says("the list is called Party")
        await first.kill()
        #expect(await watch.ask("title Feast", ["title:"]) == "title: accepted")
        await watch.says("the list is called Feast")
        await watch.kill()
        let (phone, again) = (try phone(), try self.watch())
        await again.says("the list is called Feast")
        await phone.says("the list is called Feast")
    }

    @Test(arguments: ["tars", nil], [true, false])
    func `devices of two apps refuse each other by name`(other: String?, isPhoneOther: Bool) async throws {
        let trace = folder.path("trace")
        var environment = [
            "WATCHCONNECTIVITY_SIDE": isPhoneOther ? "phone" : "watch",
            "WATCHCONNECTIVITY_STATE": folder.path("other"), "WATCHCONNECTIVITY_MEETING": folder.path("meeting"),
            "WATCHCONNECTIVITY_TRACE": trace,
        ]
        environment["WATCHCONNECTIVITY_APP"] = other
        let stranger = try LineProcess("SessionProcess", [], environment: environment)
        let own = try LineProcess(
            "GroceriesProgram", [isPhoneOther ? "watch" : "phone", folder.path, "own"],
            environment: ["WATCHCONNECTIVITY_TRACE": trace])
        await stranger.says("ready")
        let name = other ?? "watchconnectivity"
        let (watch, phone) = isPhoneOther ? ("groceries", name) : (name, "groceries")
        let words = "this watch is of \(watch), the hub of this invitation is of \(phone)"
        try await poll("the reason") {
            (try? String(contentsOf: URL(filePath: trace), encoding: .utf8))?.contains(words) ?? false
        }
        #expect(!own.lines.items.contains("the phone is here"))
    }
}

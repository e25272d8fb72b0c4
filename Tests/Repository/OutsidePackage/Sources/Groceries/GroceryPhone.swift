import Companion
import Foundation
import WatchConnectivity

/// The phone's part: it owns the list, which is a file.
actor GroceryPhone: CompanionPhone {
    typealias App = Groceries

    private let file: URL
    private var items: [String]

    init(_ file: URL) throws {
        self.file = file
        let text = try? String(contentsOf: file, encoding: .utf8)
        items = text?.split(separator: "\n").map(String.init) ?? ["bread", "eggs", "milk"]
    }

    func view(for caller: Caller) -> Groceries.View { Groceries.View(items: items) }

    func perform(_ command: Groceries.Command, _ id: CommandID, by caller: Caller) -> Groceries.Reply {
        switch command {
        case .take(let item):
            if let index = items.firstIndex(of: item) { items.remove(at: index) }
            say("\(caller.watch.name) took \(item)")
        }
        save()
        return Groceries.Reply(left: items.count)
    }

    func received(_ event: Groceries.Event, from caller: Caller) {
        say("\(caller.watch.name) noted: \(event.note)")
        // It comes again if the process ended before this returned.
        if !items.contains(event.note) { items.append(event.note) }
        save()
    }

    func received(_ file: IncomingFile<Groceries.FileInfo>, from caller: Caller) throws {
        try FileManager.default.removeItem(at: file.file)
    }

    private func save() {
        do {
            try items.joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
        } catch {
            say("the list is not stored: \(error)")
        }
    }
}

import Companion
import Foundation
import WatchConnectivity

// groceries phone FOLDER
// groceries watch FOLDER NAME
let words = CommandLine.arguments.dropFirst()
guard words.count >= 2, let side = SessionSetup.Side(rawValue: words[1]) else {
    say("write: groceries phone FOLDER, or: groceries watch FOLDER NAME")
    exit(64)
}
let folder = URL(filePath: words[2])
let name = words.count > 2 ? words[3] : side.rawValue
let state = folder.appending(path: name)
try FileManager.default.createDirectory(at: state, withIntermediateDirectories: true)
try WCSession.setUp(Groceries.setup(side, named: name, in: folder).companion(Groceries.self))
let store = try CompanionStore(FolderStorage(path: state.appending(path: "app").path))
let inbox = state.appending(path: "inbox")

// The title of the list, whenever it may have changed.
let titles = Task {
    for await _ in WCSession.records.changes {
        if let title = WCSession.records.values[Groceries.title] { say("the list is called \(title.text)") }
    }
}

/// What a person types.
let lines = AsyncStream<String> { continuation in
    Thread.detachNewThread {
        while let line = readLine() { continuation.yield(line) }
        continuation.finish()
    }
}

switch side {
case .phone:
    let phone = try GroceryPhone(state.appending(path: "list"))
    let host = PhoneHost(phone, store: store, inbox: inbox)
    let running = Task { try await host.run() }
    say("ready")
    for await line in lines where line.hasPrefix("title ") {
        say("title: \(try await WCSession.records.change([Groceries.title: String(line.dropFirst(6))]))")
    }
    running.cancel()
    try await running.value
case .watch:
    let host = WatchHost(Groceries.self, store: store, inbox: inbox)
    let running = Task { try await host.run() }
    let showing = Task {
        for await event in host.events {
            switch event {
            case .view(let view): say("list: " + view.items.joined(separator: ", "))
            case .event(let event): say("the phone noted: \(event.note)")
            case .reachable(let isReachable): say(isReachable ? "the phone is here" : "the phone is away")
            case .file: break
            case .tooOld, .phoneTooOld: say(event.advice ?? "")
            }
        }
    }
    var last = CommandID()
    var item = ""
    for await line in lines {
        let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
        switch (parts.first, parts.last ?? "") {
        case ("take", let taken):
            (last, item) = (CommandID(), taken)
            fallthrough
        case ("again", _):
            // With the same identity the phone does it at most once.
            switch await host.send(.take(item), last) {
            case .done(let reply): say("done, \(reply.left) left")
            case .refused(let reason): say("refused: \(reason)")
            case .unreachable: say("the phone is away: nothing was sent")
            case .expired: say("too late: nothing was done")
            case .unknown: say("perhaps: write again to find out")
            }
        case ("note", let note):
            try await host.send(Groceries.Event(note: note))
            say("noted")
        case ("title", let title):
            say("title: \(try await WCSession.records.change([Groceries.title: title]))")
        default: say("write: take ITEM, again, note ITEM, title TEXT")
        }
    }
    running.cancel()
    try await running.value
    showing.cancel()
}
titles.cancel()

import Appliances
import Companion
import Peripherals
import Platform
import TarsApp
import TarsModel
import TarsPhone
import Text
import WebServer

/// What answers the routes.
struct HomeHandlers: Sendable {
    let home: HomeWatcher
    let events: EventSource
    let accounts: AccountRouteHandlers
}

/// Every route of a home's page.
enum HomeRoutes {
    private typealias Route = WebServer.Route
    typealias Handled = HandledRoute<HomeHandlers>

    static let all: [Handled] =
        AccountRouteTable.sessions.map { $0.answered { $0.accounts } } + look + act + edit + watches
        + AccountRouteTable.accounts(.tars).map { $0.answered { $0.accounts } } + [
            Route(
                "document", "GET", "/api/v1/openapi.json", for: .nothing, in: .server, "This document.",
                answer: .object("OpenAPI 3.1.")
            ).handledForAll { _, request, _ in HomePage.document.response(to: request) }
        ]

    // MARK: - Look

    private static let look: [Handled] = [
        Route(
            "home", "GET", "/api/v1/home", for: .account, in: "home", "What the account sees of the home.",
            answer: .one("home", "The things in its rooms; with the right for everything, shortcuts and scenes, too.")
        ).handled { handlers, context in
            _ = try handlers.home.present()
            return try .json(HomeShown(handlers.home.now, for: context.account, at: .now))
        },
        Route(
            "rooms", "GET", "/api/v1/rooms", for: .account, in: "home", "The rooms that the account sees.",
            answer: .list(of: "scopeID", "In the order of the home.")
        ).handled { handlers, context in
            try .json(
                try handlers.home.present().rooms.compactMap(\.self).filter { context.account.level(of: $0) != nil })
        },
        Route(
            "events", "GET", "/api/v1/events", for: .account, in: "home",
            "The home, whenever it changed; a ping at least every 15 s; `end` when the account lost its rights.",
            answer: .text("text/event-stream", "Server-sent events.")
        ).handled { handlers, context in
            try handlers.events.stream(context, of: HomeFeed(handlers.home)) { handlers.home.changes() }
        },
    ]

    // MARK: - Act

    private static let act: [Handled] = [
        Route(
            "act", "POST", "/api/v1/things/{thing}/commands", for: .edit, in: "home",
            "Acts on a thing, within 5 s, and answers where that stands.", body: "newCommand",
            answer: .one("command", "What became of it."), isRefusable: true, problems: [.hubAbsent]
        ).handled { handlers, context in
            let thing = try handlers.thing(context)
            let members = try context.members(["action", "isConfirmed"])
            let text = try members.text("action")
            let action = try checked("action") { () throws(ModelProblem) in
                let action = try Action(text)
                try thing.check(action)
                return action
            }
            return try await handlers.perform(.act(thing.id, action), members)
        },
        Route(
            "run", "POST", "/api/v1/shortcuts/{shortcut}/runs", for: .editAll, in: "home",
            "Runs a shortcut, within 5 s, and answers where that stands.", body: "newRun",
            answer: .one("command", "What became of it."), isRefusable: true, problems: [.hubAbsent]
        ).handled { handlers, context in
            guard let id = Shortcut.ID(context.subject),
                try handlers.home.present().shortcuts.contains(where: { $0.id == id })
            else { throw Problem(.missing, "there is no shortcut \(Excerpt(context.subject))") }
            return try await handlers.perform(.run(id), try context.members(["isConfirmed"]))
        },
    ]

    // MARK: - Edit

    private static let edit: [Handled] = [
        Route(
            "editThing", "PATCH", "/api/v1/things/{thing}", for: .edit, in: "home",
            "Renames a thing, moves it to a room (empty: none), or makes its actions need a confirmation.",
            body: "thingEdit", answer: .nothing("Changed."), isRefusable: true, problems: [.hubAbsent]
        ).handled { handlers, context in
            let thing = try handlers.thing(context)
            let members = try context.members(["name", "room", "confirm"])
            let room = try members.optionalText("room")
            // Who has some rooms only can move a thing into one of them.
            if let room, context.account.level(of: room.isEmpty ? nil : room) != .edit {
                throw Problem(
                    .forbidden, "this account may not edit \(Excerpt(room)): choose a room of its own", member: "room")
            }
            return try await handlers.change(
                .edit(
                    thing: "\(thing.id)", name: try members.optionalText("name"), room: room,
                    confirm: try members.optionalFlag("confirm")))
        },
        Route(
            "removeThing", "DELETE", "/api/v1/things/{thing}", for: .owner, in: "home",
            "Removes a thing; a motor device near the phone forgets its owner.", answer: .nothing("Removed."),
            isRefusable: true, problems: [.hubAbsent]
        ).handled { handlers, context in
            try await handlers.change(.remove(thing: "\(try handlers.thing(context).id)"))
        },
        Route(
            "found", "GET", "/api/v1/found", for: .owner, in: "home",
            "Motor devices near the phone, and what announced itself at the broker.",
            answer: .one("found", "What is not in the home yet."), problems: [.hubAbsent]
        ).handled { handlers, _ in try .json(try await handlers.found()) },
        Route(
            "addThing", "POST", "/api/v1/things", for: .owner, in: "home",
            "Takes a thing into the home: a motor device by its serial number and PIN, or what announced itself by its key.",
            body: "newThing", answer: .nothing("It is in the home."), isRefusable: true, problems: [.hubAbsent]
        ).handled { handlers, context in
            let members = try context.members(["serial", "pin", "key", "name", "room"])
            let (name, room) = (try members.text("name"), try members.optionalText("room"))
            guard let text = try members.optionalText("serial") else {
                return try await handlers.change(.adopt(key: try members.text("key"), name: name, room: room))
            }
            let serial = try checked("serial") { () throws(ModelProblem) in try Serial(short: text) }
            return try await handlers.change(
                .pair(serial: serial, pin: try members.optionalText("pin"), name: name, room: room))
        },
        Route(
            "defineShortcut", "POST", "/api/v1/shortcuts", for: .editAll, in: "home",
            "Defines a shortcut, without running it; one of the same name is replaced.", body: "newShortcut",
            answer: .nothing("Its key and its link are ready."), isRefusable: true, problems: [.hubAbsent]
        ).handled { handlers, context in
            let members = try context.members(["name", "runs", "icon", "confirm"])
            let view = try handlers.home.present()
            let name = try members.text("name")
            let runs = try target(try members.text("runs"), "runs", in: view)
            let (icon, confirm) = (try members.optionalText("icon"), try members.optionalFlag("confirm") ?? false)
            let id = view.shortcuts.first { $0.name == name }?.id ?? .random()
            let shortcut = try checked("name") { () throws(ModelProblem) in
                try Shortcut(id: id, name: name, icon: icon, run: runs, confirm: confirm)
            }
            return try await handlers.change(.define(shortcut))
        },
        Route(
            "forget", "DELETE", "/api/v1/shortcuts/{shortcut}", for: .editAll, in: "home",
            "Removes a shortcut.", answer: .nothing("Removed."), isRefusable: true, problems: [.hubAbsent]
        ).handled { handlers, context in
            guard let found = try handlers.home.present().shortcuts.first(where: { "\($0.id)" == context.subject })
            else {
                throw Problem(.missing, "there is no shortcut \(Excerpt(context.subject))")
            }
            return try await handlers.change(.forget(name: found.name))
        },
        Route(
            "conflicts", "GET", "/api/v1/conflicts", for: .editAll, in: "home",
            "The edits that lost against newer ones.", answer: .list(of: "conflict", "They wait for a person."),
            problems: [.hubAbsent]
        ).handled { handlers, _ in
            guard case .conflicts(let all) = try await handlers.home.get(.conflicts) else { return WebResponse(204) }
            return try .json(all)
        },
        Route(
            "settle", "POST", "/api/v1/conflicts/{conflict}", for: .editAll, in: "home",
            "Brings back what lost, or forgets it.", body: "settlement", answer: .nothing("Settled."),
            isRefusable: true, problems: [.hubAbsent]
        ).handled { handlers, context in
            let restoring = try context.members(["restoring"]).optionalFlag("restoring") ?? false
            return try await handlers.change(.settle(context.subject, restoring: restoring))
        },
    ]

    // MARK: - Watches

    private static let watches: [Handled] = [
        Route(
            "watches", "GET", "/api/v1/watches", for: .owner, in: "home",
            "The watches of the phone, and what each of them may do.", answer: .list(of: "watch", "By their names."),
            problems: [.hubAbsent]
        ).handled { handlers, _ in
            guard case .watches(let all) = try await handlers.home.get(.watches) else { return WebResponse(204) }
            return try .json(all)
        },
        Route(
            "grantWatch", "PATCH", "/api/v1/watches/{watch}", for: .owner, in: "home",
            "Lets a watch do something, or not any more; a watch without grants looks.", subject: .text,
            body: "watchGrant", answer: .nothing("Changed."), isRefusable: true, problems: [.hubAbsent]
        ).handled { handlers, context in
            let members = try context.members(["grant", "isGiven"])
            guard let isGiven = try members.optionalFlag("isGiven") else { throw members.lacks("isGiven") }
            let text = try members.text("grant")
            let grant = try checked("grant") { () throws(ModelProblem) in try TarsApp.grant(named: text) }
            return try await handlers.change(.grant(watch: context.subject, grant: grant, isGiven: isGiven))
        },
    ]

    private static func target(_ text: String, _ member: String, in view: HomeView) throws(Problem) -> Shortcut.Run {
        do throws(NameProblem) {
            return try view.target(of: text.split(separator: " ").map(String.init))
        } catch {
            throw Problem(.wrongMember, error.description, member: member, value: text)
        }
    }
}

/// Reads a sentence of the model as a wrong member.
private func checked<Value>(
    _ member: String, _ body: () throws(ModelProblem) -> Value
) throws(Problem) -> Value {
    do throws(ModelProblem) {
        return try body()
    } catch {
        throw Problem(.wrongMember, error.description, member: member)
    }
}

extension HomeHandlers {
    /// What is to be added.
    private struct Found: Encodable {
        struct Near: Encodable {
            var serial: String
            var rssi: Int
        }

        var near: [Near] = []
        var announced: [HomeReply.Announced] = []
        var left: [String] = []
    }

    /// The thing in the path, if the account may use the route for its room.
    fileprivate func thing(_ context: RequestContext) throws(Problem) -> Appliance {
        let missing = Problem(.missing, "there is no thing \(Excerpt(context.subject))", value: context.subject)
        guard let thing = try home.present().things.first(where: { "\($0.appliance.id)" == context.subject }) else {
            throw missing
        }
        try context.check(of: thing.appliance.room, missing: missing)
        return thing.appliance
    }

    fileprivate func perform(_ order: WatchCommand.Order, _ members: RequestMembers) async throws -> WebResponse {
        let command = WatchCommand(
            order, until: Timestamp.now.advanced(byMilliseconds: 5000),
            isConfirmed: try members.optionalFlag("isConfirmed") ?? false)
        guard case .status(let status) = try await home.get(.perform(command, .random())) else {
            throw Problem(.failed, "the phone answered something else")
        }
        return try .json(["status": status.text])
    }

    fileprivate func change(_ request: HomeRequest) async throws -> WebResponse {
        _ = try await home.get(request)
        return WebResponse(204)
    }

    fileprivate func found() async throws -> some Encodable {
        var found = Found()
        if case .near(let near) = try await home.get(.scan) {
            found.near = near.filter { $0.name == nil }.map { Found.Near(serial: $0.serial.short, rssi: $0.rssi) }
        }
        if case .discovered(let announced, let left) = try await home.get(.discover) {
            (found.announced, found.left) = (announced, left)
        }
        return found
    }
}

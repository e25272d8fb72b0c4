import CTarsPage
import SyncCore
import TarsApp
import TarsModel
import Text
package import WebServer

extension WebProduct {
    /// The page of a home; accounts are granted rooms.
    package static let tars = WebProduct(
        app: "tars", name: "TARS", command: "tars web",
        scope: Scope(
            noun: "room", plural: "rooms", member: "room", path: "/api/v1/rooms", listCommand: "tars status",
            identity: { name in (try? Limit.check(name: name)) == nil ? nil : name }),
        commonWords: ["tars", "kitchen", "lamp"])
}

/// The files of the page; they are in the program itself.
enum HomePage {
    private static let sources: [String: [UInt8]] = (0..<tars_page_file_count()).reduce(into: [:]) { files, number in
        let (name, bytes) = unsafe PageKit.contents(of: tars_page_file(number))
        files[name] = bytes
    }

    private static let modules = PageKit.modules.merging(
        sources.filter { $0.key.hasSuffix(".js") }.mapValues { String(decoding: $0, as: UTF8.self) }
    ) { $1 }

    /// The files that are served, by their names.
    static let files: [String: PageResource] = {
        var files = sources.filter { !$0.key.hasSuffix(".js") && $0.key != openapi }
        files[script] = Array(PageScript.joined(from: script, modules).utf8)
        return files.reduce(into: [:]) { $0[$1.key] = PageResource($1.key, $1.value) }
    }()

    private static let script = "page.js"
    private static let openapi = "openapi.json"

    /// The document of the API.
    static let document = OpenAPIDocument.resource(
        frame: sources[openapi] ?? [], routes: HomeRoutes.all.map(\.route), of: .tars)

    /// The file that a request asks for: the page at `/` and at each link, the other files by their names.
    static func find(_ request: WebRequest) -> PageResource? {
        guard request.method == "GET" else { return nil }
        let isLink = request.path.hasPrefix("/s/") && !request.path.dropFirst(3).contains("/")
        return files[request.path == "/" || isLink ? "page.html" : String(request.path.dropFirst())]
    }
}

extension WebAPI {
    /// Creates the answerer of a home's page.
    ///
    /// - Parameters:
    ///   - settings: How the server is reached.
    ///   - home: The phone.
    ///   - accounts: The accounts.
    ///   - setupCode: The code of the first account.
    package convenience init(settings: WebSettings, home: HomeWatcher, accounts: AccountStore, setupCode: SetupCode) {
        self.init(settings: settings, accounts: accounts, setupCode: setupCode, resource: { HomePage.find($0) }) {
            parts in
            let handlers = HomeHandlers(
                home: home, events: EventSource(parts),
                accounts: parts.accountHandlers { room in
                    try home.view().things.contains { $0.appliance.room == room }
                })
            return HomeRoutes.all.map { $0.served(by: handlers) }
        }
    }
}

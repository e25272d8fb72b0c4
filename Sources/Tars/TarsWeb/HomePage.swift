import Appliances
import CTarsPage
import SyncCore
import TarsApp
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

/// The files of the page.
enum HomePage {
    private static let page = unsafe PageFiles(
        tars_page_file_count(), { unsafe tars_page_file($0) }, shared: PageKit.modules, hasLinks: true)

    /// The document of the API.
    static let document = OpenAPIDocument.resource(
        frame: page.sources[OpenAPIDocument.fileName] ?? [], routes: HomeRoutes.all.map(\.route), of: .tars)

    /// The file that a request asks for; nil for another request.
    static func find(_ request: WebRequest) -> PageResource? { page.find(request) }
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
                    try home.present().things.contains { $0.appliance.room == room }
                })
            return HomeRoutes.all.map { $0.served(by: handlers) }
        }
    }
}

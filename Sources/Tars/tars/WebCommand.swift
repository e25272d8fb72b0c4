import Appliances
import ArgumentParser
import Commands
import Service
import TarsPhone
import TarsWeb
import WebCommands
import WebServer

/// The page.
struct WebCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "web", abstract: "The page for browsers, with accounts and a REST API.",
        discussion: """
            It runs beside the phone, and asks it through the socket in its folder.

            Example:
              tars web
              tars web account add Ada --role owner
            """,
        subcommands: [
            ServeCommand<WebOptions>.self, CertificateCommand<WebOptions>.self, AccountCommand<WebOptions>.self,
        ], defaultSubcommand: ServeCommand<WebOptions>.self)
}

/// The folder of the page's accounts, beside that of the phone.
struct WebOptions: WebProgram, WebAccounts {
    static let product = WebProduct.tars

    @OptionGroup var state: StateOptions

    var path: String {
        get throws {
            try StateHome.make(state.folder)
            return state.folder
        }
    }

    /// A room is granted under its name, also before something is in it.
    func scope(named name: String) async throws -> String {
        try checked { () throws(ModelProblem) in try Limit.check(name: name) }
        return name
    }

    func page(_ settings: WebSettings, accounts: AccountStore, code: SetupCode) throws -> ServedPage {
        let phone = state.phone
        let watcher = HomeWatcher { request in try await phone.exchange(request) { (_: HomeReply) in nil } }
        let api = WebAPI(settings: settings, home: watcher, accounts: accounts, setupCode: code)
        return ServedPage(api) { await watcher.run() }
    }
}

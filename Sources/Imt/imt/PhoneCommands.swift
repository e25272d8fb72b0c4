import ArgumentParser
import Commands
import Companion
import Foundation
import ImtPage
import ImtPhone
import Pictures
import Platform
import Text
import WebCommands
import WebServer

/// The phone.
struct PhoneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "phone", abstract: "Runs the phone: its page for browsers, and its watches.",
        discussion: """
            It prints the address of its page. If there is no account yet, it prints a code,
            too, with which the page makes the first one. Browsers give the camera to this
            machine and to HTTPS only; for other devices make a certificate first.

            Example:
              imt phone
              imt phone --page 0.0.0.0:8443 --tls
            """)

    @Option(help: ArgumentHelp("Where watches of other machines connect, such as tcp://*:7600.", valueName: "endpoint"))
    var listen: String?
    @Option(help: ArgumentHelp("Where browsers connect: HOST:PORT.", valueName: "address")) var page = "127.0.0.1:8090"
    @Flag(help: "Use the certificate that `certificate` has made.") var tls = false
    @OptionGroup var state: StateOptions

    func validate() throws { _ = try listener }

    private var listener: PageListener {
        get throws {
            try PageListener(page, option: "--page", product: .imt, folder: state.folder, tls: tls)
        }
    }

    func run() async throws {
        CommandRunner.logWarnings()
        PictureIntake.returnLargeBlocks()
        try StateHome.make(state.meetingFolder)
        var place = CompanionPlace(folder: state.phoneFolder, meetingFolder: state.meetingFolder)
        place.endpoint = listen
        place.notice = { Output.errors.line("phone: \($0)") }
        do {
            let process = try PhoneProcess(place)
            let accounts = try AccountStore(folder: state.folder, product: .imt)
            let code = SetupCode { Output.standard.line("code for the first account, valid for 15 minutes: \($0)") }
            let listener = try listener
            var settings = try listener.settings()
            // A patient's page asks for each thumb.
            settings.requestsPerMinute = 1200
            let server = try listener.server(
                WebAPI(settings: settings, clinic: process.clinic, accounts: accounts, setupCode: code))
            let isFirst = try await accounts.users.lackOwner()
            let shown = try listener.shownAddress()
            _ = try await untilStopped {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await process.run { Output.standard.line("phone is ready") } }
                    group.addTask { await accounts.run() }
                    group.addTask {
                        try await server.run { port in
                            Output.standard.line("page: \(shown(port))")
                            if isFirst { code.begin() }
                        }
                    }
                    defer { group.cancelAll() }
                    try await group.next()
                }
            }
        } catch {
            throw CommandFailure(error)
        }
    }
}

/// Lists what an account can be granted.
struct RightsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rights", abstract: "Lists the rights that accounts of the page can have.")

    func run() { for right in Right.allCases { Output.standard.line("\(right.rawValue)  \(right.words.english)") } }
}

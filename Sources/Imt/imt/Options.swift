import ArgumentParser
import Commands
import Companion
import Foundation
import ImtModel
import ImtPage
import ImtPhone
import Service
import WebCommands
import WebServer

/// Where the phone and the watches keep what they have.
struct StateOptions: WebAccounts, CompanionFolders {
    static let product = WebProduct.imt
    static let hasShares = false
    static let mustNameScopes = true

    @Option(
        help: ArgumentHelp(
            "The folder of the phone and of the watches; by default $XDG_STATE_HOME/imt.", valueName: "folder"))
    var state: String?

    var folder: String {
        StateHome.folder(of: "imt", chosen: state, environment: ProcessInfo.processInfo.environment)
    }

    var path: String {
        get throws {
            try StateHome.make(folder)
            return folder
        }
    }

    /// Asks the running phone, or opens its folder if none runs.
    ///
    /// - Throws: ``CommandFailure`` with the phone's sentence if it cannot do it.
    func ask(_ request: ClinicRequest) async throws -> ClinicReply {
        try StateHome.make(folder)
        let service = PhoneProcess.service(folder: phoneFolder)
        let reply: ClinicReply
        do {
            if case .erase = request, !service.isRunning {
                let process = try await service.waiting { try PhoneProcess(CompanionPlace(folder: $0)) }
                reply = try await process.answer(request)
            } else if let clinic = try await service.resting(open: PhoneProcess.open) {
                reply = await ClinicDesk(clinic).answer(request)
            } else {
                reply = try await service.exchange(request) { (_: ClinicReply) in nil }
            }
        } catch ServiceFailure.notRunning {
            // It ran when it was asked.
            throw CommandFailure(
                "the phone ended before it answered, so it may be done: look before you try again",
                exitStatus: .unreachable)
        } catch {
            throw CommandFailure(error)
        }
        guard case .problem(let sentence, let kind) = reply else { return reply }
        throw CommandFailure(sentence, exitStatus: kind == .missing ? .notFound : kind == .unfit ? .usage : .failure)
    }

    /// Asks for a change, and prints the answer.
    func change(_ request: ClinicRequest) async throws {
        guard case .done(let sentence) = try await ask(request) else { return }
        Output.standard.line(sentence)
    }
}

extension Side: ExpressibleByArgument {}
extension FaceView: ExpressibleByArgument {}
extension Purpose: ExpressibleByArgument {}

extension ImtProblem: ExitCoded {
    var exitStatus: ExitStatus { .failure }
}

/// A path for another process, which may stand elsewhere.
func absolute(_ path: String) -> String { URL(filePath: path).standardized.path }

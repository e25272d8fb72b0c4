import Appliances
import ArgumentParser
import Commands
import Foundation
import Peripherals
import Service
import TarsApp
import TarsModel
import TarsPhone
import Text

/// Where the phone and the watches of a home keep what they have.
struct StateOptions: ParsableArguments, CompanionFolders {
    @Option(
        help: ArgumentHelp(
            "The folder of the phone and of the watches; by default $XDG_STATE_HOME/tars.", valueName: "folder"))
    var state: String?

    var folder: String {
        StateHome.folder(of: "tars", chosen: state, environment: ProcessInfo.processInfo.environment)
    }

    /// The phone, as commands find it.
    var phone: ServiceFolder { PhoneProcess.service(folder: phoneFolder) }

    /// Asks the running phone.
    ///
    /// - Throws: ``CommandFailure`` with the phone's sentence if it cannot do it.
    func ask(_ request: HomeRequest) async throws -> HomeReply {
        let reply: HomeReply
        // A phone that was just started answers in a moment.
        for _ in 0..<30 where !phone.isRunning { try await Task.sleep(for: .milliseconds(100)) }
        let wasRunning = phone.isRunning
        do {
            reply = try await phone.exchange(request) { (_: HomeReply) in nil }
        } catch ServiceFailure.notRunning where wasRunning && request.isCommand {
            // It was asked, and ended before it answered: the thing may have moved.
            return .status(.unknown)
        } catch {
            throw CommandFailure(error)
        }
        if case .problem(let sentence) = reply { throw CommandFailure(sentence) }
        return reply
    }

    /// Asks the phone for a change, and prints what it says.
    func change(_ request: HomeRequest) async throws {
        guard case .done(let sentence) = try await ask(request) else { return }
        Output.standard.line(sentence)
    }
}

/// The folder that stands for the air.
struct AirOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The folder of the simulated short link, the same for all that are near.", valueName: "folder"))
    var air: String

    var place: Air { Air(folder: air) }
}

extension Serial: ExpressibleByArgument {
    /// Reads a serial number such as `0042A1`.
    public init?(argument: String) {
        guard let serial = try? Serial(short: argument) else { return nil }
        self = serial
    }
}

extension NameProblem: ExitCoded {
    var exitStatus: ExitStatus { .notFound }
}

extension HomeProblem: ExitCoded {
    var exitStatus: ExitStatus { .failure }
}

/// Reads a sentence of the model as a wrong use of a command.
func checked<Value>(_ body: () throws(ModelProblem) -> Value) throws -> Value {
    do {
        return try body()
    } catch {
        throw CommandFailure(error.description, exitStatus: .usage)
    }
}

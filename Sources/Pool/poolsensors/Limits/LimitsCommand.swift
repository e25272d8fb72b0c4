import ArgumentParser
import CommandSupport
import PoolControl
import PoolHub
import PoolModel

/// The limits of devices and pools.
struct LimitsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "limits", abstract: "The limits: show, set, clear, and presets by authority.",
        discussion: """
            A device has its own limits, else those of its pool, else the standard ones.
            Outside the normal range a value warns, outside the critical range it is
            critical; a value on a limit is inside it.

            Example:
              poolsensors limits show Lagoon
              poolsensors limits set ph 6.8 7.0 7.6 7.8 --device Lagoon
              poolsensors limits preset spa --pool Garden
            """,
        subcommands: [
            LimitsShowCommand.self, LimitsSetCommand.self, LimitsClearCommand.self, LimitsPresetsCommand.self,
            LimitsPresetCommand.self,
        ], defaultSubcommand: LimitsShowCommand.self)
}

/// The flags for the owner of the limits.
struct LimitsOwnerOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The device.", valueName: "device"))
    var device: String?

    @Option(help: ArgumentHelp("The pool, for those of its devices that have no other limits.", valueName: "pool"))
    var pool: String?

    /// Checks that there is exactly one owner.
    func checkOne() throws {
        if (device == nil) == (pool == nil) {
            throw ValidationError("say whose limits: --device NAME or --pool NAME")
        }
    }

    /// The owner in the hub's configuration.
    func owner(in state: HubState) throws -> LimitsReport {
        if let device {
            return LimitsReport(try state.device(named: device), in: state)
        }
        return LimitsReport(try state.pool(named: pool ?? ""), in: state)
    }
}

/// Shows limits.
struct LimitsShowCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Shows the limits in force, and where each comes from.",
        discussion: "Example:\n  poolsensors limits show Lagoon")

    @Argument(help: ArgumentHelp("The device or the pool; all if left out.", valueName: "device|pool"))
    var name: String?

    @OptionGroup var owner: LimitsOwnerOptions

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let state = try await context.state()
        let owners: [LimitsReport]
        if let name {
            guard owner.device == nil, owner.pool == nil else {
                throw ValidationError("give the name alone, or --device NAME or --pool NAME")
            }
            owners = try state.limitsReports(named: name)
        } else if owner.device != nil || owner.pool != nil {
            try owner.checkOne()
            owners = [try owner.owner(in: state)]
        } else {
            owners = state.pools.map { LimitsReport($0, in: state) } + state.devices.map { LimitsReport($0, in: state) }
        }
        if json.isOn { return try json.write(owners) }
        for line in LimitsList.lines(owners) { Output.standard.line(line) }
    }
}

extension HubState {
    /// The limits of what a person calls by a name: a pool, a device, or one of each.
    ///
    /// - Throws: ``CommandFailure`` if there is none.
    fileprivate func limitsReports(named name: String) throws(CommandFailure) -> [LimitsReport] {
        if pools.contains(where: { $0.name == name }) || devices.contains(where: { $0.name == name }) {
            return pools.filter { $0.name == name }.map { LimitsReport($0, in: self) }
                + devices.filter { $0.name == name }.map { LimitsReport($0, in: self) }
        }
        do throws(CommandFailure) {
            return [LimitsReport(try device(named: name), in: self)]
        } catch {
            // By the start of an identity; the error about devices says more where there is neither.
            guard let pool = try? pool(named: name) else { throw error }
            return [LimitsReport(pool, in: self)]
        }
    }
}

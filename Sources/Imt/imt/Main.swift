import ArgumentParser
import Commands
import WebCommands

/// The entry point of the program; it runs the command and reports how it ended.
@main
enum Main {
    static func main() async { await CommandRunner.main(Imt.self) }
}

/// The root of all commands.
struct Imt: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "imt",
        abstract: "Keeps photos of faces before and after, and shows them on the wrist.",
        discussion: """
            The phone keeps patients and photos: sealed files, names in clear in SQLite. Its
            page in a browser takes the photos; watches show the pairs.

            To see all of it, with generated faces:
              imt demo

            Exit codes: 0 success, 1 failure, 5 not found, 6 the phone cannot be reached,
            64 wrong use.
            """,
        groupedSubcommands: [
            CommandGroup(name: "Trial", subcommands: [DemoCommand.self, FaceCommand.self, BenchCommand.self]),
            CommandGroup(
                name: "Phone",
                subcommands: [
                    PhoneCommand.self, AccountCommand<StateOptions>.self, RightsCommand.self,
                    CertificateCommand<StateOptions>.self,
                ]),
            CommandGroup(
                name: "Patients",
                subcommands: [
                    ListCommand.self, AddCommand.self, TransformationCommand.self, ConsentCommand.self,
                    ImportCommand.self, ExportCommand.self, EraseCommand.self, AuditCommand.self, BackupCommand.self,
                    RestoreCommand.self,
                ]),
            CommandGroup(name: "Watch", subcommands: [PairCommand.self, WatchCommand.self, WatchesCommand.self]),
        ])
}

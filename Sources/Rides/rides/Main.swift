import ArgumentParser
import Commands

/// The entry point of the program; it runs the command and reports how it ended.
@main
enum Main {
    static func main() async { await CommandRunner.main(Rides.self) }
}

/// The root of all commands.
struct Rides: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rides",
        abstract: "Rides on PostgreSQL and PostGIS, from the wrist.",
        discussion: """
            The server keeps clients, drivers, rides and payments in PostgreSQL with PostGIS,
            offers rides to the nearest drivers, and serves a page and an API. A phone stands
            for one person; its watches show the person's rides and act for it.

            To see all of it with a private database:
              rides demo

            Exit codes: 0 success, 1 failure, 5 not found, 64 wrong use. `watch --do` ends
            with 0 when it was done, 1 when the phone is away, 2 when it was refused, 3 when
            its end is not known.
            """,
        groupedSubcommands: [
            CommandGroup(name: "Trial", subcommands: [DemoCommand.self, GPSCommand.self]),
            CommandGroup(
                name: "Server",
                subcommands: [ServerCommand.self, MigrateCommand.self, TokenCommand.self]),
            CommandGroup(name: "Person", subcommands: [PhoneCommand.self, WatchCommandLine.self, PairCommand.self]),
        ])
}

import ArgumentParser
import CommandSupport
import Foundation
import Platform
import PoolHub
import PoolModel

/// Creates the pictures of the documentation.
struct ScreenshotCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "screenshot",
        abstract: "Makes the pictures of the documentation: runs everything in separate terminals and draws them.",
        discussion: """
            A broker, a hub with three pools and a day of history, and watches run on
            this machine, each in its own terminal (tmux); what the terminals show
            is written as PNG. The water is the same each time, and the clocks show ten
            past ten. Nothing stays behind but the pictures.

            Example:
              synclab screenshot --output Docs/Images
            """)

    @Option(help: ArgumentHelp("The folder of the pictures.", valueName: "folder"))
    var output = "Docs/Images"

    func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        let program = try LocalTools.path(beside: "poolsensors")
        guard let mosquitto = LocalTools.path(of: "mosquitto", environment: environment),
            let tmux = LocalTools.path(of: "tmux", environment: environment)
        else { throw CommandFailure("mosquitto and tmux are needed: install them (apt-get install mosquitto tmux)") }
        let folder = try ScratchFolder.make(prefix: "synclab", environment: environment)
        defer { ScratchFolder.remove(folder, program: "synclab") }
        let ports = try LocalTools.freePorts(3)
        let demo = DemoPlan(
            folder: folder, rate: 1, seed: 1, duration: nil, brokerPort: ports[0], hubPort: ports[1],
            pagePort: ports[2])
        // When this process ends, for any reason, all of them end.
        try ProcessGroupLock.hold(path: demo.lifeline)
        let variables = Self.variables(environment)
        let stage = ScreenshotStage(
            plan: ScreenshotPlan(demo: demo), mosquitto: mosquitto,
            launcher: DemoLauncher(plan: demo, program: program, environment: variables),
            terminals: ScreenshotTerminals(
                tmux: tmux, program: program, socket: "\(folder)/tmux", environment: variables))
        do {
            try await stage.set()
            try await draw(stage)
        } catch {
            await stage.terminals.close()
            throw error
        }
        await stage.terminals.close()
    }

    private func draw(_ stage: ScreenshotStage) async throws {
        let screens = try await stage.screens()
        do {
            try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
            for picture in stage.plan.pictures {
                let path = "\(output)/\(picture.file)"
                let bytes = PortableGraphic.bytes(of: picture.drawn(screens))
                try Data(bytes).write(to: URL(filePath: path), options: .atomic)
                Output.standard.line("\(path): \(bytes.count) bytes")
            }
        } catch {
            throw CommandFailure("cannot write to \(output): \(SystemErrorText.of(error))")
        }
    }

    /// The variables of the programs: all colours, and a time zone in which it is ten past ten.
    private static func variables(_ environment: Environment) -> Environment {
        var variables = LocalTools.childEnvironment(environment, of: .poolsensors)
        for name in ["TMUX", "TMUX_PANE", "NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE"] { variables[name] = nil }
        variables["TERM"] = "tmux-256color"
        variables["COLORTERM"] = "truecolor"
        let minutesOfDay = Int(Timestamp.now.milliseconds / 60_000 % 1440)
        let ahead = ((10 * 60 + 9 - minutesOfDay) % 1440 + 1440) % 1440
        // Time zones are at most half a day from UTC.
        let offset = ahead > 720 ? ahead - 1440 : ahead
        let digits = [offset.magnitude / 60, offset.magnitude % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined()
        variables["TZ"] = "GMT\(offset < 0 ? "-" : "+")\(digits)"
        return variables
    }
}

extension ScreenshotPicture {
    /// The margin around terminals that are side by side, in pixels.
    private static let margin = 9

    /// Draws the picture from the screens of the terminals.
    func drawn(_ screens: [String: StyledScreen]) -> Picture {
        let pieces = places.compactMap { place in
            screens[place.terminal].map { (place: place, picture: $0.painted()) }
        }
        let margin = places.count > 1 ? Self.margin : 0
        let ends = pieces.map { piece in
            (
                x: piece.place.column * CellPainter.width + piece.picture.width,
                y: piece.place.row * CellPainter.height + piece.picture.height
            )
        }
        var picture = Picture(
            width: (ends.map(\.x).max() ?? 1) + 2 * margin, height: (ends.map(\.y).max() ?? 1) + 2 * margin,
            color: RGB(hex: 0x05080D))
        for piece in pieces {
            picture.place(
                piece.picture, x: margin + piece.place.column * CellPainter.width,
                y: margin + piece.place.row * CellPainter.height)
        }
        return picture
    }
}

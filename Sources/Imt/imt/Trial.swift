import ArgumentParser
import Commands
import Foundation
import ImtModel
import ImtPhone
import ImtWatch
import Platform
import Terminal
import Text

/// Writes a generated face.
struct FaceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "face", abstract: "Writes a generated face as a JPEG: of no person, for trials.")

    @Argument(help: "The file.") var file: String
    @Option(help: ArgumentHelp("Which face.", valueName: "number")) var seed: UInt64 = 1
    @Option(help: ArgumentHelp("How far its change has gone, in percent.", valueName: "percent")) var progress = 0
    @Option(help: ArgumentHelp("Its columns.", valueName: "points")) var width = 900

    func run() async throws {
        guard (16...4000).contains(width) else { throw ValidationError("--width is \(width): give 16 to 4000") }
        let face = GeneratedFace(seed: seed, progress: Double(progress.clamped(to: 0...100)) / 100)
        let bytes = try face.jpeg(PictureSize(width: width, height: width * 5 / 4))
        do {
            try Data(bytes).write(to: URL(filePath: file))
        } catch {
            throw CommandFailure("cannot write \(file): \(SystemErrorText.of(error))")
        }
        Output.standard.line("wrote \(file)")
    }
}

/// Measures the list of the phone, and the face of a watch.
struct BenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Fills a store in a scratch folder, and measures pages, searches and a watch's pictures.")

    @Option(help: ArgumentHelp("How many patients.", valueName: "count")) var patients = 100_000
    @Option(help: ArgumentHelp("How many photo rows for each, in pairs.", valueName: "count")) var photos = 10

    func run() async throws {
        let folder = try ScratchFolder.make(prefix: "imt-bench", environment: ProcessInfo.processInfo.environment)
        defer { ScratchFolder.remove(folder, program: "imt") }
        let clinic = try PhoneProcess.open("\(folder)/phone")
        let seconds = try await measured { try await clinic.fill(patients: patients, photosEach: photos) }
        Output.standard.line(
            "filled with \(patients) patients and \(patients * photos) photo rows in \(Int(seconds)) s")
        let pages = try await clinic.list().pageCount
        var all: [Double] = []
        for index in 0..<100 {
            all.append(try await measured { _ = try await clinic.list(pages * index / 100) } * 1000)
        }
        var found: [Double] = []
        for text in ["m", "ma", "mar", "marie 77", "z", "P123", "o'b"] {
            found.append(try await measured { _ = try await clinic.list(find: text) } * 1000)
        }
        for (what, times) in [("a page", all), ("a search", found), ("a picture on a watch", fade())] {
            let sorted = times.sorted()
            let middle = sorted[sorted.count / 2]
            Output.standard.line(
                "\(what): \(NumberFormat.fixed(middle, decimals: 1)) ms, at most \(NumberFormat.fixed(sorted.last ?? 0, decimals: 1)) ms"
            )
        }
    }

    /// The milliseconds of each step of a cross-fade at 40 × 25 cells, from the photos to the bytes for the terminal.
    private func fade() -> [Double] {
        let (before, after) = (GeneratedFace(seed: 1, progress: 0), GeneratedFace(seed: 1, progress: 1))
        var shown = Wrist.Shown()
        shown.pair = Wrist.Pair(
            transformation: Transformation.ID(high: 0, low: 1), view: .front, before: before.raster(CompareFrame.size),
            after: after.raster(CompareFrame.size), days: [nil, nil], isAligned: true)
        let look = ResolvedTheme(theme: Theme(), capabilities: Capabilities(depth: .truecolor))
        var face = WristFace(look: look, idleSeconds: .max, seconds: { 0 }, shown: { shown }, act: { _ in })
        var renderer = Renderer(depth: .truecolor)
        let view = TerminalView(size: Size(columns: 40, rows: 25))
        return (0...100).map { _ in
            let start = ContinuousClock.now
            _ = renderer.frame(face.draw(in: view))
            let time = (ContinuousClock.now - start) / .milliseconds(1)
            _ = face.handle(.key(.right), in: view)
            return time
        }
    }

    private func measured(_ work: () async throws -> Void) async throws -> Double {
        let start = ContinuousClock.now
        try await work()
        return (ContinuousClock.now - start) / .seconds(1)
    }
}

/// A phone with its page and two watches on this machine.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo", abstract: "Runs a phone and two watches with generated faces, and shows what they do.",
        discussion: """
            It prints the address of the phone's page, where you can log in as Demo with the
            printed password while it runs. The summary comes from the phone's log.
            """)

    @OptionGroup var options: DemoOptions

    func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        let length = options.length
        try await options.run("imt", environment) { folder in
            let tour = DemoTour(folder: folder, environment: environment)
            return (tour.stage, { try await tour.run(length) })
        }
    }
}

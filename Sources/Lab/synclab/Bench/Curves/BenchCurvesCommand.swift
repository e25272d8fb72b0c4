import ArgumentParser
import CommandSupport
import Foundation

/// Measures how costs follow sizes.
struct BenchCurvesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "curves",
        abstract: "Measures how costs follow sizes, and draws them.",
        discussion: """
            Each subject is measured at growing sizes: \(subjects.map { $0.name }.joined(separator: ", ")).
            Costs are counted for one watch, one change or one row, so that a line is flat
            where they do not depend on the size. It bends at the first size at which it is
            more than twice its least value before.

            Examples:
              synclab bench curves --largest 1000
              synclab bench curves --only cells --out Docs/Images
            """)

    private static let subjects: [any CurveSubject.Type] = [
        WatchesCurve.self, DevicesCurve.self, CellsCurve.self, HistoryCurve.self,
    ]

    @Option(help: ArgumentHelp("Only this subject.", valueName: "name"))
    var only: String?

    @Option(help: ArgumentHelp("The largest size.", valueName: "count"))
    var largest = 10_000_000

    @Option(help: ArgumentHelp("The folder for the pictures, curve-NAME.svg.", valueName: "folder"))
    var out: String?

    @OptionGroup
    var options: BenchOptions

    private func chosen() throws -> [any CurveSubject.Type] {
        guard let only else { return Self.subjects }
        guard let subject = Self.subjects.first(where: { $0.name == only }) else {
            let known = Self.subjects.map { $0.name }.joined(separator: ", ")
            throw ValidationError("there is no subject \"\(only)\", only: \(known)")
        }
        return [subject]
    }

    func validate() throws { _ = try chosen() }

    func run() async throws {
        let (subjects, largest, out) = (try chosen(), largest, out)
        try await options.run { bench, output in
            for subject in subjects {
                // With small sizes it is seen to work.
                let sizes = subject.sizes.filter { $0 <= largest }.prefix(bench.isQuick ? 2 : .max)
                var curve = Curve(name: subject.name, size: subject.size)
                for size in sizes { curve.add(try await subject.init().measure(size, bench), at: size) }
                try output.print(curve)
                guard let out else { continue }
                let path = "\(out)/curve-\(curve.name).svg"
                do {
                    try CurveDrawing(curve).svg.write(toFile: path, atomically: true, encoding: .utf8)
                } catch {
                    throw CommandFailure("cannot write \(path): \(SystemErrorText.of(error))")
                }
            }
        }
    }
}

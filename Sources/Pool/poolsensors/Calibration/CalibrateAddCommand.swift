import ArgumentParser
import CommandSupport
import Platform
import PoolControl
import PoolHub
import PoolModel
import WaterChemistry

/// Calibrates with numbers.
struct CalibrateAddCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Calibrates a probe with comparisons, or with slope and offset.",
        discussion: """
            A comparison is MEASURED:REFERENCE, with the uncorrected value. One comparison
            gives the offset (for chlorine the slope, unless you give --method zeroPoint),
            two give the line through both, three to 16 the line of best fit.

            Example:
              poolsensors calibrate add Lagoon ph --point 6.8:7.0 --point 9.7:10.0
              poolsensors calibrate add Lagoon temperature --offset -0.4 \\
                --valid-from 2026-06-01T12:00:00Z
            """)

    @Argument(help: ArgumentHelp("The device.", valueName: "device"))
    var device: String

    @Argument(help: ArgumentHelp("What is calibrated.", valueName: "quantity"), transform: QuantityWord.quantity)
    var quantity: Quantity

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("A comparison; repeatable.", valueName: "measured:reference"))
    var point: [String] = []

    @Option(
        parsing: .unconditional, help: ArgumentHelp("The slope; 1 with --offset alone.", valueName: "number"),
        transform: DecimalText.flag)
    var slope: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The offset, in the quantity's unit; 0 with --slope alone.", valueName: "number"),
        transform: DecimalText.flag)
    var offset: Double?

    @Option(help: ArgumentHelp("zeroPoint, twoPoint, regression or scale.", valueName: "method"))
    var method: String?

    @Option(help: ArgumentHelp("From which time of sampling on; now by default.", valueName: "time"))
    var validFrom: String?

    @OptionGroup var author: AuthorOptions

    @Flag(help: "Accept a pH electrode outside 85…105 % of the ideal slope.")
    var force = false

    @Flag(help: "Let a full series lose its oldest calibration.")
    var dropOldest = false

    @Flag(help: "Compute and show it, and change nothing.")
    var dryRun = false

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func validate() throws {
        let isManual = slope != nil || offset != nil
        if point.isEmpty != isManual {
            throw ValidationError("give comparisons with --point, or numbers with --slope and --offset")
        }
        _ = try points()
        _ = try chosenMethod()
        _ = try CalibrationTime.moment(validFrom)
    }

    func run(in context: CommandContext) async throws {
        let found = try await context.state().device(named: device)
        let now = Timestamp.now
        let result = try result(from: try CalibrationTime.moment(validFrom) ?? now, now: now)
        let preview = CalibrationChange(
            result, of: quantity, device: found.name, raw: found.rawReadings?[quantity]?.value,
            corrected: found.readings?.values[quantity]?.value)
        if !json.isOn {
            for line in preview.lines { Output.standard.line(line) }
            if result.calibration.validFrom > now {
                Output.standard.line(
                    "It begins at \(MomentText.of(result.calibration.validFrom)); nothing changes before.")
            }
        }
        if dryRun {
            return json.isOn ? try json.write(preview) : Output.standard.line("nothing was changed")
        }
        let request = HubRequest.edit(
            .addCalibration(
                found.id, quantity, result.calibration, isForced: force, dropsOldest: dropOldest))
        guard json.isOn else { return try await context.change(request) }
        _ = try await context.ask(request)
        try json.write(preview)
    }

    private func result(from start: Timestamp, now: Timestamp) throws -> CalibrationResult {
        do {
            if point.isEmpty {
                return try Calibration.entered(
                    slope: slope ?? 1, offset: offset ?? 0, for: quantity, validFrom: start, madeAt: now,
                    author: author.name, isForced: force)
            }
            return try Calibration.computed(
                try chosenMethod(), from: try points(), for: quantity, validFrom: start, madeAt: now,
                author: author.name, isForced: force)
        } catch let error as CalibrationError {
            let way = error.isForcible ? " Force it with --force." : ""
            throw CommandFailure("\(error)\(way)")
        }
    }

    private func chosenMethod() throws -> Calibration.Method {
        guard let method else { return .usual(for: quantity, pointCount: point.count) }
        let word = method.lowercased()
        guard let known = Calibration.Method.allCases.first(where: { $0.rawValue.lowercased() == word }) else {
            let names = quantity.facts.calibrationMethods.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("--method is \"\(method)\", expected one of: \(names)")
        }
        return known
    }

    private func points() throws -> [Calibration.Point] {
        try point.map { text in
            let parts = text.split(separator: ":", omittingEmptySubsequences: false)
                .map { DecimalText.number($0.replacing(",", with: ".").filter { !$0.isWhitespace }) }
            guard parts.count == 2, let measured = parts[0], let reference = parts[1] else {
                throw ValidationError("--point is \"\(text)\", expected MEASURED:REFERENCE such as 6.8:7.0")
            }
            return Calibration.Point(
                measured: quantity.typedValue(measured), reference: quantity.typedValue(reference))
        }
    }
}

/// Times as people write them in a command.
enum CalibrationTime {
    /// The moment of a text; nil for none.
    static func moment(_ text: String?) throws -> Timestamp? {
        try text.map { text in
            guard let moment = MomentText.moment(text) else {
                throw ValidationError("--valid-from is \"\(text)\", expected \(MomentText.expected)")
            }
            return moment
        }
    }
}

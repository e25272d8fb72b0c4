import ArgumentParser
import CommandSupport
import Platform
import PoolControl
import PoolHub
import PoolModel

/// Forecasts what a device measures.
struct ForecastCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "forecast", abstract: "Forecasts a device's values, where its own past allows it.",
        discussion: """
            pH and chlorine: when they leave their range if nothing is added, by their
            drift since the last dose. Temperature: in six hours. Others: never. A forecast
            is printed only if the same method was closer than assuming no change on this
            device's last 30 days, with how much closer; --json has the numbers. The band
            holds 80 of 100 past forecasts. See Docs/guide/chemistry.md.

            Example:
              poolsensors forecast Lagoon
            """)

    @Argument(
        help: ArgumentHelp(
            "The device, by name or start of its id; the selected or the only one.", valueName: "device"))
    var device: String?

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let names = try await context.names()
        let id: DeviceID
        if let device { id = try names.device(named: device).id } else { id = try names.soleDevice().id }
        let (name, forecasts) = try await context.ask(.forecast(id))
        if json.isOn { return try json.write(ForecastReport(device: name, forecasts: forecasts)) }
        for line in ForecastText.lines(forecasts, of: name, at: .now) { Output.standard.line(line) }
    }
}

/// Forecasts as text for people.
enum ForecastText {
    static func lines(_ forecasts: [Forecast], of device: String, at now: Timestamp) -> [String] {
        guard !forecasts.isEmpty else { return ["There is no value of \(PlainText.oneLine(device)) yet."] }
        return [PlainText.oneLine(device)]
            + forecasts.map { "\($0.quantity.name): \(text($0, at: now))" }
    }

    private static func text(_ forecast: Forecast, at now: Timestamp) -> String {
        let quantity = forecast.quantity
        let score = forecast.score.map { " (\($0))" } ?? ""
        switch forecast.result {
        case .refused(let refusal): return "\(refusal)"
        case .value(let value):
            let band = "\(quantity.text(value.least)) to \(quantity.text(value.greatest))"
            return "\(quantity.textWithUnit(value.value)) in \(hours(value.at, now)), \(band), as yesterday\(score)"
        case .leaving(let exit):
            return leaving(exit, at: now) + " if nothing is added since \(MomentText.of(exit.since))\(score)"
        }
    }

    private static func leaving(_ exit: RangeExit, at now: Timestamp) -> String {
        let side = exit.deviation == .low ? "falls below" : "rises above"
        guard let moment = exit.at else {
            let early = exit.earliest.map { ", at the earliest in \(hours($0, now))" } ?? ""
            return "stays in its range for \(hours(exit.reach, now))\(early)"
        }
        let earliest = exit.earliest.map { hours($0, now) } ?? "now"
        let latest = exit.latest.map { hours($0, now) } ?? "more than \(hours(exit.reach, now))"
        return "\(side) its range in \(hours(moment, now)), \(earliest) to \(latest)"
    }

    /// The time until a moment, in hours.
    private static func hours(_ moment: Timestamp, _ now: Timestamp) -> String {
        let hours = Double(max(0, moment.milliseconds(since: now))) / 3_600_000
        return "\(NumberFormat.fixed(hours, decimals: hours < 3 ? 1 : 0)) h"
    }
}

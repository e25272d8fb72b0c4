import Foundation
import Measurements
import TestSupport
import Testing
import WatchConnectivity
import WatchConnectivityTesting

/// The measurements that a person with an iPhone and a watch makes, made on a pair: what this module does, in the form in
/// which results come back.
///
/// With `MEASUREMENTS_RECORD=1` the committed results are written anew.
@Suite struct MeasurementTests {
    /// What this module does where Apple's documentation says nothing.
    private static let findings: [Int: String] = [
        15: "called again",
        24: "7016",
        54: "1",
        62: "7012 after 10.0 s",
        65: "1",
        79: "in the property, 1 calls",
        81: "1 of 2 delivered",
        86: "1, 2, 3, 4",
        98: "does not arrive, not told of",
        106: "waits for it",
        113: "0 left, not current, finishes with no error",
        115: "between 23:00 and 00:00",
        124: "source.bin",
        128: "two words.bin",
        131: "does not arrive, not told of",
        140: "context, userInfo, userInfo, file",
        148: "zeros: 65536 accepted and 65537 refused, random: 65536 accepted and 65537 refused",
    ]

    private static let folder = Repository.url("Fixtures/measurements")

    /// Makes measurements, each on a pair of its own.
    private func results(
        of measurements: [RuleMeasurement] = RuleMeasurement.all
    ) throws -> (phone: URL, watch: URL, folder: TemporaryFolder) {
        let folder = try TemporaryFolder()
        let files = [
            RuleMeasurement.Side.phone: URL(filePath: folder.path("phone.json")),
            .watch: URL(filePath: folder.path("watch.json")),
        ]
        for measurement in measurements {
            let person = try Person(files, watchCount: measurement.steps.contains(.person(.switchWatch)) ? 2 : 1)
            for step in measurement.steps { person.perform(step, rule: measurement.rule) }
        }
        return (URL(filePath: folder.path("phone.json")), URL(filePath: folder.path("watch.json")), folder)
    }

    @Test func `the results of this module are the committed ones, and are what the schema says`() throws {
        let (phone, watch, folder) = try results()
        let schema = try JSONSchema(Self.folder.appending(path: "results.schema.json"))
        for file in [phone, watch] {
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(try schema.faults(of: text) == [])
            let committed = Self.folder.appending(path: "linux-\(file.lastPathComponent)")
            if ProcessInfo.processInfo.environment["MEASUREMENTS_RECORD"] != nil {
                try Data(text.utf8).write(to: committed)
            }
            #expect(try String(contentsOf: committed, encoding: .utf8) == text)
        }
        withExtendedLifetime(folder) {}
    }

    @Test(arguments: RuleMeasurement.all.map(\.rule))
    func `each measurement has the answer that this module gives`(rule: Int) throws {
        let (phone, watch, folder) = try results(of: RuleMeasurement.all.filter { $0.rule == rule })
        let answers = Answer.all(phone: try Results(contentsOf: phone), watch: try Results(contentsOf: watch))
        #expect(answers.first { $0.rule == rule }?.finding == Self.findings[rule])
        #expect(answers.count { $0.finding != nil } == 1)
        withExtendedLifetime(folder) {}
    }

    @Test func `a measurement that was not made has no answer`() {
        let nothing = [RuleMeasurement.Side.phone, .watch].map { Results(side: $0, system: "", secondsFromUTC: 0) }
        #expect(Answer.all(phone: nothing[0], watch: nothing[1]).allSatisfy { $0.finding == nil })
    }

    @Test func `the sheet names each measurement`() throws {
        let sheet = try String(contentsOf: Repository.url("Docs/watchconnectivity/measurements.md"), encoding: .utf8)
        for measurement in RuleMeasurement.all {
            #expect(sheet.contains("| R\(measurement.rule) | \(measurement.question) |"), "R\(measurement.rule)")
        }
    }
}

/// Does on a pair what the person does with the devices.
private final class Person {
    private let pair: TestPair
    private let files: [RuleMeasurement.Side: URL]
    /// The app of each device, while its process runs.
    private let apps = Recorder<(side: RuleMeasurement.Side, app: MeasurementApp)>()

    init(_ files: [RuleMeasurement.Side: URL], watchCount: Int) throws {
        pair = try TestPair(watches: watchCount)
        self.files = files
        for side in [RuleMeasurement.Side.phone, .watch] {
            guard let file = files[side] else { continue }
            device(side).onLaunch = { [apps, weak pair] session, _ in
                apps.record(
                    (
                        side,
                        MeasurementApp(
                            side: side, system: "PoolSensors on Linux", file: file, session: session, secondsFromUTC: 0,
                            now: { pair?.date ?? Date() })
                    ))
            }
            device(side).relaunch()
        }
        pair.settle()
    }

    private func device(_ side: RuleMeasurement.Side) -> TestDevice {
        switch side {
        case .phone: pair.phoneDevice
        case .watch: pair.watchDevice
        }
    }

    func perform(_ step: RuleMeasurement.Step, rule: Int) {
        switch step {
        case .tap(let side, let action):
            // The app of the process that runs now is the last one.
            apps.items.last { $0.side == side }?.app.tap(action, rule: rule)
        case .person(let action): perform(action)
        }
        pair.settle()
    }

    private func perform(_ action: RuleMeasurement.PersonAction) {
        switch action {
        case .end(let side): device(side).app = .notRunning
        case .open(let side): device(side).app = .foreground
        case .sleep: pair.watchDevice.app = .suspended
        case .switchWatch: pair.switchWatch(to: 1)
        case .separate: pair.link.cut()
        case .join: pair.link.heal()
        case .removeComplication: pair.watchDevice.isComplicationEnabled = false
        case .addComplication: pair.watchDevice.isComplicationEnabled = true
        case .wait(let seconds): pair.advance(by: .seconds(seconds))
        }
    }
}

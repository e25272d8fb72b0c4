import CommandSupport
import Primitives
import SyncSimulation

/// Formats a survey as text and as JSON.
struct SurveyFormatter {
    let survey: SimulationSurvey
    /// The time that it took, in seconds.
    let seconds: Double
    /// The files in which failed schedules are kept, by seed.
    var keptFiles: [UInt64: String] = [:]

    /// The number of runs from which on every kind of situation should have occurred.
    static let seedCountOfVacuity = 1000

    /// Whether there were enough runs, and a situation occurred in none of them.
    var isVacuous: Bool { survey.seedCount >= Self.seedCountOfVacuity && !survey.missed.isEmpty }

    /// Whether there is no failure, and enough was tried.
    var isGood: Bool { survey.failureCount == 0 && !isVacuous && survey.seedCount > 0 }

    /// The lines for people.
    var lines: [String] {
        var lines = [
            "schedules  \(survey.seedCount), of which \(survey.failureCount) broke a rule",
            "steps      \(survey.stepCount), \(perSecond(survey.stepCount)) a second; "
                + "\(perSecond(survey.seedCount)) schedules a second, \(tenths(seconds)) s in all",
        ]
        lines.append("hash       \(Hexadecimal.text(survey.traceHash)) over all runs: the same engine gives the same")
        if let (duration, seed) = survey.slowestRecovery {
            lines.append("recovery   the slowest took \(tenths(duration.seconds)) s, at seed \(seed)")
        }
        lines += ["", "What came up:"] + occasionLines
        if !survey.missed.isEmpty {
            let names = survey.missed.map { "\($0)" }.joined(separator: ", ")
            let judgement =
                isVacuous
                ? "so the survey says nothing about it" : "too few schedules to wonder"
            lines += ["", "Never came up, \(judgement): \(names)"]
        }
        if !survey.failures.isEmpty { lines += ["", "Broken:"] }
        for failure in survey.failures {
            lines.append("  seed \(failure.seed): \(failure.violation.map(\.description) ?? "")")
            let again = keptFiles[failure.seed].map { "replay \($0)" } ?? failure.reproduction
            lines.append("    again with: synclab \(again)")
        }
        if survey.failureCount > survey.failures.count {
            lines.append("  and \(survey.failureCount - survey.failures.count) more")
        }
        return lines
    }

    private var occasionLines: [String] {
        var table = TextTable("  OCCASION", "TIMES")
        for occasion in CoverageMark.allCases {
            table.add("  \(occasion)", "\(survey.occasions[occasion])")
        }
        return table.lines
    }

    /// One JSON object.
    var json: String {
        get throws { try JSONText.line(Summary(self)) }
    }

    private struct Summary: Encodable {
        struct Failure: Encodable {
            var seed: UInt64
            var rule: String
            var text: String
            var file: String?
        }

        struct SeedHash: Encodable {
            var seed: UInt64
            var hash: String
        }

        var schedules: Int
        var steps: Int
        var hash: String
        var hashes: [SeedHash]
        var milliseconds: Int
        var failures: Int
        var occasions: [String: Int]
        var missed: [String]
        var isVacuous: Bool
        var broken: [Failure]
        var slowestRecoveryMilliseconds: Int?
        var slowestRecoverySeed: UInt64?

        init(_ words: SurveyFormatter) {
            let survey = words.survey
            schedules = survey.seedCount
            steps = survey.stepCount
            hash = Hexadecimal.text(survey.traceHash)
            hashes = survey.traceHashes.map { SeedHash(seed: $0.seed, hash: Hexadecimal.text($0.hash)) }
            milliseconds = Int(words.seconds * 1000)
            failures = survey.failureCount
            occasions = Dictionary(
                CoverageMark.allCases.map { ("\($0)", survey.occasions[$0]) }, uniquingKeysWith: { $1 })
            missed = survey.missed.map { "\($0)" }
            isVacuous = words.isVacuous
            broken = survey.failures.map { failure in
                Failure(
                    seed: failure.seed, rule: failure.violation?.rule.rawValue ?? "",
                    text: failure.violation?.description ?? "", file: words.keptFiles[failure.seed])
            }
            slowestRecoveryMilliseconds = survey.slowestRecovery.map { Int($0.duration.seconds * 1000) }
            slowestRecoverySeed = survey.slowestRecovery?.seed
        }
    }

    private func perSecond(_ count: Int) -> Int { seconds > 0 ? Int(Double(count) / seconds) : 0 }

    private func tenths(_ number: Double) -> String { "\((number * 10).rounded() / 10)" }
}

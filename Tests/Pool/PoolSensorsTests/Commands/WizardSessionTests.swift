import CommandSupport
import Platform
import PoolModel
import Testing
import WaterChemistry

@testable import poolsensors

@Suite struct WizardSessionTests {
    private func run(
        _ answers: [String], language: TextLanguage = .english, raw: LatestValue? = nil
    ) async throws -> (result: CalibrationResult?, text: String) {
        let written = Lock("")
        let (lines, source) = AsyncStream<String>.makeStream()
        for answer in answers { source.yield(answer) }
        source.finish()
        let wizard = CalibrationWizard(quantity: .ph, language: language, author: "A")
        let session = WizardSession(
            wizard, writes: { text in written.withLock { $0 += text } }, isTerminal: false)
        let result = try await session.run(answers: lines) { raw }
        return (result, written.withLock(\.self))
    }

    @Test func `two comparisons that are typed give a calibration, with its verdicts before it is accepted`()
        async throws
    {
        let (result, text) = try await run(["1", "25", "7.0", "6.8", "10.0", "9.7", "yes"])

        #expect(result?.calibration.method == .twoPoint)
        #expect(text.contains("Which method? (1)"))
        #expect(text.contains("The electrode has 96.7 % of the ideal slope: good."))
        #expect(text.contains("Accept it?"))
    }

    @Test func `it speaks French`() async throws {
        let (result, text) = try await run(["2", "25", "7,0", "6,9", "oui"], language: .french)

        #expect(result?.calibration.method == .zeroPoint)
        #expect(text.contains("Quelle méthode ?"))
    }

    @Test func `a refused answer is told why and asked again; cancel changes nothing`() async throws {
        let (result, text) = try await run(["9", "1", "25", "seven", "cancel"])

        #expect(result == nil)
        #expect(text.contains("! Type a number from 1 to"))
        #expect(text.contains("Nothing was changed."))
    }

    @Test func `answers that end too early change nothing`() async throws {
        let failure = await #expect(throws: CommandFailure.self) { _ = try await run(["1", "25"]) }

        #expect(failure?.description.contains("nothing was changed") == true)
    }

    @Test(arguments: [("fr_CA.UTF-8", TextLanguage.french), ("en_GB", .english), ("de_DE", .english), ("", .english)])
    func `the language is that of the process`(code: String, language: TextLanguage) {
        #expect(TextLanguage(environment: ["LANG": code]) == language)
    }
}

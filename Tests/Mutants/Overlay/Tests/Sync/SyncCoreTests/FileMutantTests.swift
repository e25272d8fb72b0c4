import TestSupport
import Testing

@testable import SyncCore

/// File transfers under random faults, with faults of design planted.
@Suite(.longWork) struct FileMutantTests {
    @Test(
        arguments: [
            .fileDoneBeforeVerified,
            .fileDoneBeforeDurable,
            .fileResumesAtWritten,
            .fileForgetsFinished,
            .fileTakesAnyOffset,
            .fileMixesMetadata,
            .fileForgottenWhenSent,
            .fileAcceptedBeforeDurable,
            .fileIgnoresCredit,
            .fileRemovedBeforeConsumed,
        ] as [Mutant])
    func `a fault of design is found`(mutant: Mutant) throws {
        for seed in 0..<200 as Range<UInt64> {
            let violations = Mutant.plant([mutant]) {
                var storm = FileStorm(seed: seed)
                storm.run()
                return storm.violations
            }
            guard let violation = violations.first else { continue }
            return try Caught.note(mutant.rawValue, by: "FileMutantTests, seed \(seed), \(violation)")
        }
        Issue.record("200 runs did not find \(mutant)")
    }
}

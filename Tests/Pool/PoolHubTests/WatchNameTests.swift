import PoolModel
import Testing

@testable import SyncCore

/// The names that foreign watches give themselves.
@Suite struct WatchNameTests {
    @Test func `the engine refuses the same characters in names of watches as everything else does in names`() {
        for value in UInt32(0)...0x2_FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let name = String(Character(scalar))
            let found = ControlCharacter.find(in: name).map(ControlCharacter.name)
            guard found != WatchNameRule.flaw(of: name) else { continue }
            Issue.record("U+\(String(value, radix: 16)) is judged in two ways")
        }
    }
}

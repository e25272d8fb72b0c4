import Foundation
import ProgramFixture
import Testing

/// A build of the program: the tested one, or an earlier one with which it must be compatible.
///
/// `POOLSENSORS_BEFORE` in the environment is the folder of the earlier build. Without it the present build takes its
/// role, so that the tests of two builds always run.
enum Build: CustomTestStringConvertible {
    case present
    case before

    private static let folderOfBefore = ProcessInfo.processInfo.environment["POOLSENSORS_BEFORE"]

    /// The path of its program.
    var program: String {
        guard self == .before, let folder = Self.folderOfBefore else { return Program.path }
        return URL(filePath: folder).appending(path: "poolsensors").path
    }

    var testDescription: String { self == .before ? "before" : "present" }

    /// The builds of a hub and of its watch; one pair for each different combination.
    struct Pair: CustomTestStringConvertible {
        let hub: Build
        let watch: Build

        static let all =
            folderOfBefore == nil
            ? [Pair(hub: .present, watch: .present)]
            : [Pair(hub: .before, watch: .present), Pair(hub: .present, watch: .before)]

        var testDescription: String { "hub \(hub.testDescription), watch \(watch.testDescription)" }
    }
}

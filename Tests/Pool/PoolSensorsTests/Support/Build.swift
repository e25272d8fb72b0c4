import Foundation
import ProgramFixture
import Testing

/// A build of the program: the one that is tested, or an earlier one that it has to get along with.
///
/// `POOLSENSORS_BEFORE` in the environment names the folder of the earlier one. Without it the present build takes its
/// place, so that the tests of two builds always run.
enum Build: CustomTestStringConvertible {
    case present
    case before

    private static let folderOfBefore = ProcessInfo.processInfo.environment["POOLSENSORS_BEFORE"]

    /// Where its program is.
    var program: String {
        guard self == .before, let folder = Self.folderOfBefore else { return Program.path }
        return URL(filePath: folder).appending(path: "poolsensors").path
    }

    var testDescription: String { self == .before ? "before" : "present" }

    /// The builds of a hub and of its watch, each pair that can be seen apart.
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

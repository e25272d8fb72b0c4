import Foundation
import Testing

/// A build of the phone and the watch of these tests: the one that is tested, or an earlier one that it has to get along
/// with.
///
/// `POOLSENSORS_BEFORE` in the environment names the folder of the earlier one. Without it the present build takes its
/// place, so that the tests of two builds always run.
enum AppBuild: CustomTestStringConvertible {
    case present
    case before

    private static let folderOfBefore = ProcessInfo.processInfo.environment["POOLSENSORS_BEFORE"]

    /// Where its program is; the present one is beside the test's own executable.
    var program: URL {
        let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let present = URL(filePath: own).deletingLastPathComponent()
        let folder = self == .before ? Self.folderOfBefore.map { URL(filePath: $0) } ?? present : present
        return folder.appending(path: "SessionProcess")
    }

    var testDescription: String { self == .before ? "before" : "present" }

    /// The builds of a phone and of its watch, each pair that can be seen apart.
    struct Pair: CustomTestStringConvertible {
        let phone: AppBuild
        let watch: AppBuild

        static let all =
            folderOfBefore == nil
            ? [Pair(phone: .present, watch: .present)]
            : [Pair(phone: .before, watch: .present), Pair(phone: .present, watch: .before)]

        var testDescription: String { "phone \(phone.testDescription), watch \(watch.testDescription)" }
    }
}

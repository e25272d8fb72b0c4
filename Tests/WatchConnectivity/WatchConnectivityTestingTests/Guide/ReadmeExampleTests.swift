import Foundation
import TestSupport
import Testing
import WatchConnectivity
import WatchConnectivityTesting

/// The README shows what is run here.
@Suite struct ReadmeExampleTests {
    @Test func `the README's example does what it says`() throws {
        let (phoneDelegate, watchDelegate) = (RecordingDelegate(), RecordingDelegate())
        // example
        let pair = try TestPair.activated(phone: phoneDelegate, watch: watchDelegate)
        pair.link.cut()
        pair.phone.transferUserInfo(["lap": 1])
        pair.link.heal()
        pair.settle()  // the watch's delegate has it, once
        // end
        #expect(watchDelegate.userInfos.count == 1)
    }

    @Test func `the README's example is this one`() throws {
        let here = URL(fileURLWithPath: #filePath)
        let shown = try String(contentsOf: Repository.url("README.md"), encoding: .utf8).components(
            separatedBy: "```swift\n"
        ).dropFirst()
            .compactMap { $0.components(separatedBy: "\n```").first }
        let own = try String(contentsOf: here, encoding: .utf8).components(separatedBy: "        // example\n")[1]
        let lines = own.components(separatedBy: "        // end")[0].split(separator: "\n").map { $0.dropFirst(8) }
        #expect(shown == [lines.joined(separator: "\n")])
    }
}

import SyncCore
import Testing

@testable import Commands

@Suite struct LocalToolsTests {
    @Test func `settings of the user do not reach the children`() {
        let environment = LocalTools.childEnvironment(
            ["POOLSENSORS_STATE": "/mine", "PATH": "/bin"], of: "poolsensors")

        #expect(environment == ["PATH": "/bin", "SWIFT_BACKTRACE": "interactive=no"])
    }

    @Test func `free ports are different`() throws {
        #expect(Set(try LocalTools.freePorts(5)).count == 5)
    }

    @Test func `a program that does not lie beside this one is named, with the way to get it`() {
        let failure = #expect(throws: CommandFailure.self) { try LocalTools.path(beside: "no-such-program") }

        #expect(failure?.description.hasPrefix("there is no program /") == true)
        #expect(
            failure?.description.hasSuffix("/no-such-program: build it, with `swift build --product no-such-program`")
                == true)
    }
}

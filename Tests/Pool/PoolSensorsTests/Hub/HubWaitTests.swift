import PoolControl
import PoolHub
import Testing

@testable import poolsensors

@Suite struct HubWaitTests {
    @Test func `a new hub says how to go on`() {
        #expect(
            HubWait.sentences(Samples.report()) == [
                "no server yet: add one with: poolsensors server add --name NAME --host HOST",
                "no watch yet: invite one with: poolsensors pair",
            ])
    }

    @Test func `a server without a device needs one`() {
        let report = Samples.report(servers: [Samples.server()])

        #expect(
            HubWait.sentences(report).first
                == "no device yet: add one with: poolsensors device add --name NAME --topic TOPIC")
    }

    @Test func `watches show the selected device, so one must be selected`() {
        let report = Samples.report(
            servers: [Samples.server()], devices: [Samples.device("Lagoon", isSelected: false)])

        #expect(
            HubWait.sentences(report).first == "no device is selected: select one with: poolsensors device select NAME")
    }

    @Test func `paired watches that are away are waited for by name`() {
        let report = Samples.report(
            servers: [Samples.server()], devices: [Samples.device("Lagoon")],
            watches: [Samples.watch("Kitchen", isLinked: false), Samples.watch("Wrist", isLinked: false)])

        #expect(HubWait.sentences(report) == ["waiting for watches: Kitchen, Wrist"])
    }

    @Test func `when readings can come and somebody sees them, nothing is waited for`() {
        let report = Samples.report(
            servers: [Samples.server()], devices: [Samples.device("Lagoon")],
            watches: [Samples.watch("Kitchen", isLinked: true), Samples.watch("Wrist", isLinked: false)])

        #expect(HubWait.sentences(report).isEmpty)
    }

    @Test func `problems of the stored configuration are told`() {
        var report = Samples.report(
            servers: [Samples.server()], devices: [Samples.device("Lagoon")],
            watches: [Samples.watch("Kitchen", isLinked: true)])
        report.problems = ["something is wrong"]

        #expect(HubWait.sentences(report) == ["problem: something is wrong"])
    }
}

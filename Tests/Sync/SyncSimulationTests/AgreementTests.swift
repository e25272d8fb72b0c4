import Testing

@testable import SyncSimulation

/// That one watch which differs is named, whatever it differs in.
@Suite struct AgreementTests {
    private static func observations(_ change: (inout DeviceObservation) -> Void) -> [String: DeviceObservation] {
        var hub = DeviceObservation()
        hub.version = "1.2.3"
        hub.cells = ["attic.name": "Attic", "attic.note": "dry", "attic.password": "s3cret"]
        var watch = hub
        watch.link = "linked"
        watch.cells["attic.password"] = nil
        change(&watch)
        return ["hub": hub, "Anna": watch]
    }

    @Test func `what a hub keeps to itself, or an older watch does not read, is no difference`() {
        #expect(DeviceObservation.disagreement(Self.observations { _ in }) == nil)
        let older = Self.observations { $0.cells["attic.note"] = nil }
        #expect(DeviceObservation.disagreement(older, reading: ["Anna": 1...1]) == nil)
        #expect(DeviceObservation.disagreement(older) == "Anna shows attic.note = nothing, the hub dry")
        let ended = Self.observations { ($0.isRunning, $0.version) = (false, nil) }
        #expect(DeviceObservation.disagreement(ended) == nil)
    }

    @Test func `a watch that differs is named`() {
        func disagreement(_ change: (inout DeviceObservation) -> Void) -> String? {
            DeviceObservation.disagreement(Self.observations(change))
        }
        #expect(disagreement { $0.link = "lost" } == "Anna's link is lost")
        #expect(disagreement { $0.waitingEditCount = 2 } == "2 edits of Anna wait")
        #expect(disagreement { $0.version = "1.1.3" } == "Anna holds version 1.1.3, the hub 1.2.3")
        #expect(disagreement { $0.cells["attic.name"] = "Loft" } == "Anna shows attic.name = Loft, the hub Attic")
        #expect(disagreement { $0.cells["attic.range"] = "1" } == "Anna shows attic.range = 1, the hub nothing")
        #expect(DeviceObservation.disagreement([:]) == "there is no hub")
    }
}

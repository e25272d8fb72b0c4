import PoolModel
import SyncCore
import Testing

@testable import PoolWatch

@Suite struct DeviceChoiceTests {
    private func watchConfiguration(_ configuration: PoolConfiguration) -> WatchConfiguration {
        WatchConfiguration(entries: configuration.entries().filter(\.isVisibleToWatches))
    }

    @Test func `P102 the selected device is shown unless another was asked for`() throws {
        let configuration = watchConfiguration(try sampleConfiguration())
        #expect(configuration.choice(asked: nil) == .shown(WatchDevice(lagoon)))
        #expect(configuration.choice(asked: "Spa") == .shown(WatchDevice(spa)))
    }

    @Test(arguments: ["Spa", "spa", "22220000-0000-0000-0000-000000000002", "22220000000000000000000000000002"])
    func `a device is asked for by name or identity`(_ text: String) throws {
        #expect(watchConfiguration(try sampleConfiguration()).choice(asked: text) == .shown(WatchDevice(spa)))
    }

    @Test func `the start of an identity serves if only one device has it, and a name beats it`() throws {
        let id = DeviceID(high: 0xABCD_0000_0000_0000, low: 9)
        let pool = Device(id: id, name: "2222", serverID: home.id, topic: "x")
        let configuration = watchConfiguration(try sampleConfiguration().adding(pool))
        #expect(configuration.choice(asked: "abcd-0").device?.id == id)
        #expect(configuration.choice(asked: "2222").device?.id == id)
        guard case .notFound(.ambiguous(.device, "22220", let candidates)) = configuration.choice(asked: "22220") else {
            Issue.record("\(configuration.choice(asked: "22220"))")
            return
        }
        #expect(candidates == ["Lagoon \(lagoon.id)", "Spa \(spa.id)"])
    }

    @Test(arguments: ["", "Sauna", "-"])
    func `what fits no device names those that exist`(_ text: String) throws {
        let choice = watchConfiguration(try sampleConfiguration()).choice(asked: text)
        #expect(choice == .notFound(.notFound(.device, text, known: ["Lagoon", "Spa"])))
        #expect("\(choice)".contains("Lagoon"))
    }

    @Test func `P102 X12 without a selection the devices that could be selected are known`() throws {
        let choice = watchConfiguration(try sampleConfiguration().selectingNothing()).choice(asked: nil)
        #expect(choice == .noneSelected(known: ["Lagoon", "Spa"]))
        #expect(choice.device == nil)
        #expect("\(choice)".contains("poolsensors device select"))
        #expect("\(WatchConfiguration().choice(asked: nil))".contains("poolsensors device add"))
    }
}

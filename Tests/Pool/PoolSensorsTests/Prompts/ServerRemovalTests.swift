import Testing

@testable import poolsensors

@Suite struct ServerRemovalTests {
    @Test func `a server without devices is removed after a question`() {
        for withDevices in [false, true] {
            #expect(
                ServerRemoval(server: "Garden", devices: [], withDevices: withDevices)
                    == .server(question: "Remove the server \"Garden\"?"))
        }
    }

    @Test func `a server with devices stays, and they are named`() {
        #expect(
            ServerRemoval(server: "Garden", devices: ["Lagoon", "Spa"], withDevices: false)
                == .blocked(
                    "the server \"Garden\" has the devices \"Lagoon\", \"Spa\": remove them first, or all together with "
                        + "--with-devices"))
    }

    @Test func `with its devices it is removed after a question that names them`() {
        #expect(
            ServerRemoval(server: "Garden", devices: ["Lagoon"], withDevices: true)
                == .cascade(question: "Remove the server \"Garden\" and its device \"Lagoon\"?"))
    }
}

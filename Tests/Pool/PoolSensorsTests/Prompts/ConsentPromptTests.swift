import Testing

@testable import poolsensors

@Suite struct ConsentPromptTests {
    @Test(arguments: [
        (true, true, ConsentPrompt.Step.proceed), (true, false, .proceed), (false, true, .ask), (false, false, .refuse),
    ])
    func `without an answer in advance a person is asked, and nobody means no`(
        isAnswered: Bool, isTerminal: Bool, step: ConsentPrompt.Step
    ) {
        #expect(ConsentPrompt.step(isAnswered: isAnswered, isTerminal: isTerminal) == step)
    }

    @Test(arguments: ["y", "Y", "yes", "YES", " yes ", "y\t"])
    func `a clear yes is a yes`(answer: String) {
        #expect(ConsentPrompt.isYes(answer))
    }

    @Test(arguments: [nil, "", "n", "no", "yess", "ja", "1"])
    func `anything else is a no`(answer: String?) {
        #expect(!ConsentPrompt.isYes(answer))
    }

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

import Testing

@testable import Commands

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
}

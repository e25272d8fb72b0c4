import TestSupport
import Testing

/// Tests that wait get what they wait for, and fail where it does not come.
@Suite struct WaitingTests {
    @Test func `a wait ends with the change that fulfils it, for each who waits`() async {
        let number = Awaited(0)
        await withTaskGroup(of: Bool.self) { group in
            for wanted in 1...3 { group.addTask { await number.wait { $0 >= wanted } } }
            for _ in 1...3 { number.change { $0 += 1 } }
            for await hasCome in group { #expect(hasCome) }
        }
        #expect(await number.wait { $0 == 3 })
    }

    @Test func `a wait in vain ends with the test's time`() async {
        let number = Awaited(7)
        await withTaskGroup(of: Bool.self) { group in
            for wanted in 8...9 { group.addTask { await number.comes { $0 >= wanted } } }
            group.cancelAll()
            for await hasCome in group { #expect(!hasCome) }
        }
        // Nobody is left who would be woken.
        number.change { $0 = 8 }
    }

    @Test func `what happened is kept in its order`() async {
        let recorder = Recorder<Int>()
        for number in 1...3 { recorder.record(number) }
        await recorder.wait { $0 == [1, 2, 3] }
        #expect(recorder.items == [1, 2, 3])
    }

    @Test func `a look is repeated until it is so, or the test's time is over`() async throws {
        var looks = 0
        try await poll("three looks") {
            looks += 1
            return looks == 3
        }
        #expect(looks == 3)

        let inVain = Task { try await poll("the moon") { false } }
        inVain.cancel()
        let error = await #expect(throws: WaitedInVain.self) { try await inVain.value }
        #expect(error?.description == "waited in vain: the moon")
    }
}

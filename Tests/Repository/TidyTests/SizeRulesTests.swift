import Testing

@Suite struct SizeRulesTests {
    private func lines(_ count: Int) -> String { String(repeating: "    step()\n", count: count) }

    @Test(arguments: [
        "func run() {", "func `a sentence with { and func`() async throws -> [Int] {",
        "init?(value: Int) where T: Equatable {",
        "deinit {", "subscript(index: Int) -> Int {", "var total: Int {",
        "func run(action: () -> Void = { }) -> (Int) -> Void {",
        "func run() throws(Fault) -> @Sendable () -> Void {",
    ])
    func `a declaration longer than the limit is found`(head: String) {
        let atLimit = planted("Sources/Sync/SyncCore/File.swift", "\(head)\n\(lines(68))}\n")
        let overLimit = planted("Sources/Sync/SyncCore/File.swift", "\n\(head)\n\(lines(69))}\n")

        #expect(functionSizeViolations(in: atLimit) == [])
        #expect(functionSizeViolations(in: overLimit).map(\.line) == [2])
    }

    @Test(arguments: [
        "protocol P {\n    func run()\n    init()\n}\nstruct S {", "let value = S.init()\nstruct S {",
        "var value = 1\nstruct S {", "enum E {",
    ])
    func `a type may be longer than a function`(head: String) {
        #expect(
            functionSizeViolations(in: planted("Sources/Sync/SyncCore/File.swift", "\(head)\n\(lines(100))}\n")) == [])
    }

    @Test func `a file longer than the limit is found`() {
        #expect(fileSizeViolations(in: planted("Sources/Sync/SyncCore/File.swift", lines(600))) == [])
        #expect(fileSizeViolations(in: planted("Sources/Sync/SyncCore/File.swift", lines(601))).count == 1)
        #expect(fileSizeViolations(in: planted("Sources/Sync/SyncCore/File.swift", lines(600) + "// end")).count == 1)
    }
}

import TestSupport
import Testing

/// The rules on the repository itself.
///
/// Each rule is seen to fail on a planted example in the suite that bears its name.
@Suite(.longWork) struct RepositoryTests {
    // Read once: every rule sees the same tree.
    private static let read = Result { try Repository() }
    private static let lexed = Result { try read.get().swiftSources() }

    private let repository: Repository
    private let sources: [SwiftSource]

    init() throws {
        repository = try Self.read.get()
        sources = try Self.lexed.get()
    }

    @Test func `the repository is found and read`() {
        #expect(repository.paths.contains("Package.swift"))
        #expect(sources.contains { $0.path.hasPrefix("Sources/Pool/PoolModel/") && !$0.tokens.isEmpty })
        #expect(sources.contains { $0.path.hasSuffix("RepositoryTests.swift") && $0.testNames.count > 5 })
    }

    @Test func `every target imports only what its room allows`() {
        expectNone(roomViolations(paths: repository.paths) + sources.flatMap { importViolations(in: $0) })
    }

    @Test func `no source needs what only Linux has`() {
        expectNone(sources.flatMap { portabilityViolations(in: $0) })
    }

    @Test func `no target holds code that its room forbids`() {
        expectNone(sources.flatMap { forbiddenCodeViolations(in: $0) })
    }

    @Test func `the engine knows no word of the pool`() {
        expectNone(sources.flatMap { domainWordViolations(in: $0) })
    }

    @Test func `nothing traps without a reason`() {
        expectNone(sources.flatMap(trapViolations))
    }

    @Test func `every error has words, and none of them is a number`() {
        expectNone(wordlessErrorViolations(in: sources) + sources.flatMap(errorNumberViolations))
    }

    @Test func `every promise to the compiler gives its reason`() {
        expectNone(sources.flatMap(unexplainedPromiseViolations))
    }

    @Test func `every test runs, and none waits for time to pass`() {
        expectNone(sources.flatMap { sleepViolations(in: $0) + disabledTestViolations(in: $0) })
    }

    @Test func `no text holds leftovers or the paths of a machine`() throws {
        expectNone(
            try repository.texts().flatMap {
                leftoverViolations(path: $0.path, text: $0.text) + machineViolations(path: $0.path, text: $0.text)
            })
    }

    @Test func `no page and no printed text holds a forbidden phrase`() throws {
        let list = try #require(try repository.texts { $0 == ".ci/phrases" }.first)
        let phrases = Phrase.list(in: list.text)
        #expect(phrases.count >= 10)
        let pages = try repository.texts { ($0.hasPrefix("Docs/") || $0 == "README.md") && $0.hasSuffix(".md") }
        // What stands in code is the name of a test, or was printed by a source.
        expectNone(
            pages.flatMap {
                let prose = Markdown(path: $0.path, text: $0.text).lines.joined(separator: "\n")
                return phraseViolations(path: $0.path, text: prose, phrases: phrases)
            })
        expectNone(sources.flatMap { phraseViolations(in: $0, phrases: phrases) })
    }

    @Test func `each message that a person can meet is on the page of messages`() throws {
        let page = try #require(try repository.texts { $0 == Message.page }.first)
        expectNone(unlistedMessageViolations(in: sources.filter { Message.isSource($0.path) }, page: page.text))
    }

    @Test func `the top of the repository holds only what the house allows`() {
        expectNone(topLevelViolations(names: repository.topLevel))
    }

    @Test func `every relative link leads somewhere`() throws {
        let pages = Dictionary(
            try repository.texts { $0.hasSuffix(".md") }.map { ($0.path, $0.text) },
            uniquingKeysWith: { first, _ in first })
        expectNone(
            pages.sorted { $0.key < $1.key }.flatMap { path, text in
                linkViolations(
                    in: Markdown(path: path, text: text), text: text, files: Set(repository.paths),
                    textOfPage: { pages[$0] })
            })
    }

    @Test func `each workflow that the page on testing shows is one, and runs the tests`() throws {
        let path = "Docs/watchconnectivity/testing.md"
        let page = try #require(try repository.texts { $0 == path }.first)
        let manifest = try #require(try repository.texts { $0 == "Package.swift" }.first)
        let version = try #require(manifest.text.split(separator: "\n").first?.split(separator: " ").last)
        let workflows = ShownWorkflow.all(in: page.text)
        #expect(workflows.count == 2)
        expectNone(workflows.flatMap { workflowViolations(in: $0, path: path, image: "swift:\(version)") })
    }

    @Test func `the conformance page answers for every number, and its claims are shown`() throws {
        let page = try #require(try repository.texts { $0 == Conformance.path }.first)
        let names = Set(sources.filter(\.isTest).flatMap(\.testNames))
        expectNone(conformanceViolations(in: page.text, testNames: names))
    }

    @Test func `each claim of the threat model names its tests, and each limit is that of the code`() throws {
        let path = "Docs/internals/threat-model.md"
        let page = try #require(try repository.texts { $0 == path }.first)
        let names = Set(sources.filter(\.isTest).flatMap(\.testNames))
        let code = try repository.texts { $0.hasPrefix("Sources/") && $0.hasSuffix(".swift") }
        expectNone(threatModelViolations(path: path, text: page.text, testNames: names, sources: code))
    }

    @Test func `each limit of the protocol is that of the code, and a test shows it`() throws {
        let path = "Docs/internals/engine.md"
        let page = try #require(try repository.texts { $0 == path }.first)
        let names = Set(sources.filter(\.isTest).flatMap(\.testNames))
        let code = try repository.texts { $0.hasPrefix("Sources/") && $0.hasSuffix(".swift") }
        expectNone(threatModelViolations(path: path, text: page.text, testNames: names, sources: code))

        let promised = try #require(try repository.texts { $0 == "Docs/internals/protocol.md" }.first)
        func rows(_ text: String, under heading: String) -> [Substring] {
            text.split(separator: "\n", omittingEmptySubsequences: false).drop { !$0.hasPrefix(heading) }.dropFirst(2)
                .prefix { $0.hasPrefix("|") }
                .compactMap { $0.split(separator: "|").first }
        }
        let limits = rows(promised.text, under: "| what | limit |")
        #expect(limits.count >= 20)
        #expect(limits == rows(page.text, under: "| limit | in the code | test |"))
    }

    @Test func `each suite that the pages about the engine name is there`() throws {
        let pages = try repository.texts {
            ["Docs/internals/engine.md", "Docs/internals/counterexamples.md"].contains($0)
        }
        let types = Set(sources.filter(\.isTest).flatMap(\.typeNames))
        #expect(pages.count == 2)
        expectNone(
            pages.flatMap {
                suiteNameViolations(path: $0.path, text: $0.text, typeNames: types, files: repository.paths)
            })
    }

    @Test func `every mutant can be planted, and no shipped source names one`() throws {
        let texts = try repository.texts { $0.hasPrefix("Tests/Mutants/") && $0.hasSuffix(".txt") }
            .map(MutantText.init)
        let files = Set(texts.flatMap(\.entries).flatMap(\.places).map(\.file))
        let contents = try repository.texts { files.contains($0) }
        let mutants = texts.filter { $0.path != "Tests/Mutants/hooks.txt" }.flatMap(\.entries)
        #expect(mutants.count >= 83)
        expectNone(
            mutantViolations(in: texts, sources: Dictionary(uniqueKeysWithValues: contents.map { ($0.path, $0.text) })))
        let names = Set(mutants.map(\.name))
        expectNone(
            try repository.texts { $0.hasPrefix("Sources/") }.flatMap {
                plantedFaultViolations(path: $0.path, text: $0.text, names: names)
            })
    }
}

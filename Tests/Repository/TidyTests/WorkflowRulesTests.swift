import Testing

@Suite struct WorkflowRulesTests {
    private static let gitHub = """
        name: test
        on: [push, pull_request]
        jobs:
          linux:
            runs-on: ubuntu-24.04
            container: swift:6.3
            steps:
              - uses: actions/cache@v4
                with:
                  path: .build
                  key: swift-${{ hashFiles('Package.resolved') }}
              - run: swift test
        """
    private static let gitLab = """
        test:
          image: swift:6.3
          cache:
            paths:
              - .build
          script:
          - swift test
        """

    private func violations(_ text: String, path: String = ".github/workflows/test.yml") -> [Violation] {
        let page = "Text.\n\nA file, `\(path)`:\n\n```yaml\n\(text)\n```\n"
        return ShownWorkflow.all(in: page).flatMap { workflowViolations(in: $0, path: "page.md", image: "swift:6.3") }
    }

    @Test func `the parts that workflows need are read`() throws {
        let content = try YAML(Self.gitHub)

        #expect(content["on"] == .list([.text("push"), .text("pull_request")]))
        let steps = try #require(content["jobs"]?["linux"]?["steps"]?.list)
        #expect(steps.count == 2)
        #expect(steps[0]["with"]?["key"] == .text("swift-${{ hashFiles('Package.resolved') }}"))
        #expect(try YAML(Self.gitLab)["test"]?["script"] == .list([.text("swift test")]))
    }

    @Test(arguments: [
        ("a: b\n\tc: d", 2), ("a: b\na: c", 2), ("a:\n  b: c\n d: e", 3), ("a:\nb: c", 1), ("a: b\n  c: d", 2),
        ("a: *b", 1), ("a: b: c", 1), ("a: [b", 1), ("a: \"b", 1), ("text", 1), ("", 1), ("a: b # c", 1),
    ])
    func `a text of another form is an error`(text: String, line: Int) {
        #expect(throws: YAML.Problem.self) { try YAML(text) }
        do throws(YAML.Problem) { _ = try YAML(text) } catch { #expect(error.line == line) }
    }

    @Test func `a workflow that runs the tests is no violation`() {
        #expect(violations(Self.gitHub) == [])
        #expect(violations(Self.gitLab, path: ".gitlab-ci.yml") == [])
    }

    @Test(arguments: [
        ("swift test", "swift build"), ("swift:6.3", "swift:6.2"), ("    runs-on: ubuntu-24.04\n", ""),
        ("      - run:", "      - runs:"), ("on: [push, pull_request]\n", ""), ("actions/cache@v4", "actions/cache"),
        ("          key:", "         key:"), ("jobs:", "job:"),
    ])
    func `a workflow for GitHub with a mistake is a violation`(part: String, mistake: String) {
        #expect(!violations(Self.gitHub.replacing(part, with: mistake)).isEmpty)
    }

    @Test(arguments: [
        ("swift test", "swift build"), ("swift:6.3", "swift:6.2"), ("  script:", "  scripts:"),
        ("    paths:", "    path:"),
    ])
    func `a job for GitLab with a mistake is a violation`(part: String, mistake: String) {
        #expect(!violations(Self.gitLab.replacing(part, with: mistake), path: ".gitlab-ci.yml").isEmpty)
    }

    @Test func `a workflow in another place is a violation`() {
        #expect(!violations(Self.gitHub, path: "test.yml").isEmpty)
    }
}

/// A workflow that a page shows: a `yaml` block with the path of its file above it.
struct ShownWorkflow {
    /// The path in the reader's repository.
    var path: String
    /// The line of the page on which the block begins, counted from 1.
    var line: Int
    var text: String

    /// The workflows of a page.
    static func all(in page: String) -> [ShownWorkflow] {
        var workflows: [ShownWorkflow] = []
        var path = ""
        var isInside = false
        for (index, line) in page.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if isInside, line == "```" {
                isInside = false
            } else if isInside {
                workflows[workflows.count - 1].text += line + "\n"
            } else if line == "```yaml" {
                isInside = true
                workflows.append(ShownWorkflow(path: path, line: index + 1, text: ""))
            } else if line.hasSuffix("`:") {
                path = String(line.split(separator: "`").dropLast().last ?? "")
            }
        }
        return workflows
    }
}

/// What is wrong with a workflow for GitHub or GitLab: its form, its keys, the image, and whether it runs the tests.
func workflowViolations(
    in workflow: ShownWorkflow, path: String, image: String, command: String = "swift test"
) -> [Violation] {
    do throws(YAML.Problem) {
        let content = try YAML(workflow.text)
        let problems =
            switch workflow.path {
            case ".gitlab-ci.yml": gitLabProblems(content, image: image, command: command)
            case let file where file.hasPrefix(".github/workflows/"):
                gitHubProblems(content, image: image, command: command)
            default: ["`\(workflow.path)` is the path of no workflow of GitHub or GitLab"]
            }
        return problems.map { Violation(path: path, line: workflow.line, message: $0) }
    } catch {
        return [Violation(path: path, line: workflow.line + error.line, message: error.words)]
    }
}

private func gitHubProblems(_ content: YAML, image: String, command: String) -> [String] {
    var problems = unknownKeys(of: content, known: ["name", "on", "jobs"], in: "the workflow")
    if content["on"] == nil { problems.append("`on` is missing") }
    guard let jobs = content["jobs"]?.map, !jobs.isEmpty else { return problems + ["`jobs` is missing"] }
    for (name, job) in jobs.sorted(by: { $0.key < $1.key }) {
        problems += unknownKeys(of: job, known: ["runs-on", "container", "steps"], in: "the job \(name)")
        if job["runs-on"]?.text == nil { problems.append("the job \(name) has no `runs-on`") }
        if job["container"]?.text != image { problems.append("the job \(name) does not run in \(image)") }
        let steps = job["steps"]?.list ?? []
        for step in steps {
            problems += unknownKeys(of: step, known: ["name", "uses", "with", "run"], in: "a step")
            let action = step["uses"]?.text
            if (action == nil) == (step["run"]?.text == nil) {
                problems.append("a step has both of `uses` and `run`, or none")
            }
            if let action, action.split(separator: "@").count != 2 {
                problems.append("`\(action)` is not an action with its version")
            }
            if step["with"] != nil, step["with"]?.map == nil { problems.append("`with` of a step is not a map") }
        }
        if !steps.contains(where: { $0["run"]?.text == command }) {
            problems.append("the job \(name) does not run `\(command)`")
        }
    }
    return problems
}

private func gitLabProblems(_ content: YAML, image: String, command: String) -> [String] {
    guard let jobs = content.map else { return ["the file is not a map of jobs"] }
    return jobs.sorted { $0.key < $1.key }.flatMap { name, job in
        var problems = unknownKeys(of: job, known: ["image", "cache", "script"], in: "the job \(name)")
        if job["image"]?.text != image { problems.append("the job \(name) does not run in \(image)") }
        if let cache = job["cache"], cache["paths"]?.list == nil { problems.append("`cache` has no `paths`") }
        if !(job["script"]?.list ?? []).contains(.text(command)) {
            problems.append("the job \(name) does not run `\(command)`")
        }
        return problems
    }
}

private func unknownKeys(of value: YAML, known: Set<String>, in place: String) -> [String] {
    guard let map = value.map else { return ["\(place) is not a map"] }
    return map.keys.filter { !known.contains($0) }.sorted().map { "\(place) has the unknown key `\($0)`" }
}

// Of the copy that .ci/mutants makes: only the targets that MUTANTS_ONLY names, and what they need.
if let only = Context.environment["MUTANTS_ONLY"] {
    let targets = Dictionary(uniqueKeysWithValues: package.targets.map { ($0.name, $0) })
    var kept: Set<String> = []
    var waiting = only.split(separator: ",").map(String.init)
    while let name = waiting.popLast() {
        guard let target = targets[name], kept.insert(name).inserted else { continue }
        for dependency in target.dependencies {
            if case .byNameItem(let name, _) = dependency { waiting.append(name) }
        }
    }
    package.targets.removeAll { !kept.contains($0.name) }
    package.products.removeAll()
}

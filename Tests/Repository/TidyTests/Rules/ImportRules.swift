/// One import declaration.
struct ImportDeclaration: Equatable {
    var module: String
    var isPublic: Bool
    /// Whether it is compiled only where there is such a module, or on Linux only.
    var isConditional: Bool
    /// The modules without which it is compiled: it stands in the `#else` of a question for them.
    var absentModules: Set<String>
    /// The index of the word `import`.
    var place: Int
}

extension SwiftSource {
    /// The import declarations, whatever attributes and modifiers they carry.
    var imports: [ImportDeclaration] {
        let kinds: Set = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias", "actor"]
        return places(of: "import").compactMap { place in
            let lineStart = tokens[...place].lastIndex { $0.startsLine } ?? place
            let before = tokens[lineStart..<place].map(\.text)
            let isDeclaration = tokens[lineStart..<place].allSatisfy { $0.isWord || ["@", "(", ")"].contains($0.text) }
            let named = kinds.contains(text(at: place + 1)) ? place + 2 : place + 1
            guard isDeclaration, tokens.indices.contains(named), tokens[named].isWord else {
                return nil
            }
            let (present, absent) = modulesAskedFor(at: place)
            return ImportDeclaration(
                module: tokens[named].text, isPublic: before.contains("public") || before.contains("_exported"),
                isConditional: !present.isDisjoint(with: [tokens[named].text, "Linux"]), absentModules: absent,
                place: place)
        }
    }

    /// What the branches of `#if` around a place ask for with `canImport` and `os`: what is there if the code is
    /// compiled, and what is not.
    private func modulesAskedFor(at place: Int) -> (present: Set<String>, absent: Set<String>) {
        var branches: [(present: Set<String>, absent: Set<String>)] = []
        for hash in places(of: "#") where hash < place {
            switch text(at: hash + 1) {
            case "if": branches.append((modulesAskedFor(in: hash), []))
            case "elseif", "else":
                guard let before = branches.popLast() else { continue }
                let present = text(at: hash + 1) == "else" ? [] : modulesAskedFor(in: hash)
                branches.append((present, before.absent.union(before.present)))
            case "endif": _ = branches.popLast()
            default: break
            }
        }
        return branches.reduce(into: ([], [])) { all, branch in
            all.present.formUnion(branch.present)
            all.absent.formUnion(branch.absent)
        }
    }

    /// What stands in the parentheses of `canImport` and `os` in the line of a directive.
    private func modulesAskedFor(in directive: Int) -> Set<String> {
        let line = tokens[directive...].prefix { $0.line == tokens[directive].line }
        return Set(line.indices.filter { ["canImport", "os"].contains(tokens[$0].text) }.map { text(at: $0 + 2) })
    }

    /// Whether a place is between `#if` and `#endif`.
    func isConditional(at place: Int) -> Bool {
        let directives = places(of: "#").filter { $0 < place }.map { text(at: $0 + 1) }
        return directives.count { $0 == "if" } > directives.count { $0 == "endif" }
    }
}

/// Modules that other systems than Linux do not have.
private let modulesOfLinux: Set = [
    "Glibc", "FoundationEssentials", "FoundationInternationalization", "FoundationNetworking",
]

/// Names of Linux's C library that other systems do not have, or with another type.
private let codeOfLinux = [
    "SOCK_CLOEXEC", "SOCK_NONBLOCK", "SOCK_STREAM.rawValue", "MSG_NOSIGNAL", "fdatasync(", "accept4(", "pipe2(",
    "__rlimit_resource_t", "__rusage_who_t", "CLOCK_BOOTTIME",
]

/// What would not compile on other systems than Linux: its modules and its names, wherever nothing asks for them.
func portabilityViolations(in source: SwiftSource) -> [Violation] {
    let imports = source.imports.filter { modulesOfLinux.contains($0.module) && !$0.isConditional }.map {
        source.violation(
            at: $0.place, "\($0.module) is not everywhere: `#if canImport(\($0.module))` goes before it")
    }
    let code = codeOfLinux.flatMap { name in
        source.places(of: name).filter { !source.isConditional(at: $0) }.map {
            source.violation(at: $0, "\(name) is for Linux only: put it between `#if` and `#endif`")
        }
    }
    return imports + code
}

/// Who may import whom, by the table of the house.
func importViolations(in source: SwiftSource, rooms: [String: Room] = House.rooms) -> [Violation] {
    guard let target = source.target else { return [] }
    if source.isTest {
        return source.imports.filter { $0.module == "XCTest" }.map {
            source.violation(at: $0.place, "tests are written with Testing, not with XCTest")
        }
    }
    guard let room = rooms[target] else {
        return [Violation(path: source.path, line: 1, message: "the target \(target) has no room in the house's table")]
    }
    return source.imports.compactMap { declaration in
        // Where its small part is no module of its own, the whole of Foundation takes its place.
        let isSubstitute =
            declaration.module == "Foundation" && declaration.absentModules.contains("FoundationEssentials")
        let module = isSubstitute ? "FoundationEssentials" : declaration.module
        if room.imports.contains(module) {
            let isHidden = module == "GRDB" || rooms[module] != nil && module.prefixMatch(of: /C[A-Z]/) != nil
            guard declaration.isPublic, isHidden else { return nil }
            return source.violation(
                at: declaration.place, "\(module) stays inside \(target): import it without `public`")
        }
        if let folders = room.importsByFolder[module] {
            guard !folders.contains(where: { source.path.contains("/\(target)/\($0)/") }) else { return nil }
            let list = folders.sorted().joined(separator: ", ")
            return source.violation(at: declaration.place, "\(target) imports \(module) only in: \(list)")
        }
        return source.violation(at: declaration.place, "\(target) may not import \(module)")
    }
}

/// Folders on the floors of `Sources` that the house's table does not know.
func roomViolations(paths: [String], rooms: [String: Room] = House.rooms) -> [Violation] {
    let parts = paths.map { $0.split(separator: "/") }
    let folders = Set(parts.filter { $0.count > 3 && $0[0] == "Sources" }.map { $0[1...2].joined(separator: "/") })
    return folders.filter { folder in !rooms.keys.contains { folder.hasSuffix("/\($0)") } }.sorted().map {
        Violation(path: "Sources/\($0)", line: 1, message: "the target \($0) has no room in the house's table")
    }
}

/// One import declaration.
struct ImportDeclaration: Equatable {
    var module: String
    var isPublic: Bool
    /// Whether the line before asks if there is such a module.
    var isConditional: Bool
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
            return ImportDeclaration(
                module: tokens[named].text, isPublic: before.contains("public") || before.contains("_exported"),
                isConditional: tokens[..<lineStart].suffix(4).map(\.text)
                    == ["canImport", "(", tokens[named].text, ")"],
                place: place)
        }
    }
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
        let module = declaration.module
        if module == "Glibc", !declaration.isConditional {
            return source.violation(
                at: declaration.place, "Glibc is not everywhere: `#if canImport(Glibc)` goes before it")
        }
        if room.imports.contains(module) {
            let isHidden = module == "GRDB" || rooms[module] != nil && module.hasPrefix("C")
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

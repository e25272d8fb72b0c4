/// Relative links that lead nowhere: a file that is not there, or a heading that it does not have.
///
/// - Parameters:
///   - page: The page with the links.
///   - text: The page as written.
///   - files: Every file of the repository, relative to it.
///   - textOfPage: Reads another page, to look for its headings.
/// - Returns: The violations, in the order of the links.
func linkViolations(
    in page: Markdown, text: String, files: Set<String>, textOfPage: (String) -> String?
) -> [Violation] {
    page.links.compactMap { link in
        guard matches(of: "^([A-Za-z][A-Za-z0-9+.-]*:|<)", in: link.target).isEmpty else { return nil }
        let parts = link.target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let path = parts[0].isEmpty ? page.path : resolve(parts[0], from: page.path)
        let folder = path.isEmpty ? "" : path + "/"
        guard files.contains(path) || files.contains(where: { $0.hasPrefix(folder) }) else {
            return Violation(path: page.path, line: link.line, message: "the link `\(link.target)` leads nowhere")
        }
        guard parts.count == 2, path.hasSuffix(".md") else { return nil }
        let target = path == page.path ? text : textOfPage(path)
        guard let target, !Markdown.anchors(in: target).contains(parts[1].lowercased()) else { return nil }
        return Violation(path: page.path, line: link.line, message: "\(path) has no heading `#\(parts[1])`")
    }
}

/// The path that a relative link means, seen from the page that holds it.
private func resolve(_ link: String, from page: String) -> String {
    var parts = page.split(separator: "/").dropLast().map(String.init)
    for part in link.split(separator: "/") where part != "." {
        if part == "..", !parts.isEmpty { parts.removeLast() } else { parts.append(String(part)) }
    }
    return parts.joined(separator: "/")
}

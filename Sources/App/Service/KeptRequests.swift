import Platform
import Text

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What was asked of a process while it was down: each is handed over once, at the next start.
package struct KeptRequests<Request: Codable & Sendable>: Sendable {
    /// How many may wait.
    package static var countMax: Int { 64 }

    private let path: String
    private let what: String
    private let advice: String

    /// Names the file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - what: What waits in it, such as `links`.
    ///   - advice: How to start the process.
    package init(path: String, what: String, advice: String) {
        (self.path, self.what, self.advice) = (path, what, advice)
    }

    /// Keeps a request; when this returns, it survives a power cut.
    ///
    /// - Throws: ``KeptRequestsProblem`` if too many wait, and the file's errors.
    package func keep(_ request: Request) throws {
        let waiting = try read()
        guard waiting.count < Self.countMax else {
            throw KeptRequestsProblem("\(waiting.count) \(what) wait already: \(advice)")
        }
        try NewFile.write(try CanonicalJSON.encode(waiting + [request]), to: path)
    }

    /// The requests, oldest first, which are forgotten: what ends before it ran does not run later.
    ///
    /// - Throws: ``KeptRequestsProblem`` for a damaged file, and the file's errors.
    package func take() throws -> [Request] {
        let waiting = try read()
        if !waiting.isEmpty { try NewFile.write(try CanonicalJSON.encode([Request]()), to: path) }
        return waiting
    }

    private func read() throws -> [Request] {
        guard let bytes = FileManager.default.contents(atPath: path) else { return [] }
        do {
            return try CanonicalJSON.decode([Request].self, from: Array(bytes))
        } catch {
            throw KeptRequestsProblem("\(path) is damaged (\(error)): remove it; the \(what) in it are lost")
        }
    }
}

/// Why a request is not kept or not read, in a sentence with the way out.
package struct KeptRequestsProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The sentence.
    package let description: String

    init(_ description: String) { self.description = description }
}

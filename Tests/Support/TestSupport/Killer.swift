internal import Foundation
internal import Synchronization

/// Kills its own process from another thread, so that the kill can hit any operation.
public final class Killer: Sendable {
    private let done = Atomic<Int>(0)

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - afterCount: The number of acknowledged writes after which the process is killed.
    ///   - spinning: How long the thread then keeps counting, so that each kill hits another operation.
    public init(afterCount: Int, spinning: Int) {
        Thread.detachNewThread { [self] in
            while done.load(ordering: .acquiring) < afterCount {}
            let start = done.load(ordering: .relaxed)
            var turns = 0
            while turns < spinning, done.load(ordering: .relaxed) < start + 1000 { turns += 1 }
            kill(getpid(), SIGKILL)
        }
    }

    /// A write was acknowledged.
    public func count() {
        done.add(1, ordering: .releasing)
    }
}

/// Records the acknowledged numbers in a file that survives the death of the process.
public struct Journal {
    private let file: FileHandle

    /// Opens the file behind what is in it, or creates it.
    public init(_ path: String) throws {
        if contents(path) == nil { _ = FileManager.default.createFile(atPath: path, contents: nil) }
        file = try FileHandle(forWritingTo: URL(filePath: path))
        try file.seekToEnd()
    }

    /// Records a number.
    public func note(_ number: UInt64) {
        file.write(Data("\(number)\n".utf8))
    }

    /// The last number that was recorded; nil if there is none.
    public static func last(_ path: String) -> UInt64? {
        let text = contents(path).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return text.split(separator: "\n").last.flatMap { UInt64($0) }
    }
}

import Foundation
import Platform
package import RidesApp
import Text

/// How far each watch, or a watch itself, has events: a small file that survives a power cut.
package final class CursorFile: Sendable {
    private let path: String
    private let positions: Lock<[String: RideEvent.Position]>

    /// Reads the file; there may be none yet.
    ///
    /// - Throws: What is wrong with a file that is there.
    package init(path: String) throws {
        self.path = path
        let bytes = FileManager.default.contents(atPath: path).map { Array($0) }
        positions = Lock(try bytes.map { try CanonicalJSON.decode([String: RideEvent.Position].self, from: $0) } ?? [:])
    }

    /// How far one is; nil if it is new.
    package func position(of name: String) -> RideEvent.Position? { positions.withLock { $0[name] } }

    /// The farthest of all.
    package var newest: RideEvent.Position { positions.withLock { $0.values.max() ?? .start } }

    /// Notes how far one is; durable when this returns.
    ///
    /// - Throws: What the file system says.
    package func set(_ position: RideEvent.Position, of name: String) throws {
        var all = positions.withLock(\.self)
        all[name] = position
        try NewFile.write(try CanonicalJSON.encode(all), to: path)
        positions.withLock { $0[name] = position }
    }
}

package import Foundation
package import ImtApp
package import ImtModel
package import SyncStore
import Vault

/// The photos that a watch has, sealed (IMT35, IMT36): at most ``byteCountMax`` bytes, and nothing longer than a day.
package struct Album {
    /// The most bytes of sealed files; the oldest go first.
    package static let byteCountMax = 32 * 1024 * 1024

    /// Which photo it is.
    private struct Label: Codable, Sendable {
        var transformation: Transformation.ID
        var view: FaceView
        var side: Side
        var day: String?
    }

    private var shelf: SealedShelf<Label>

    /// Opens the album of a folder; what does not fit its list is removed.
    ///
    /// - Throws: `FolderError`, and what is wrong with the key.
    package init(folder: StateFolder, keys: StateFolder, at now: Timestamp) throws {
        shelf = try SealedShelf(folder: folder, keys: keys, byteCountMax: Self.byteCountMax, at: now)
    }

    /// Notes the photos that the phone promised; another pair of the transformation goes.
    package mutating func expect(
        _ tickets: [WristReply.Ticket], of transformation: Transformation.ID, _ view: FaceView, at now: Timestamp
    ) throws {
        let files = tickets.map { ticket in
            (
                SealedTicket(
                    id: "\(ticket.copy)", key: ticket.key, byteCount: ticket.byteCount, hash: ticket.hash),
                Label(transformation: transformation, view: view, side: ticket.side, day: ticket.day)
            )
        }
        let end = now.advanced(byMilliseconds: Int64(PhotoCopy.lifetime / .milliseconds(1)))
        try shelf.expect(files, until: end) { $0.transformation == transformation && $0.view == view }
    }

    /// Takes in a file of the phone; returns whether it is a photo that can be shown now.
    package mutating func take(_ file: URL, as copy: PhotoCopy.ID) throws -> Bool {
        try shelf.take(file, as: "\(copy)")
    }

    /// How much of a pair is here, and how much it is in all; nil if it was not asked for.
    package func progress(_ transformation: Transformation.ID, _ view: FaceView) -> (here: Int, all: Int)? {
        let pair = shelf.progress { $0.transformation == transformation && $0.view == view }
        return pair.files == Side.allCases.count ? (pair.here, pair.all) : nil
    }

    /// A photo that is here, with its day; nil if it is not.
    package func picture(
        _ transformation: Transformation.ID, _ view: FaceView, _ side: Side
    ) throws -> (bytes: [UInt8], day: String?)? {
        try shelf.contents { $0.transformation == transformation && $0.view == view && $0.side == side }
            .map { ($0.bytes, $0.label.day) }
    }

    /// Deletes what is recalled; returns whether something was here or promised.
    package mutating func revoke(_ copies: [PhotoCopy.ID]) throws -> Bool {
        try shelf.remove(Set(copies.map { "\($0)" }))
    }

    /// Deletes what is too old; returns whether something was.
    @discardableResult
    package mutating func sweep(at now: Timestamp) throws -> Bool { try shelf.sweep(at: now) }

    /// Deletes everything.
    package mutating func clear() throws { try shelf.clear() }
}

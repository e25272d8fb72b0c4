import Foundation
import SyncStore
import SyncTransport
import ZeroMQ

/// The folder in which devices of one machine find and pair each other.
///
/// The phone of the folder holds `⟨folder⟩/phone`, and keeps one file for this user only there, `invitation.secret`:
/// a code that pairs the next watch, and says where the phone listens now. Anybody who may read it may pair.
enum RendezvousFolder {
    private static let phoneFolder = "phone"
    private static let invitationName = "invitation"

    /// The phone's side: held for one phone.
    struct Host: Sendable {
        private let folder: StateFolder

        /// Takes the place of the phone.
        ///
        /// - Throws: `FolderError`, also if there is a phone already.
        init(_ path: String) throws {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            folder = try StateFolder(path: path + "/" + phoneFolder)
        }

        /// Puts a code in place of the one before.
        func show(_ code: InvitationCode) throws {
            try folder.writeSecret(invitationName, Array(code.text.utf8))
        }
    }

    /// The code that the phone shows now, or nil.
    static func invitation(in path: String) -> InvitationCode? {
        let file = "\(path)/\(phoneFolder)/\(invitationName).secret"
        guard let bytes = FileManager.default.contents(atPath: file) else { return nil }
        // What is no code may be one at the next look.
        return try? InvitationCode(String(decoding: bytes, as: UTF8.self))
    }
}

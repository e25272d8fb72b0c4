#if Processes
    import Foundation
    import SyncStore
    import SyncTransport
    import ZeroMQ

    /// The folder in which the devices of one machine find and pair with each other.
    ///
    /// The folder's phone holds a lock on `⟨folder⟩/phone`, and keeps a file there that only this user can read,
    /// `invitation.secret`. It has a code that pairs the next watch and contains the phone's present endpoint. Anybody
    /// who can read the file can pair.
    enum RendezvousFolder {
        private static let phoneFolder = "phone"
        private static let invitationName = "invitation"

        /// The phone's side of the folder; only one phone can hold it.
        struct Host: Sendable {
            private let folder: StateFolder

            /// Claims the folder for this phone.
            ///
            /// - Throws: `FolderError`, also if another phone has the folder.
            init(_ path: String) throws {
                try FileManager.default.createDirectory(
                    atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
                folder = try StateFolder(path: path + "/" + phoneFolder)
            }

            /// Replaces the code.
            func show(_ code: InvitationCode) throws {
                try folder.writeSecret(invitationName, Array(code.text.utf8))
            }
        }

        /// The phone's present code, or nil.
        static func invitation(in path: String) -> InvitationCode? {
            let file = "\(path)/\(phoneFolder)/\(invitationName).secret"
            guard let bytes = FileManager.default.contents(atPath: file) else { return nil }
            // An unreadable code may be readable next time.
            return try? InvitationCode(String(decoding: bytes, as: UTF8.self))
        }
    }
#endif

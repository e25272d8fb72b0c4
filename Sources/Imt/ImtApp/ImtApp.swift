package import Companion
package import Foundation
package import ImtModel

/// What the phone and the watches of a clinic say to each other.
package enum ImtApp: CompanionApp {
    package typealias View = WristView
    package typealias Command = WristCommand
    package typealias Reply = WristReply

    /// No events are sent.
    package struct Event: Codable, Sendable {}

    /// What is known of a file: which copy it is.
    package struct FileInfo: Codable, Sendable {
        /// The copy.
        package var copy: PhotoCopy.ID

        package init(copy: PhotoCopy.ID) { self.copy = copy }
    }

    /// A watch may see the list of patients.
    package static let listGrant = "imt.list"
    /// A watch may see photos.
    package static let photoGrant = "imt.photo"
    /// A watch may name transformations.
    package static let editGrant = "imt.edit"
    /// All grants, with what each allows.
    package static let grants = [
        (listGrant, "see the list of patients"), (photoGrant, "see photos"), (editGrant, "name transformations"),
    ]

    package static let name = "imt"
    package static let version = 1
    package static let firstGrants = Grants([listGrant])

    /// Replies have names, and the keys of copies: none of them is kept.
    package static func isRepeatable(_ command: WristCommand) -> Bool {
        if case .rename = command { false } else { true }
    }

    package static func grant(toPerform command: WristCommand) -> String? {
        switch command {
        case .page, .find, .open: listGrant
        case .want: photoGrant
        case .rename: editGrant
        }
    }
}

/// A copy of a photo in the frame of comparison, as watches get it.
package enum PhotoCopy: Identified {
    package typealias ID = Identifier<PhotoCopy>

    /// How long a watch may keep one.
    package static let lifetime = Duration.seconds(24 * 3600)
}

/// What a watch shows before it asks for anything (IMT36).
package struct WristView: Hashable, Codable, Sendable {
    /// The first page of the list; nil if this watch may not see it.
    package var page: PatientPage?
    /// The copies that this watch must delete at once, if it has them.
    package var revoked: [PhotoCopy.ID]
    /// What this watch may do.
    package var grants: [String]

    package init(page: PatientPage?, revoked: [PhotoCopy.ID], grants: [String]) {
        self.page = page
        self.revoked = revoked
        self.grants = grants
    }
}

/// What a watch asks of the phone.
package enum WristCommand: Hashable, Codable, Sendable {
    /// A page of the list, from 0.
    case page(Int)
    /// The first page of those whose names have words with these beginnings.
    case find(String)
    /// The transformations of a patient.
    case open(Patient.ID)
    /// The pair of photos of a transformation; they come as files.
    case want(Transformation.ID, FaceView)
    /// Name a transformation whose name the watch saw.
    case rename(Transformation.ID, saw: String?, to: PresetName)
}

/// The answer.
package enum WristReply: Hashable, Codable, Sendable {
    case page(PatientPage)
    case transformations([Row])
    /// These files are on their way, or here already.
    case coming([Ticket], isAligned: Bool, warning: String?)
    case done
    /// It is not done, in a sentence.
    case refused(String)

    /// A transformation in the list of a watch.
    package struct Row: Hashable, Codable, Sendable {
        package var id: Transformation.ID
        /// Its name; nil without one.
        package var name: String?
        /// The views of which both photos are there.
        package var complete: [FaceView]

        package init(id: Transformation.ID, name: String?, complete: [FaceView]) {
            self.id = id
            self.name = name
            self.complete = complete
        }
    }

    /// What a watch needs to open a file that comes.
    package struct Ticket: Hashable, Codable, Sendable {
        package var copy: PhotoCopy.ID
        package var side: Side
        /// The key that opens the file.
        package var key: Data
        /// The bytes of the sealed file.
        package var byteCount: Int
        /// The SHA-256 of the opened picture, in hexadecimal digits.
        package var hash: String
        /// The day on which it was taken; nil if that is unknown.
        package var day: String?

        package init(copy: PhotoCopy.ID, side: Side, key: Data, byteCount: Int, hash: String, day: String?) {
            self.copy = copy
            self.side = side
            self.key = key
            self.byteCount = byteCount
            self.hash = hash
            self.day = day
        }
    }
}

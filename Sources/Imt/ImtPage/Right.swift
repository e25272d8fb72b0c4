import SyncCore
package import WebServer

/// What an account of the page may do, beside what owners may.
package enum Right: String, CaseIterable, Sendable {
    /// See the list of patients.
    case list = "imt.list"
    /// See photos.
    case photo = "imt.photo"
    /// Add, change and delete.
    case edit = "imt.edit"

    /// What it allows, in English and in French.
    package var words: (english: String, french: String) {
        switch self {
        case .list: ("see the list of patients", "voir la liste des patients")
        case .photo: ("see photos", "voir les photos")
        case .edit: ("add, change and delete", "ajouter, modifier et supprimer")
        }
    }

    /// Whether an account has it; a guest edits nothing.
    func isGiven(to account: Account) -> Bool {
        guard let level = account.level(of: rawValue) else { return false }
        return self != .edit || level == .edit
    }
}

extension WebProduct {
    /// The page of IMT.
    package static let imt = WebProduct(
        app: "imt", name: "IMT", command: "imt",
        scope: Scope(
            noun: "right", plural: "rights", member: "right", path: "/api/v1/rights", listCommand: "imt rights",
            identity: { Right(rawValue: $0)?.rawValue }),
        commonWords: ["imt", "clinic", "clinique", "patient", "photo"])
}

import Foundation

/// The folder `Documents` of the user, which exists for every app on Apple's systems.
package enum DocumentsFolder {
    /// Creates the folder if there is none; a home that cannot be written stays without one.
    package static func create() {
        guard let folder = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask).first else { return }
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
}

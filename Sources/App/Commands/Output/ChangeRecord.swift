/// A change at the hub, as JSON.
package struct ChangeRecord: Encodable {
    /// What was added or selected.
    package typealias Subject = (id: String, name: String)

    /// What was done, in a sentence.
    package var done: String
    package var id: String?
    package var name: String?

    /// Creates it from its parts.
    package init(done: String, id: String? = nil, name: String? = nil) {
        self.done = done
        self.id = id
        self.name = name
    }
}

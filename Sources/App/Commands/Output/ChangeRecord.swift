/// A change at the hub, as JSON.
package struct ChangeRecord: Encodable {
    /// What was added or selected.
    package typealias Subject = (id: String, name: String)

    /// What was done, in a sentence.
    package var done: String
    package var id: String?
    package var name: String?

    /// Says what was done, and to what.
    package init(done: String, id: String? = nil, name: String? = nil) {
        self.done = done
        self.id = id
        self.name = name
    }
}

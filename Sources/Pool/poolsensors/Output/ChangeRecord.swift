/// A change at the hub, as JSON.
struct ChangeRecord: Encodable {
    /// What was added or selected.
    typealias Subject = (id: String, name: String)

    /// What was done, in a sentence.
    var done: String
    var id: String?
    var name: String?
}

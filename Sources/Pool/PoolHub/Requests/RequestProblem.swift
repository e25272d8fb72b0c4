/// Why a command cannot be carried out, in words.
struct RequestProblem: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// Why a request cannot be done, in words.
struct RequestProblem: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

extension Problem {
    /// Somebody asks too often, or too many do.
    package static func tooMany(_ detail: String, wait seconds: Int) -> Problem {
        var problem = Problem(
            .tooMany, detail, french: "trop de demandes à la fois : réessayez dans \(seconds) s")
        problem.retryAfter = seconds
        return problem
    }
}

import PoolControl

extension HubReply {
    /// What was done.
    ///
    /// - Throws: ``Problem`` if the hub refused it.
    func sentence() throws(Problem) -> String {
        switch self {
        case .done(let sentence): return sentence
        case .refused(let sentence): throw Problem(.refused, sentence)
        case .revisionMoved, .serverHasDevices, .invitation, .trial, .log, .history, .alerts, .working, .detection,
            .differences, .configurationExported, .configurationImport, .links, .shared, .shares, .look, .state, .dosed,
            .doses, .advice, .forecasts:
            throw unexpected
        }
    }

    /// The problem that the hub refused a question, or gave another answer than it should.
    var unexpected: Problem {
        if case .refused(let sentence) = self { return Problem(.refused, sentence) }
        return Problem(.failed, "the hub gave another answer than it should; is it of another version?")
    }
}

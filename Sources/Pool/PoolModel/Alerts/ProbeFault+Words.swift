extension ProbeFault {
    /// What the probe does, as a clause about one of its values, such as
    /// `the pH probe reports 14.00: it is probably unplugged`.
    public func words(_ quantity: Quantity, _ value: Double) -> String {
        TextLanguage.english.words(for: .probeReports(quantity, value, self))
    }
}

extension Quantity {
    /// The name inside an English sentence.
    var nameInSentence: String { name.dropFirst().contains(where: \.isUppercase) ? name : name.lowercased() }
}

extension SessionProgram {
    /// The program without the steps that are not needed for a given condition.
    ///
    /// - Parameters:
    ///   - budget: The most shorter programs to try.
    ///   - isStillSo: Whether the condition holds for a shorter program.
    /// - Returns: The shortest program that was found.
    package func shrunk(
        budget: Int = 300, while isStillSo: (SessionProgram) throws -> Bool
    ) rethrows -> SessionProgram {
        var (best, tries) = (self, 0)
        var length = max(1, steps.count / 2)
        while true {
            var start = 0
            while start < best.steps.count, tries < budget {
                var shorter = best
                shorter.steps.removeSubrange(start..<min(start + length, best.steps.count))
                tries += 1
                if try isStillSo(shorter) { best = shorter } else { start += length }
            }
            guard length > 1, tries < budget else { return best }
            length /= 2
        }
    }
}

package import Text

extension Identifier {
    /// A new identity.
    package static func random() -> Identifier {
        var generator = SystemRandomNumberGenerator()
        return Identifier(using: &generator)
    }
}

extension HexadecimalID {
    /// A new identity of 16 bytes.
    package static func random() -> HexadecimalID {
        HexadecimalID(high: .random(in: 0...(.max)), low: .random(in: 0...(.max)))
    }
}

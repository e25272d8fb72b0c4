package import Foundation
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

extension UUID {
    /// The identity with the same 128 bits.
    package init<Thing>(_ id: Identifier<Thing>) {
        guard let same = UUID(uuidString: "\(id)") else { preconditionFailure("\(id) is no UUID") }
        self = same
    }
}

extension Identifier {
    /// The identity with the same 128 bits.
    package init(_ id: UUID) {
        guard let same = Identifier(id.uuidString) else { preconditionFailure("\(id) is no identity") }
        self = same
    }
}

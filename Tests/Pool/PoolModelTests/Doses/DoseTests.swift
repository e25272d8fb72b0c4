import PoolSamples
import Testing

@testable import PoolModel

/// What can be logged as a dose.
@Suite struct DoseTests {
    // V21
    private func dose(
        _ product: DoseProduct = .dichlor, _ amount: Double = 150, _ unit: Dose.Unit = .grams, strength: Double? = nil,
        at moment: Timestamp = noon, author: String = "me", note: String? = nil
    ) -> Dose {
        Dose(
            id: DoseID(high: 1, low: 2), poolID: PoolID(high: 3, low: 4), product: product, amount: amount, unit: unit,
            strengthPercent: strength, at: moment, author: author, note: note)
    }

    @Test func `each product is measured in its unit`() throws {
        for product in DoseProduct.allCases {
            for unit in Dose.Unit.allCases {
                let dose = dose(product, 100, unit)
                if product.units.contains(unit) {
                    try dose.validate(at: noon)
                } else {
                    #expect(throws: DoseError.unitWrong(product, unit)) { try dose.validate(at: noon) }
                }
            }
        }
    }

    @Test(arguments: [0, 0.09, -5, 1_000_001, .nan, .infinity] as [Double])
    func `an amount outside its range is refused`(amount: Double) {
        #expect(throws: DoseError.self) { try dose(.dichlor, amount).validate(at: noon) }
    }

    @Test(arguments: [0.1, 1, 1_000_000])
    func `an amount within its range is not`(amount: Double) throws {
        try dose(.dichlor, amount).validate(at: noon)
    }

    @Test func `a strength is one that the product can have`() throws {
        try dose(strength: 55).validate(at: noon)
        #expect(throws: DoseError.strengthOutOfRange(.dichlor, 12.5)) { try dose(strength: 12.5).validate(at: noon) }
        #expect(throws: DoseError.strengthOutOfRange(.other, 50)) {
            try dose(.other, strength: 50).validate(at: noon)
        }
        #expect(throws: DoseError.self) { try dose(strength: .nan).validate(at: noon) }
    }

    @Test func `a dose is of the last year, and not of the future`() throws {
        func moment(_ seconds: Int64) -> Timestamp { noon.advanced(byMilliseconds: 1000 * seconds) }
        try dose(at: moment(600)).validate(at: noon)
        #expect(throws: DoseError.inTheFuture(moment(601))) { try dose(at: moment(601)).validate(at: noon) }
        try dose(at: moment(-366 * 86_400)).validate(at: noon)
        #expect(throws: DoseError.self) { try dose(at: moment(-366 * 86_400 - 1)).validate(at: noon) }
        for extreme in [Int64.min, .max] {
            #expect(throws: DoseError.self) { try dose(at: Timestamp(milliseconds: extreme)).validate(at: noon) }
        }
    }

    @Test func `texts are short, and steer no terminal`() throws {
        try dose(note: String(repeating: "é", count: 128)).validate(at: noon)
        #expect(throws: DoseError.textTooLong(byteCount: 257)) {
            try dose(note: String(repeating: "a", count: 257)).validate(at: noon)
        }
        #expect(throws: DoseError.textSteers("\u{1B}")) { try dose(note: "a\u{1B}[2J").validate(at: noon) }
        #expect(throws: DoseError.textSteers("\u{202E}")) { try dose(author: "\u{202E}").validate(at: noon) }
    }

    @Test(arguments: [
        (0.5, "0.5 g"), (7, "7 g"), (7.25, "7.3 g"), (150, "150 g"), (999, "999 g"), (1000, "1 kg"), (1234, "1.23 kg"),
        (12_500, "12.5 kg"),
    ])
    func `amounts are shown with few digits`(amount: Double, text: String) {
        #expect(dose(.dichlor, amount).amountText == text)
    }

    @Test func `a dose survives JSON, and other members do not matter`() throws {
        let dose = dose(.sodiumHypochlorite, 400, .millilitres, strength: 12.5, note: "evening")
        let json = try CanonicalJSON.encode(dose)
        #expect(try CanonicalJSON.decode(Dose.self, from: json) == dose)
        let text = String(decoding: json, as: UTF8.self)
        #expect(text.contains(#""product":"sodium-hypochlorite""#) && text.contains(#""unit":"mL""#))
        let more = text.replacing("{", with: #"{"new":[1],"#, maxReplacements: 1)
        #expect(try CanonicalJSON.decode(Dose.self, from: Array(more.utf8)) == dose)
        let unknown = text.replacing("sodium-hypochlorite", with: "plutonium")
        #expect(throws: (any Error).self) { try CanonicalJSON.decode(Dose.self, from: Array(unknown.utf8)) }
    }
}

import Foundation
import RidesModel
import Testing

/// Amounts are exact in hundredths.
@Suite struct MontantTests {
    @Test(arguments: [
        ("0", 0), ("0.00", 0), ("0.01", 1), ("-0.01", -1), ("12.5", 1250), ("12.50", 1250), ("12.5000", 1250),
        ("99999999.99", 9_999_999_999), ("-99999999.99", -9_999_999_999), (".5", 50), ("7.", 700),
    ])
    func `C15 C24 the text of an amount is read to the hundredth`(_ text: String, _ centimes: Int64) throws {
        #expect(try Montant(texte: text).centimes == centimes)
    }

    @Test(arguments: [
        ("NaN", MontantError.notFinite("NaN")), ("-Infinity", .notFinite("-Infinity")),
        ("100000000.00", .outOfRange("100000000.00")), ("1e3", .unreadable("1e3")), ("", .unreadable("")),
        (".", .unreadable(".")), ("-", .unreadable("-")), ("1,5", .unreadable("1,5")), ("٣", .unreadable("٣")),
        ("1.005", .tooFine("1.005")), ("99999999999999999999", .outOfRange("99999999999999999999")),
    ])
    func `C15 what is no amount of two decimals is an error`(_ text: String, _ error: MontantError) {
        #expect(throws: error) { try Montant(texte: text) }
    }

    @Test func `C15 every hundredth survives a number of JSON`() throws {
        var generator = SystemRandomNumberGenerator()
        let random = (0..<20_000).map { _ in Int64.random(in: -9_999_999_999...9_999_999_999, using: &generator) }
        for centimes in [0, 1, -1, 9_999_999_999, -9_999_999_999, 29, 57, 115] + random {
            let amount = try Montant(centimes: centimes)
            let data = try JSONEncoder().encode([amount])
            #expect(try JSONDecoder().decode([Montant].self, from: data) == [amount])
            #expect(try Montant(texte: amount.description) == amount)
        }
        #expect(throws: MontantError.tooFine("0.005")) { try Montant(0.005) }
        #expect(throws: MontantError.outOfRange("100000000.0")) { try Montant(100_000_000) }
        #expect(throws: MontantError.notFinite("nan")) { try Montant(Double.nan) }
        #expect(throws: MontantError.outOfRange("10000000000 hundredths")) { try Montant(centimes: 10_000_000_000) }
        #expect(try JSONDecoder().decode(Montant.self, from: Data(#""12.50""#.utf8)).centimes == 1250)
    }

    @Test(arguments: [
        (0, "0,00\u{A0}CDF", "CDF\u{A0}0.00"), (-5, "-0,05\u{A0}CDF", "CDF\u{A0}-0.05"),
        (99_999, "999,99\u{A0}CDF", "CDF\u{A0}999.99"),
        (100_000, "1\u{202F}000,00\u{A0}CDF", "CDF\u{A0}1,000.00"),
    ])
    func `C23 amounts are written as the language does`(_ centimes: Int64, _ french: String, _ english: String) throws {
        let amount = try Montant(centimes: centimes)
        #expect(amount.formate(langue: .fr, devise: "CDF") == french)
        #expect(amount.formate(langue: .en, devise: "CDF") == english)
    }
}

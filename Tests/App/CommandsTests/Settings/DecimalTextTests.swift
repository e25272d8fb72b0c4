import ArgumentParser
import Testing

@testable import Commands

@Suite struct DecimalTextTests {
    @Test(arguments: [
        ("7", 7.0), ("7.2", 7.2), ("6,8", 6.8), ("-0,5", -0.5), ("+1,25", 1.25), (",5", 0.5), ("7,", 7),
        ("0,125", 0.125),
        ("1234,567", 1234.567), ("0,0005", 0.0005), ("12.345", 12.345),
    ])
    func `a number may have a decimal point or a decimal comma`(text: String, number: Double) {
        #expect(DecimalText.number(text) == number)
    }

    @Test(arguments: [
        "", ".", ",", "1,000", "12,345", "-1,000", "1.000,5", "1,000.5", "1,2,3", "0x7", "1e1", "nan", "٣",
    ])
    func `what may be another number, or is none, is not read`(text: String) {
        #expect(DecimalText.number(text) == nil)
    }

    @Test func `a comma that may stand for thousands is asked about`() throws {
        let error = try #require(throws: ValidationError.self) { _ = try DecimalText.flag("1,025") }
        #expect(error.message == "write 1.025 or 1025, whichever you mean")
    }
}

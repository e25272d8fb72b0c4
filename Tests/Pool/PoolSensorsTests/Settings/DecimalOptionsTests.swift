import ArgumentParser
import CommandSupport
import PoolControl
import Testing

@testable import poolsensors

@Suite struct DecimalOptionsTests {
    @Test func `each option for a number takes a decimal comma`() throws {
        let limits = try LimitsSetCommand.parse(["ph", "6,8", "7,0", "7,6", "7,8", "--device", "x"])
        #expect(limits.numbers.map(\.number) == [6.8, 7, 7.6, 7.8])
        #expect(try LimitsSetCommand.parse(["ph", "--low", "7,1", "--device", "x"]).low?.number == 7.1)
        #expect(try DoseAmount(flag: "1,5kg").amount == 1500)
        #expect(try PoolAddCommand.parse(["--name", "x", "--volume", "48,5"]).volume?.number == 48.5)
        let point = try CalibrateAddCommand.parse(["x", "ph", "--point", "4,01:4,00"])
        #expect(point.point == ["4,01:4,00"])
        #expect(try LinkSetCommand.parse(["--drop", "2,5%"]).patch().drop == 0.025)
        let settings = Settings(flags: [Catalog.probeRate.key: "0,5"], environment: [:], file: nil)
        #expect(try settings.value(of: Catalog.probeRate) == 0.5)
    }
}

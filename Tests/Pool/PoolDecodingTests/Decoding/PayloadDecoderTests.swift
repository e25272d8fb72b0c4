import PoolSamples
import Testing

@testable import PoolDecoding
@testable import PoolModel

@Suite struct PayloadDecoderTests {
    private let decoder = PayloadDecoder()

    @Test(arguments: [
        ("temperature", Quantity.temperature), ("Temp", .temperature), ("TEMPERATURE", .temperature), ("ph", .ph),
        ("pH", .ph), ("PH", .ph), (" Ph ", .ph), ("chlorine", .chlorine), ("Cl", .chlorine),
        ("free_chlorine", .chlorine), ("orp", .orp), ("ORP", .orp),
    ])
    func `X1 P50 a key counts in any case, in both notations`(key: String, quantity: Quantity) {
        #expect(decoder.decode("{\"\(key)\":12.5}").decoded?.values == [quantity: 12.5])
        #expect(decoder.decode("\(key):12.5").decoded?.values == [quantity: 12.5])
    }

    @Test(arguments: ["ph_max", "free_chlorine_min", "temp2", "p.h", "orpValue", "redox", ""])
    func `P53 a key that only contains a quantity's name does not count`(key: String) {
        #expect(decoder.decode("{\"\(key)\":7.5}").rejection == .noKnownQuantity(keys: [key]))
    }

    @Test(arguments: Quantity.allCases)
    func `X2 P48 P51 one quantity alone is a message, and the others are absent, not zero`(quantity: Quantity) throws {
        let key = quantity.facts.words.flatKeys[0]
        for message in ["{\"\(key)\":12}", "\(key):12"] {
            let values = try #require(decoder.decode(message).decoded).values
            #expect(values == [quantity: 12])
            #expect(Quantity.allCases.filter { values[$0] != nil } == [quantity])
        }
    }

    @Test func `salt in ppm is told by its unit or by its size, and a bare battery is not read`() {
        #expect(decoder.decode(#"{"salinity":3200,"ph":7.2}"#).decoded?.values == [.salinity: 3.2, .ph: 7.2])
        #expect(
            decoder.decode(#"{"salt":"3200 ppm","ec":"1.18 mS/cm"}"#).decoded?.values == [
                .salinity: 3.2, .conductivity: 1180,
            ])
        #expect(decoder.decode(#"{"salt":3.2,"salt_unit":"g/L"}"#).decoded?.values == [.salinity: 3.2])
        #expect(decoder.decode(#"{"ph":7.2,"battery":3.7}"#).decoded?.values == [.ph: 7.2])
        #expect(decoder.decode(#"{"ph":7.2,"battery_percent":97}"#).decoded?.values == [.ph: 7.2, .battery: 97])
        // The ppm of one message are those of the quantity that has such a unit.
        #expect(decoder.decode(#"{"salinity":3200,"unit":"ppm"}"#).decoded?.values == [.salinity: 3.2])
    }

    @Test func `P39 P41 P42 zero is a value, but not of an electrode, of which it says that it is unplugged`() {
        let decoded = decoder.decode(#"{"temperature":0,"ph":-0.0,"chlorine":0.0,"orp":0}"#).decoded
        #expect(decoded?.values == [.temperature: 0, .chlorine: 0])
        #expect(decoded?.quarantined.map(\.quantity) == [.ph, .orp])
        #expect(decoded?.quarantined.map(\.fault) == [.unplugged, .unplugged])
        #expect(decoder.decode(#"{"ph":7.2,"cl":-0.04}"#).decoded?.values == [.ph: 7.2, .chlorine: 0])
    }

    @Test(arguments: [
        ("7.2", 7.2), ("\"7.2\"", 7.2), ("\" 7.2\\r\\n\"", 7.2), ("\"7,2\"", 7.2), ("\"+7.2\"", 7.2), ("\"07.2\"", 7.2),
        ("\"7.\"", 7), ("\".5\"", 0.5), ("\"7.2 pH\"", 7.2), ("\"7.2PH\"", 7.2), ("\"72e-1\"", 7.2), ("7.2E0", 7.2),
        ("\"0,125\"", 0.125), ("\"7,25\"", 7.25), ("\"7,1234\"", 7.1234), ("7.2000000000000002", 7.2),
    ])
    func `a number is read exactly, also from a string`(value: String, number: Double) {
        let quantity = number < 1 ? Quantity.chlorine : .ph
        #expect(decoder.decode("{\"\(quantity.rawValue)\":\(value)}").decoded?.values[quantity] == number)
    }

    @Test(arguments: [
        ("null", "no_value"), ("\"\"", "no_value"), ("\" \"", "no_value"), ("true", "not_a_number"),
        ("[7.2]", "not_a_number"), ("{\"value\":7.2}", "not_a_number"), ("\"abc\"", "not_a_number"),
        ("\"7.2.1\"", "not_a_number"), ("\"--7\"", "not_a_number"), ("\"7e\"", "not_a_number"),
        ("\"0x10\"", "foreign_unit"), ("\"1,2,3\"", "not_a_number"), ("\",5\"", "not_a_number"),
        ("\"5,\"", "not_a_number"), ("\"1,5.2\"", "not_a_number"), ("\"unavailable\"", "no_value"),
        ("\"None\"", "no_value"), ("\"undefined\"", "no_value"), ("\"٧\"", "not_a_number"), ("\"７.2\"", "not_a_number"),
        ("NaN", "not_finite"),
        ("nan", "not_finite"), ("Infinity", "not_finite"), ("-inf", "not_finite"), ("1e999", "not_finite"),
        ("\"nan\"", "not_finite"), ("\"-Infinity\"", "not_finite"), ("\"1e999\"", "not_finite"),
        ("\"1,024\"", "ambiguous_number"), ("\"7,200\"", "ambiguous_number"), ("\"76 °F\"", "foreign_unit"),
        ("\"720 mV\"", "foreign_unit"),
    ])
    func `X2 P53 what is not a number is absent, with a remark, and the rest of the message counts`(
        value: String, code: String
    ) throws {
        let decoded = try #require(decoder.decode("{\"ph\":\(value),\"orp\":650}").decoded)
        #expect(decoded.values == [.orp: 650])
        #expect(decoded.remarks.map(\.code) == [code])
        #expect(decoded.remarks.allSatisfy { !$0.description.isEmpty })

        // Without another value, the message is rejected.
        let rejection = try #require(decoder.decode("{\"ph\":\(value)}").rejection)
        let isNothing = code == "no_value" || code == "not_finite"
        #expect(rejection.code == (isNothing ? "no_reading" : "no_usable_value"))
        #expect(rejection.isFault != isNothing)
    }

    @Test(arguments: [
        (Quantity.temperature, "24.5 °C", 24.5), (.temperature, "24.5C", 24.5), (.temperature, "24.5 ℃", 24.5),
        (.chlorine, "1.5 mg/L", 1.5), (.chlorine, "1.5ppm", 1.5), (.orp, "650 mV", 650),
    ])
    func `the own unit of a quantity may follow the number`(quantity: Quantity, text: String, number: Double) {
        #expect(NumberText(text, of: quantity) == .number(number))
    }

    @Test(arguments: [
        (#"{"pH":7.2,"ph":7.3}"#, 7.2), (#"{"ph":7.3,"pH":7.2}"#, 7.3), (#"{"ph":7.2,"ph":7.3}"#, 7.2),
        (#"{"ph":null,"pH":7.3}"#, 7.3), (#"{"ph":"x","pH":7.3,"PH":7.4}"#, 7.3), ("ph:7.1,PH:7.2", 7.1),
    ])
    func `of two keys for one quantity the first usable one counts, with a remark`(message: String, number: Double) {
        let decoded = decoder.decode(message).decoded
        #expect(decoded?.values == [.ph: number])
        #expect(decoded?.remarks.isEmpty == false)
    }

    @Test(arguments: [
        (#"{"temp":101.3,"unit":"F"}"#, Quantity.temperature, 38.5),
        (#"{"unit":"°F","ph":7.2,"temp":50}"#, .temperature, 10),
        (#"{"temp":101.3,"ph":7.2,"TempUnit":"F"}"#, .temperature, 38.5), (#"{"temp":"101.3 °F"}"#, .temperature, 38.5),
        (#"{"temp":26.5,"unit":"C"}"#, .temperature, 26.5), (#"{"orp":0.702,"orp_unit":"V"}"#, .orp, 702),
        (#"{"temp":26.5,"unit":""}"#, .temperature, 26.5), (#"{"temp":26.5,"ph":7.2,"unit":"mV"}"#, .temperature, 26.5),
        (#"{"temp":26.5,"ph":7.2,"units":"metric"}"#, .temperature, 26.5),
        ("temp:101.3,temp_unit:F", .temperature, 38.5),
    ])
    func `a unit in a flat message is read with each value`(message: String, quantity: Quantity, value: Double) {
        let read = decoder.decode(message).decoded?.values[quantity]
        #expect(read.map { abs($0 - value) < 0.001 } == true, "\(String(describing: read))")
    }

    @Test(arguments: [
        #"{"chlorine":0.802,"unit":"mV"}"#, #"{"cl":0.802,"cl_unit":"%"}"#, #"{"temp":12,"temp_unit":"x"}"#,
    ])
    func `a value in a unit of something else is no reading`(message: String) {
        #expect(decoder.decode(message).rejection?.code == "no_usable_value")
    }

    @Test func `an empty message is no fault of the device`() {
        #expect(decoder.decode("").rejection?.isFault == false)
    }

    @Test func `the second key of a quantity is named`() {
        let decoded = decoder.decode(#"{"temperature":20,"temp":21}"#).decoded
        #expect(decoded?.remarks == [.repeatedQuantity(.temperature, key: "temp")])
    }

    @Test(arguments: [
        (Quantity.temperature, -5.0, true), (.temperature, 60, true), (.temperature, -5.1, false),
        (.temperature, 60.1, false), (.temperature, -127, false), (.temperature, 85, false), (.ph, 0, false),
        (.ph, 0.99, false), (.ph, 1, true), (.ph, 7, true), (.ph, 13, true), (.ph, 14, false), (.ph, 14.01, false),
        (.ph, -0.01, false), (.chlorine, 0, true), (.chlorine, 40, true),
        (.chlorine, 40.1, false), (.chlorine, -0.11, false), (.orp, -500, true), (.orp, 1200, true),
        (.orp, 1201, false), (.orp, 65535, false), (.orp, -501, false), (.orp, -999, false), (.orp, 0, false),
        (.orp, -1, false), (.orp, -5, false), (.orp, 10, false), (.orp, 11, true), (.orp, -11, true),
    ])
    func `P54 a value that water cannot have is quarantined with its range`(
        quantity: Quantity, value: Double, isPlausible: Bool
    ) throws {
        let decoded = try #require(decoder.decode("{\"\(quantity.rawValue)\":\(value)}").decoded)
        #expect(decoded.values[quantity] == (isPlausible ? value : nil))
        #expect(decoded.quarantined.map(\.quantity) == (isPlausible ? [] : [quantity]))
        #expect(decoded.quarantined.map(\.value) == (isPlausible ? [] : [value]))
        #expect(decoded.quarantined.allSatisfy { $0.range == quantity.facts.possibleRange })
    }

    @Test(arguments: [
        "\r\n{\"ph\":7.2}\r\n", "\t {\r\n\t\"ph\"\r\n:\r\n7.2\r\n}\u{0B}", "\u{FEFF}{\"ph\":7.2}", "\n\nph:7.2\n",
    ])
    func `P49 line ends, blanks and a byte order mark around a message do not matter`(message: String) {
        #expect(decoder.decode(message).decoded?.values == [.ph: 7.2])
    }

    @Test(arguments: ["", " ", "\r\n", "\u{FEFF}", "\u{FEFF} \t"])
    func `a message of nothing is empty`(message: String) {
        #expect(decoder.decode(message).rejection == .empty)
    }

    @Test(
        arguments: [
            [0xFF, 0xFE], [0xFF], [0xC0, 0x80], Array("{\"ph\":7.2,\"x\":\"".utf8) + [0xB0] + Array("\"}".utf8),
            Array("ph:7.2".utf8) + [0], [0xED, 0xA0, 0x80],
        ] as [[UInt8]])
    func `P52 bytes that are no text are refused as such`(bytes: [UInt8]) {
        #expect(decoder.decode(bytes, receivedAt: noon, isRetained: false) == .rejected(.notText))
    }

    @Test func `S20 a binary message is recognised on any topic, and said so`() throws {
        let time: [UInt8] = [0x08, 0x90, 0xA3, 0xBB, 0xA6, 0xE8, 0x33]
        let metric: [UInt8] = [0x12, 17] + [UInt8](repeating: 0x20, count: 17)
        let sparkplug = time + metric + [0x18, 0xC8, 1]
        func rejection(_ bytes: [UInt8]) -> PayloadError? {
            decoder.decode(bytes, receivedAt: noon, isRetained: false).rejection
        }
        #expect(rejection(sparkplug) == .binary(.sparkplugB))
        #expect(rejection(sparkplug)?.description.contains("binary (Sparkplug B), which is not supported") == true)
        // Truncated, one byte too long, and from 1970: binary data of another kind.
        #expect(rejection(Array(sparkplug.dropLast(4))) == .notText)
        #expect(rejection(sparkplug + [0]) == .notText)
        #expect(rejection([0x08, 0x90, 0xA3, 0x01, 0x18, 0xC8, 1]) == .notText)
        #expect(rejection([0x1F, 0x8B, 0x08, 0x00]) == .binary(.compressed))
    }

    @Test(arguments: ["[1,2]", "7.2", "\"ph:7.2\"", "null", "true", "[{\"ph\":7.2}]", "NaN"])
    func `JSON that is no object is no message`(message: String) {
        #expect(decoder.decode(message).rejection == .notAnObject)
    }

    @Test(arguments: [
        "{\"ph\":7.2", "{\"ph\":7.2}}", "{\"ph\":7.2} ok", "{ph:7.2}", "{'ph':7.2}", "{\"ph\":07.2}", "{\"ph\":7.}",
        "{\"ph\":.5}", "{\"ph\":+7}", "{\"ph\":7.2,}", "{,\"ph\":7.2}", "{\"ph\" 7.2}", "{\"ph\":7.2;\"orp\":1}",
        "{\"a\\x\":1,\"ph\":7.2}", "{\"a\nb\":1,\"ph\":7.2}", "{\"ph\":7.2", "{\"ph\":tru}", "{\"ph\":-}",
        "{\"ph\":0x7}",
        "{\"ph\":7.2e}", "{\"\\u12\":1,\"ph\":7.2}", "{\"ph\":nul", "[\"ph\":7.2]", "{\"ph\":7 2}", "{\"ph\":1e+}",
    ])
    func `P53 broken JSON gives no measurement`(message: String) {
        #expect(decoder.decode(message).rejection?.code == "not_readable")
    }

    @Test func `P50 the reason names what is wrong in both notations`() throws {
        let rejection = try #require(decoder.decode("hello").rejection)
        #expect(
            rejection
                == .notReadable(
                    json: JSONParsingError(kind: .unexpectedByte(UInt8(ascii: "h")), offset: 0), text: .noColon("hello")
                ))
        #expect(
            rejection.description
                == "The message is neither JSON (unexpected \"h\" at byte 0) nor text such as temp:24.5,ph:7.2 "
                + "(no colon in \"hello\").")
        // A text that starts like JSON is treated as JSON: the reason does not depend on keys of the text format.
        #expect(
            decoder.decode("{\"ph\":7").rejection
                == .notReadable(json: JSONParsingError(kind: .unexpectedEnd, offset: 7), text: .looksLikeJSON))
        #expect(decoder.decode("{\"ph\":}").rejection?.description.contains("unexpected \"}\" at byte 6") == true)
        #expect(decoder.decode("{\"ph\":7").rejection?.description.contains("ends too early, after 7 bytes") == true)
    }

    @Test(
        arguments: [
            ("ph:7,2", [.ph: 7.2]), ("temp:24,5,ph:7,2,orp:650", [.temperature: 24.5, .ph: 7.2, .orp: 650]),
            ("ph:7.2,", [.ph: 7.2]), (",ph:7.2", [.ph: 7.2]), ("ph:7.2,,orp:650", [.ph: 7.2, .orp: 650]),
            ("ph:7.2,hardness:3.1", [.ph: 7.2]), ("ph:,orp:650", [.orp: 650]), ("ph:x,orp:650", [.orp: 650]),
            ("orp:1,024,ph:7.2", [.ph: 7.2]), ("ph:7.2,5,orp:650", [.orp: 650]),
            ("ph: 7.2 pH , orp : 650 mV", [.ph: 7.2, .orp: 650]),
        ] as [(String, QuantityMap<Double>)])
    func `P50 P51 the text form takes what is clear and nothing else`(message: String, values: QuantityMap<Double>) {
        let decoded = decoder.decode(message).decoded
        #expect(decoded?.values == values)
        #expect(decoded?.format == .text)
    }

    @Test(arguments: [
        ("7.2", "not_an_object"), ("25,6;7,21;650", "not_readable"), ("ph=7.2", "not_readable"),
        ("undefined", "not_readable"),
        // The first colon ends the key "Error", so the pH after it is part of a sentence.
        ("Error: ph:7.2", "no_known_quantity"), ("status:ok", "no_known_quantity"), ("\"ph\":7.2", "not_readable"),
        ("<ph:7.2>", "not_readable"), (":7.2", "not_readable"), ("pH 7.2", "not_readable"),
        ("ph:7.2 orp:650", "no_usable_value"),
        ("ph:nan", "no_reading"), ("{temp:24.5,ph:7.2}", "not_readable"),
    ])
    func `P51 P53 a text with no clear value is dropped with a reason`(message: String, code: String) throws {
        let rejection = try #require(decoder.decode(message).rejection)
        #expect(rejection.code == code)
    }

    @Test func `a message of up to 64 KiB is read, a longer one is not looked into`() {
        let start = "{\"ph\":7.2,\"x\":\""
        let filling = String(repeating: "x", count: 65_536 - start.utf8.count - 2)
        #expect(decoder.decode(start + filling + "\"}").decoded?.values == [.ph: 7.2])
        #expect(
            decoder.decode(start + filling + "x\"}").rejection == .tooLarge(byteCount: 65_537, limit: 65_536))
        #expect(
            decoder.decode(Array(repeating: 0, count: 1 << 20), receivedAt: noon, isRetained: false).rejection?.code
                == "too_large")
    }

    @Test func `32 levels are read, 33 are too deep, and 10,000 do not exhaust the stack`() {
        func nested(_ depth: Int) -> String {
            "{\"ph\":7.2,\"x\":" + String(repeating: "[", count: depth - 1) + String(repeating: "]", count: depth - 1)
                + "}"
        }
        #expect(decoder.decode(nested(32)).decoded?.values == [.ph: 7.2])
        #expect(decoder.decode(nested(33)).rejection == .tooDeep(limit: 32))
        #expect(decoder.decode(nested(10_000)).rejection == .tooDeep(limit: 32))
        #expect(decoder.decode(String(repeating: "{\"a\":", count: 10_000)).rejection == .tooDeep(limit: 32))
        #expect(decoder.decode(String(repeating: "[", count: 10_000)).rejection == .tooDeep(limit: 32))
    }

    @Test func `remarks are bounded and hold no more of a message than a person would read`() throws {
        let keys = (0..<100).map { "\"k\($0)\":1" }.joined(separator: ",")
        #expect(decoder.decode("{\(keys),\"ph\":7.2}").decoded?.remarks.count == 16)

        let long = String(repeating: "z", count: 60_000)
        let rejection = try #require(decoder.decode("{\"\(long)\":1}").rejection)
        #expect(rejection.description.count < 200)
        let remark = try #require(decoder.decode("{\"ph\":7.2,\"orp\":\"\(long)\"}").decoded?.remarks.first)
        #expect(remark.description.count < 200)

        let marks = "x" + String(repeating: "\u{301}", count: 5000)
        let all =
            "{\"\(marks)\":1,\"ph\":7,\"pH\":\"\(marks)\",\"orp\":\"1,024 \",\"cl\":\"\(marks)\",\"time\":\"soon\"}"
        let remarks = try #require(decoder.decode(all).decoded?.remarks)
        #expect(remarks.count == 5)
        #expect("\(remarks)".unicodeScalars.count < 1000)
    }

    @Test func `P37 an id in the message does not matter`() {
        let first = decoder.decode(#"{"id":"B9A0F6A4-1111-2222-3333-444455556666","ph":7.2}"#).decoded
        let second = decoder.decode(#"{"id":17,"ph":7.2}"#).decoded
        #expect(first?.values == second?.values)
    }

    @Test func `the labels of counters are fixed and different`() {
        let fault = JSONParsingError(kind: .badNumber, offset: 0)
        let rejections: [PayloadError] = [
            .empty, .tooLarge(byteCount: 1, limit: 0), .notText, .binary(.compressed), .tooDeep(limit: 1),
            .notReadable(json: fault, text: .looksLikeJSON), .notAnObject, .noKnownQuantity(keys: []),
            .noUsableValue(remarks: []), .noReading(remarks: []),
        ]
        #expect(
            rejections.map(\.code) == [
                "empty", "too_large", "not_text", "binary", "too_deep", "not_readable", "not_an_object",
                "no_known_quantity",
                "no_usable_value", "no_reading",
            ])
    }
}

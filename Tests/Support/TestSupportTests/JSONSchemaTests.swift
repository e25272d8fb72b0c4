import Foundation
import TestSupport
import Testing

@Suite struct JSONSchemaTests {
    private func faults(_ value: String, _ schema: String) throws -> [String] {
        let folder = try TemporaryFolder()
        try #"{"$defs":{"time":{"type":"string","pattern":"^[0-9]+Z$"}}}"#
            .write(toFile: folder.path("common.json"), atomically: true, encoding: .utf8)
        try schema.write(toFile: folder.path("it.json"), atomically: true, encoding: .utf8)
        return try JSONSchema(URL(filePath: folder.path("it.json"))).faults(of: value)
    }

    @Test(arguments: [
        (#"{"a":1}"#, []), (#"{"a":1.5}"#, ["$.a is of type number, not integer"]), ("{}", ["$.a is missing"]),
        (#"{"a":true}"#, ["$.a is of type boolean, not integer"]), ("[]", ["$ is of type array, not object"]),
        (#"{"a":1,"b":null}"#, ["$.b is not in the schema"]),
        (#"{"a":1,"t":"12Z","l":["x",null],"m":{"k":2}}"#, []),
        (#"{"a":1,"t":"12"}"#, ["$.t is 12, which does not match ^[0-9]+Z$"]),
        (#"{"a":1,"l":["z"]}"#, [#"$.l[0] is z, none of ["x", "y"]"#]),
        (#"{"a":1,"m":{"k":""}}"#, ["$.m.k is of type string, not number"]),
    ])
    func `a value is checked by each keyword`(value: String, expected: [String]) throws {
        let schema = #"""
            {"type":"object","required":["a"],"additionalProperties":false,"properties":{
              "a":{"type":"integer"},"t":{"$ref":"common.json#/$defs/time"},
              "l":{"type":"array","items":{"anyOf":[{"enum":["x","y"]},{"type":"null"}]}},
              "m":{"type":"object","additionalProperties":{"type":"number"}}}}
            """#
        #expect(try faults(value, schema) == expected)
    }

    @Test func `a keyword that is not known, and a reference to nothing, are refused`() {
        #expect(throws: JSONSchema.Fault.self) { try faults("1", #"{"minimum":3}"#) }
        #expect(throws: JSONSchema.Fault.self) { try faults("1", ##"{"$ref":"#/$defs/none"}"##) }
        #expect(throws: JSONSchema.Fault.self) { _ = try faults("1", "[]") }
    }
}

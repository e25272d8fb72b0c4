import PoolModel

/// One key with its value, from JSON or the text form.
struct PayloadField: Equatable {
    enum Value: Equatable {
        /// A number as written, valid by the grammar of JSON.
        case number(String)
        case text(String)
        case null
        case nonFinite
        /// Something that cannot be a number; a description of it with its article.
        case other(String)
    }

    var key: String
    var value: Value

    /// The meaning of the key, ignoring its case and the blanks around it.
    var meaning: Meaning? { Self.meanings[key.trimmedOfBlanks.lowercased()] }

    enum Meaning: Equatable {
        case quantity(Quantity)
        case time
        /// The unit of a quantity; nil if the unit itself tells of which.
        case unit(Quantity?)
    }

    private static let meanings: [String: Meaning] = {
        var meanings: [String: Meaning] = [
            "timestamp": .time, "time": .time, "unit": .unit(nil), "units": .unit(nil),
            "tempunit": .unit(.temperature), "temp_scale": .unit(.temperature),
        ]
        for quantity in Quantity.allCases {
            for key in quantity.facts.words.flatKeys {
                meanings[key] = .quantity(quantity)
                if quantity.facts.units.contains(where: { !$0.unit.symbol.isEmpty }) {
                    meanings[key + "_unit"] = .unit(quantity)
                }
            }
        }
        return meanings
    }()

    /// The members of a JSON object.
    static func fields(of members: [JSONValue.Member]) -> [PayloadField] {
        members.map { PayloadField(key: $0.key, value: Value($0.value)) }
    }
}

extension PayloadField.Value {
    init(_ value: JSONValue) {
        self =
            switch value {
            case .null: .null
            case .bool: .other("a truth value")
            case .number(let text): .number(text)
            case .nonFinite: .nonFinite
            case .string(let text): .text(text)
            case .array: .other("a list")
            case .object: .other("an object")
            }
    }
}

extension PayloadField {
    /// The number of a field, with the unit written after it, or why there is none.
    func number() -> Result<(number: Double, unit: String), FieldProblem> {
        let key = key.shortened
        switch value {
        case .number(let text):
            guard let number = Double(text), number.isFinite else { break }
            return .success((number, ""))
        case .nonFinite: break
        case .null: return .failure(FieldProblem(remark: .noValue(key: key)))
        case .other(let words): return .failure(FieldProblem(remark: .notANumber(key: key, found: words)))
        case .text(let text) where MappingWord.isNoValue(text):
            return .failure(FieldProblem(remark: .noValue(key: key)))
        case .text(let text):
            switch UnitNumberText(text) {
            case .number(let number, let unit): return .success((number, unit))
            case .nonFinite: break
            case .ambiguous: return .failure(FieldProblem(remark: .ambiguousNumber(key: key, text: text.shortened)))
            case .notANumber:
                let found = "\(Excerpt(text, scalarCountMax: 24))"
                return .failure(FieldProblem(remark: .notANumber(key: key, found: found)))
            }
        }
        return .failure(FieldProblem(remark: .notFinite(key: key)))
    }

    /// Why a field gives no number.
    struct FieldProblem: Error, Equatable, CustomStringConvertible {
        var remark: PayloadWarning

        var description: String { "\(remark)" }
    }
}

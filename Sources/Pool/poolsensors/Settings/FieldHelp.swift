import ArgumentParser
import PoolModel

extension ArgumentHelp {
    /// The help of the option that gives a field, as its row says it.
    init(_ field: RecordField<some TabledRecord>) {
        guard let option = field.option else { preconditionFailure("\(field.key) has no option") }
        self.init("\(option.help)", valueName: option.valueName)
    }
}

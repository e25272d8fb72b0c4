import PoolControl
import PoolModel

/// The form of a pool.
struct PoolForm: HubForm {
    /// The pool; nil for a new one.
    let id: PoolID?

    func form(in context: ScreenContext) -> Form {
        let pool = id.flatMap(context.hub.pool)
        let volume = pool?.volume.map { NumberFormat.fixed($0, decimals: 2) } ?? ""
        return Form(
            title: pool.map { "Pool \($0.name.sanitized)" } ?? "New pool",
            purpose: "A body of water: its limits hold for all of its devices.", action: id == nil ? "add" : "save",
            fields: [
                FormField("name", "Name", .text(TextField(pool?.name ?? "")), hint: "Such as Garden pool"),
                FormField(
                    "volume", "Volume", .text(TextField(volume)), hint: "Cubic metres; empty if you do not know"),
            ])
    }

    func reading(of form: Form, in context: ScreenContext) -> FormReading {
        var reading = FormReading()
        let text = form.text("volume")
        let volume = text.isEmpty ? nil : form.number("volume")
        if !text.isEmpty, volume == nil { reading.problems["volume"] = "Give a number of cubic metres, such as 48.5." }
        let pool = Pool(id: id ?? PoolID(high: 0, low: 0), name: form.text("name"), volume: volume)
        do throws(ConfigurationError) {
            try pool.validate()
        } catch {
            if case .volumeOutOfRange = error {
                reading.problems["volume"] = "\(error)"
            } else {
                reading.problems["name"] = "\(error)"
            }
        }
        if reading.problems.isEmpty {
            reading.command =
                id.map { .edit(.editPool($0, PoolPatch(of: pool))) } ?? .edit(.addPool(PoolPatch(of: pool)))
        }
        return reading
    }
}

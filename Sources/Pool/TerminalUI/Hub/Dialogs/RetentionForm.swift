import PoolControl
import PoolModel

/// The form of how long the history is kept.
struct RetentionForm: HubForm {
    func form(in context: ScreenContext) -> Form {
        let settings = context.hub.history
        return Form(
            title: "History", purpose: "Single readings are kept for a while, summaries for charts much longer.",
            fields: [
                FormField("raw", "Readings, days", .text(TextField("\(settings.rawDays)")), hint: "7 to 3650"),
                FormField(
                    "summary", "Summaries, days", .text(TextField("\(settings.summaryDays)")),
                    hint: "Not less than the readings, at most 36500"),
            ])
    }

    func reading(of form: Form, in context: ScreenContext) -> FormReading {
        var reading = FormReading()
        let raw = reading.count(form, "raw", in: HistorySettings.rawRange)
        let summary = reading.count(form, "summary", in: raw...HistorySettings.summaryDaysMax)
        if reading.problems.isEmpty {
            reading.command = .edit(.setHistory(HistorySettings(rawDays: raw, summaryDays: summary)))
        }
        return reading
    }
}

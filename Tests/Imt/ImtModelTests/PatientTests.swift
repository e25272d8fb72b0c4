import ImtModel
import Testing

@Suite struct PatientTests {
    private static let today = CalendarDay(days: 20_000)

    @Test(arguments: ["", " ", "\t\u{A0}\n"]) func `IMT4 a first name that is empty or blank is refused`(text: String) {
        #expect(throws: ImtProblem.self) { try PersonName.given(text) }
    }

    @Test func `IMT3 IMT4 names of any script are kept, and what is no name is refused with its way out`() throws {
        for text in ["O'Brien", "Zoé", "محمد", "王", "Anne-Marie", "👩‍⚕️"] {
            #expect(try PersonName.given(text).text == text)
        }
        for text in ["'", "*", "--", "\u{301}", "\u{FFFD}"] {
            let bare = try #require(throws: ImtProblem.self) { try PersonName.given(text) }
            #expect(bare.description.contains("has no letter"), "\(text)")
        }
        #expect(try PersonName.given("  Ada   Maria ").text == "Ada Maria")
        #expect(try PersonName.family("  ") == nil)
        let long = try #require(throws: ImtProblem.self) { try PersonName.given(String(repeating: "😀", count: 200)) }
        #expect(long.description.contains("200 characters in 800 bytes") && long.description.contains("at most 100"))
        let hidden = try #require(throws: ImtProblem.self) { try PersonName.family("Du\u{200B}pont") }
        #expect(hidden.description.contains("U+200B") && hidden.french.contains("U+200B"))
        #expect(throws: ImtProblem.self) { try PersonName.given("a\u{202E}b") }
        #expect(try PersonName.given(String(repeating: "é", count: 100)).text.count == 100)
        #expect(throws: ImtProblem.self) { try PersonName.given(String(repeating: "é", count: 101)) }
    }

    @Test func `IMT5 a date of birth is a day without a zone, and unknown stays unknown`() throws {
        let words = (english: "date of birth", french: "date de naissance")
        #expect(try CalendarDay.read("", words, today: Self.today) == nil)
        #expect(try CalendarDay.read(" 1980-02-29 ", words, today: Self.today)?.text == "1980-02-29")
        for text in ["1981-02-29", "1980-13-01", "0000-00-00", "80-01-01", "1879-12-31", "yesterday", "1980-2-9"] {
            let problem = try #require(throws: ImtProblem.self) {
                try CalendarDay.read(text, words, today: Self.today)
            }
            #expect(problem.description.contains(text) && problem.description.contains("such as"))
        }
        let future = try #require(throws: ImtProblem.self) {
            try CalendarDay.read("2099-01-01", words, today: Self.today)
        }
        #expect(future.description.contains("2099-01-01, which is in the future"))
    }

    @Test(arguments: [0, 1, 59, -1, 19_782, -32_872]) func `a day reads back as it is written`(days: Int) throws {
        #expect(CalendarDay(CalendarDay(days: days).text)?.days == days)
    }

    @Test func `IMT31 a picture's time is taken as cameras write it, and what cannot be is told`() throws {
        let time = try TakenTime("2024:05:31 10:20:30", isEstimated: false, today: Self.today)
        #expect(time.text == "2024-05-31T10:20:30" && time.day.text == "2024-05-31")
        #expect(try TakenTime("2024-05-31T10:20:30", isEstimated: true, today: Self.today).isEstimated)
        for text in [
            "0000:00:00 00:00:00", "2024:05:31", "2024:05:31 25:00:00", "    :  :     :  :  ", "1800:01:01 00:00:00",
        ] {
            #expect(throws: ImtProblem.self) { try TakenTime(text, isEstimated: false, today: Self.today) }
        }
        let future = try #require(throws: ImtProblem.self) {
            try TakenTime("2099:01:01 00:00:00", isEstimated: false, today: Self.today)
        }
        #expect(future.description.contains("2099-01-01, which is in the future"))
    }

    private func photo(_ side: Side, _ day: String?, _ number: UInt64, view: FaceView = .front) throws -> Photo {
        let taken = try day.map { try TakenTime("\($0)T10:00:00", isEstimated: false, today: Self.today) }
        return Photo(
            id: Photo.ID(high: 0, low: number), side: side, view: view, taken: taken,
            size: PictureSize(width: 100, height: 100), byteCount: 1, hash: "")
    }

    @Test func `IMT31 IMT38 of several photos after the last counts, and one before the photo before is warned of`()
        throws
    {
        var one = Transformation(id: Transformation.ID(high: 0, low: 1))
        one.photos = [
            try photo(.before, "2024-01-01", 1), try photo(.after, "2024-02-01", 2), try photo(.after, "2024-03-01", 3),
            try photo(.before, "2024-01-01", 4, view: .left),
        ]
        #expect(one.photo(.after, .front)?.id.low == 3)
        #expect(one.isComplete(.front) && !one.isComplete(.left) && !one.isComplete(.right))
        #expect(one.warning(.front) == nil)
        one.before = CalendarDay("2024-04-01")
        let warning = try #require(one.warning(.front))
        #expect(warning.description.contains("2024-03-01") && warning.description.contains("2024-04-01"))
    }

    @Test func `IMT33 a photo's own consent stands above the patient's, and what was not asked is no`() {
        for purpose in Purpose.allCases {
            for patient in [nil, false, true] {
                for own in [nil, false, true] {
                    var (all, one) = (Consent(), Consent())
                    (all[purpose], one[purpose]) = (patient, own)
                    #expect(Consent.allows(purpose, patient: all, photo: one) == (own ?? patient ?? false))
                }
            }
        }
        #expect(!Consent.allows(.marketing, patient: Consent(clinical: true), photo: Consent(clinical: true)))
    }

    @Test func `IMT36 a row for watches has the first name, an initial and counts only`() throws {
        let patient = Patient(
            id: Patient.ID(high: 1, low: 2), given: try .given("Zoé"), family: try .family("Ångström"),
            birth: CalendarDay("1980-05-31"))
        let row = PatientPage.Row(
            id: patient.id, given: patient.given.text, initial: PatientPage.initial(of: patient.family?.text), count: 2,
            sides: [.before])
        let text = String(decoding: try CanonicalJSON.encode(row), as: UTF8.self)
        #expect(text.contains("Zoé") && text.contains("Å") && !text.contains("ngström") && !text.contains("1980"))
        #expect(PatientPage.pageCount(of: 0) == 1 && PatientPage.pageCount(of: 40) == 1)
        #expect(PatientPage.pageCount(of: 41) == 2)
        #expect(PatientPage.initial(of: nil) == "")
    }
}

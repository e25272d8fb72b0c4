import ImtModel
import ImtPhone
import WebServer

/// Answers the routes of the page.
struct ClinicHandlers: Sendable {
    let clinic: Clinic
    let streams: StreamPlaces
    let accounts: AccountStore
    let clock: @Sendable () -> Timestamp

    // MARK: - Patients

    func list(_ context: RequestContext) async throws -> WebResponse {
        try .json(try await clinic.list(try context.number("page"), find: context.parameter("find") ?? ""))
    }

    func addPatient(_ context: RequestContext) async throws -> WebResponse {
        let members = try context.members(["given", "family", "birth"])
        let patient = try await clinic.add(
            given: try members.text("given"), family: try members.optionalText("family") ?? "",
            birth: try members.optionalText("birth") ?? "", by: context.author)
        return try .json(patient, status: 201)
    }

    func patient(_ context: RequestContext) async throws -> WebResponse {
        let (patient, transformations) = try await clinic.open(try context.id(), by: context.author)
        let seesPhotos = Right.photo.isGiven(to: context.account)
        return try .json(
            PatientView(patient: patient, transformations: transformations.map { TransformationView($0, seesPhotos) }))
    }

    func editPatient(_ context: RequestContext) async throws -> WebResponse {
        let members = try context.members(["given", "family", "birth"])
        return try .json(
            try await clinic.edit(
                try context.id(), given: try members.optionalText("given"), family: try members.optionalText("family"),
                birth: try members.optionalText("birth"), by: context.author))
    }

    func erase(_ context: RequestContext) async throws -> WebResponse {
        try .json(["photos": try await clinic.erase(try context.id(), by: context.author)])
    }

    func consentOfPatient(_ context: RequestContext) async throws -> WebResponse {
        let (purpose, isGiven) = try context.consent()
        return try .json(try await clinic.consent(try context.id(Patient.self), purpose, isGiven, by: context.author))
    }

    func export(_ context: RequestContext) async throws -> WebResponse {
        guard let purpose = context.parameter("purpose").flatMap(Purpose.init(rawValue:)) else {
            throw context.wrong("purpose", context.parameter("purpose") ?? "", "clinical or marketing")
        }
        let files = try await clinic.export(try context.id(), for: purpose, by: context.author)
        let place = try streams.take(context.account)
        let seconds = context.now.milliseconds / 1000
        return WebResponse.streaming("application/x-tar") { [self] stream in
            defer { withExtendedLifetime(place) {} }
            for file in files {
                // A long archive ends when its account loses its rights.
                guard let account = try await accounts.account(of: context, at: clock()),
                    Right.photo.isGiven(to: account)
                else { throw CancellationError() }
                try await stream.write(TarArchive.entry(file.name, try await clinic.contents(of: file), at: seconds))
            }
            try await stream.write(TarArchive.end)
        }.with("content-disposition", "attachment; filename=\"patient.tar\"")
    }

    // MARK: - Transformations

    func addTransformation(_ context: RequestContext) async throws -> WebResponse {
        let members = try context.members(["name"])
        let one = try await clinic.addTransformation(
            of: try context.id(), name: try members.optionalText("name") ?? "", by: context.author)
        return try .json(TransformationView(one, true), status: 201)
    }

    func editTransformation(_ context: RequestContext) async throws -> WebResponse {
        let members = try context.members(["name", "before", "after"])
        let one = try await clinic.edit(
            try context.id(), name: try members.optionalText("name"), before: try members.optionalText("before"),
            after: try members.optionalText("after"), by: context.author)
        return try .json(TransformationView(one, Right.photo.isGiven(to: context.account)))
    }

    func removeTransformation(_ context: RequestContext) async throws -> WebResponse {
        try await clinic.remove(try context.id(Transformation.self), by: context.author)
        return WebResponse(204)
    }

    // MARK: - Photos

    func addPhoto(_ context: RequestContext) async throws -> WebResponse {
        var place = Clinic.Place(
            try context.id(), try context.choice("side", Side.self), try context.choice("view", FaceView.self, .front))
        if let text = context.parameter("replaces") {
            guard let id = Photo.ID(text) else { throw context.wrong("replaces", text, "the id of a photo") }
            place.replacing = id
        }
        let taken = try await clinic.addPhoto(
            context.request.body, at: place, taken: context.parameter("taken"),
            fileTime: context.parameter("fileTime"), by: context.author)
        return try .json(
            TakenView(photo: taken.photo, notice: taken.notice?.text(in: context.request.language)), status: 201)
    }

    func picture(_ context: RequestContext) async throws -> WebResponse {
        WebResponse(200, .bytes(try await clinic.picture(try context.id(), by: context.author)), type: "image/jpeg")
    }

    func thumb(_ context: RequestContext) async throws -> WebResponse {
        WebResponse(200, .bytes(try await clinic.thumb(try context.id())), type: "image/jpeg")
    }

    func setEyes(_ context: RequestContext) async throws -> WebResponse {
        let members = try context.members(["leftX", "leftY", "rightX", "rightY"])
        var points: (left: PicturePoint, right: PicturePoint)?
        if ["leftX", "leftY", "rightX", "rightY"].contains(where: members.has) {
            points = (
                PicturePoint(x: try members.number("leftX"), y: try members.number("leftY")),
                PicturePoint(x: try members.number("rightX"), y: try members.number("rightY"))
            )
        }
        return try .json(try await clinic.setEyes(try context.id(), points, by: context.author))
    }

    func consentOfPhoto(_ context: RequestContext) async throws -> WebResponse {
        let (purpose, isGiven) = try context.consent()
        return try .json(try await clinic.consent(try context.id(Photo.self), purpose, isGiven, by: context.author))
    }

    func removePhoto(_ context: RequestContext) async throws -> WebResponse {
        try await clinic.remove(try context.id(Photo.self), by: context.author)
        return WebResponse(204)
    }

    func log(_ context: RequestContext) async throws -> WebResponse {
        do {
            return try .json(try await clinic.audit(limit: try context.number("limit")))
        } catch let problem as ImtProblem {
            throw Problem(.failed, problem.description, french: problem.french)
        }
    }
}

/// A patient as the page shows her.
private struct PatientView: Encodable {
    var patient: Patient
    var transformations: [TransformationView]
}

/// A transformation as the page shows it.
private struct TransformationView: Encodable {
    /// A photo, with its place in the frame of comparison.
    struct Shown: Encodable {
        var photo: Photo
        var place: Similarity
        var isAligned: Bool
    }

    var id: Transformation.ID
    var name: String?
    var before: CalendarDay?
    var after: CalendarDay?
    /// The views of which both photos are there.
    var complete: [FaceView]
    /// The photos; empty for those who may not see them.
    var photos: [Shown]
    /// Warnings by view, in both languages.
    var warnings: [[String]]

    init(_ one: Transformation, _ seesPhotos: Bool) {
        id = one.id
        name = one.name?.text
        before = one.before
        after = one.after
        complete = FaceView.allCases.filter(one.isComplete)
        warnings = FaceView.allCases.compactMap(one.warning).map { [$0.description, $0.french] }
        photos =
            seesPhotos
            ? one.photos.map { photo in
                let isAligned = CompareFrame.aligns([Side.before, .after].compactMap { one.photo($0, photo.view) })
                return Shown(
                    photo: photo, place: CompareFrame.place(of: photo, isAligned: isAligned), isAligned: isAligned)
            } : []
    }
}

/// A photo that was taken in.
private struct TakenView: Encodable {
    var photo: Photo
    var notice: String?
}

extension RequestContext {
    /// Who asks, for the log.
    fileprivate var author: Author { Author(account.author) }

    /// The identity in the path.
    fileprivate func id<Thing: Identified>(_: Thing.Type = Thing.self) throws(Problem) -> Identifier<Thing> {
        guard let id = Identifier<Thing>(subject) else {
            throw Problem(.missing, "there is no \(Excerpt(subject)): ids are as the lists show them", value: subject)
        }
        return id
    }

    /// A parameter that is one of a few words.
    fileprivate func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String, _ type: Choice.Type, _ usual: Choice? = nil
    ) throws(Problem) -> Choice {
        guard let text = parameter(name) else {
            guard let usual else { throw lacks(name) }
            return usual
        }
        guard let choice = Choice(rawValue: text) else {
            throw wrong(name, text, "one of " + Choice.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return choice
    }

    /// A purpose, and whether it is agreed to.
    fileprivate func consent() throws(Problem) -> (Purpose, Bool?) {
        let members = try members(["purpose", "isGiven"])
        let purpose = try members.choice("purpose", Purpose.self)
        return (purpose, members.isNull("isGiven") ? nil : try members.optionalFlag("isGiven"))
    }
}

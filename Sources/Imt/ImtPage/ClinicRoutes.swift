import ImtModel
import ImtPhone
import WebServer

extension Route.Tag {
    fileprivate static let patients: Route.Tag = "patients"
    fileprivate static let photos: Route.Tag = "photos"
}

/// The routes of the page; each says which right it needs where its handler is named.
enum ClinicRoutes {
    private static let upload = Route.Upload(type: "image/jpeg", byteCountMax: JPEGScan.byteCountMax)

    static let all: [HandledRoute<ClinicHandlers>] = patients + transformations + photos + others

    private static let patients: [HandledRoute<ClinicHandlers>] = [
        Route(
            "patients", "GET", "/api/v1/patients", for: .account, in: .patients,
            "A page of the list, or what is found.",
            parameters: [
                RouteParameter("page", .integer(0...1_000_000, usual: 0), "The number of the page, from 0."),
                RouteParameter("find", .text, "The beginnings of words of names."),
            ], answer: .object("The page.")
        ).needs(.list) { try await $0.list($1) },
        Route(
            "addPatient", "POST", "/api/v1/patients", for: .account, in: .patients, "Adds a patient.",
            body: "newPatient",
            answer: .created("patient", "Added."), isRefusable: true
        ).needs(.edit) { try await $0.addPatient($1) },
        Route(
            "patient", "GET", "/api/v1/patients/{patient}", for: .account, in: .patients,
            "A patient, with transformations; with photos for those who may see them.", answer: .object("The patient.")
        ).needs(.list) { try await $0.patient($1) },
        Route(
            "editPatient", "PATCH", "/api/v1/patients/{patient}", for: .account, in: .patients, "Changes a patient.",
            body: "patientEdit", answer: .object("The patient."), isRefusable: true
        ).needs(.edit) { try await $0.editPatient($1) },
        Route(
            "erasePatient", "DELETE", "/api/v1/patients/{patient}", for: .confirmedPerson, in: .patients,
            "Erases a patient with all photos. Sensitive.", answer: .object("What is gone."), isRefusable: true
        ).needs(.edit) { try await $0.erase($1) },
        Route(
            "consent", "PUT", "/api/v1/patients/{patient}/consent", for: .account, in: .patients,
            "Notes what a patient agrees to; null for not asked.", body: "consent", answer: .object("The patient.")
        ).needs(.edit) { try await $0.consentOfPatient($1) },
        Route(
            "export", "GET", "/api/v1/patients/{patient}/export", for: .account, in: .patients,
            "The photos that may be used for a purpose, with a manifest and FHIR R4.",
            parameters: [RouteParameter("purpose", .text, isRequired: true, "clinical or marketing.")],
            answer: .text("application/x-tar", "An archive."), isRefusable: true
        ).needs(.photo) { try await $0.export($1) },
    ]

    private static let transformations: [HandledRoute<ClinicHandlers>] = [
        Route(
            "addTransformation", "POST", "/api/v1/patients/{patient}/transformations", for: .account, in: .patients,
            "Adds a transformation.", body: "newTransformation", answer: .created("transformation", "Added.")
        ).needs(.edit) { try await $0.addTransformation($1) },
        Route(
            "editTransformation", "PATCH", "/api/v1/transformations/{transformation}", for: .account, in: .patients,
            "Changes a transformation.", body: "transformationEdit", answer: .object("The transformation.")
        ).needs(.edit) { try await $0.editTransformation($1) },
        Route(
            "removeTransformation", "DELETE", "/api/v1/transformations/{transformation}", for: .account, in: .patients,
            "Removes a transformation with its photos.", answer: .nothing("Removed.")
        ).needs(.edit) { try await $0.removeTransformation($1) },
        Route(
            "addPhoto", "POST", "/api/v1/transformations/{transformation}/photos", for: .account, in: .photos,
            "Takes in a photo.",
            parameters: [
                RouteParameter("side", .text, isRequired: true, "before or after."),
                RouteParameter("view", .text, "front, left or right; front if left out."),
                RouteParameter("taken", .text, "When it was taken, as the camera noted it."),
                RouteParameter("fileTime", .text, "The time of its file, such as 2026-06-01T12:00:00."),
                RouteParameter("replaces", .id, "The photo whose place it takes."),
            ], upload: upload, answer: .created("photo", "Taken in."), isRefusable: true
        ).needs(.edit) { try await $0.addPhoto($1) },
    ]

    private static let photos: [HandledRoute<ClinicHandlers>] = [
        Route(
            "picture", "GET", "/api/v1/photos/{photo}/picture", for: .account, in: .photos, "The picture of a photo.",
            answer: .text("image/jpeg", "A JPEG.")
        ).needs(.photo) { try await $0.picture($1) },
        Route(
            "thumb", "GET", "/api/v1/photos/{photo}/thumb", for: .account, in: .photos, "The thumb of a photo.",
            answer: .text("image/jpeg", "A JPEG.")
        ).needs(.photo) { try await $0.thumb($1) },
        Route(
            "eyes", "PUT", "/api/v1/photos/{photo}/eyes", for: .account, in: .photos,
            "Notes where the eyes are, in points of the picture; without members it forgets them.", body: "eyes",
            answer: .object("The photo.")
        ).needs(.edit) { try await $0.setEyes($1) },
        Route(
            "photoConsent", "PUT", "/api/v1/photos/{photo}/consent", for: .account, in: .photos,
            "Notes what holds for this photo only; null for what holds for the patient.", body: "consent",
            answer: .object("The photo.")
        ).needs(.edit) { try await $0.consentOfPhoto($1) },
        Route(
            "removePhoto", "DELETE", "/api/v1/photos/{photo}", for: .account, in: .photos, "Deletes a photo.",
            answer: .nothing("Deleted."), isRefusable: true
        ).needs(.edit) { try await $0.removePhoto($1) },
    ]

    private static let others: [HandledRoute<ClinicHandlers>] = [
        Route(
            "log", "GET", "/api/v1/log", for: .owner, in: .server, "The newest entries of the log.",
            parameters: [RouteParameter("limit", .integer(1...1000, usual: 100), "How many.")],
            answer: .object("The entries.")
        ).handled { try await $0.log($1) },
        Route(
            "rights", "GET", "/api/v1/rights", for: .account, in: .session, "What this account may do.",
            answer: .object("The rights.")
        ).handled { handlers, context in
            try .json(Right.allCases.filter { $0.isGiven(to: context.account) }.map(\.rawValue))
        },
        Route(
            "health", "GET", "/healthz", for: .nothing, in: .server, "Whether the server is up.",
            answer: .object("It is.")
        ).handledForAll { _, _, _ in try .json(["isUp": true]) },
    ]
}

extension Route {
    /// The route with the code that answers accounts that have a right; each answer may name a patient, so they need that of
    /// the list, too.
    fileprivate func needs(
        _ right: Right, _ handler: @escaping @Sendable (ClinicHandlers, RequestContext) async throws -> WebResponse
    ) -> HandledRoute<ClinicHandlers> {
        handled { handlers, context in
            for needed in [right, .list] where !needed.isGiven(to: context.account) {
                let words = needed.words
                throw Problem(
                    .forbidden, "this account may not \(words.english): ask an owner for \(needed.rawValue)",
                    french: "ce compte ne peut pas \(words.french) : demandez \(needed.rawValue) à un propriétaire")
            }
            do {
                return try await handler(handlers, context)
            } catch let problem as ImtProblem {
                throw Problem(problem)
            }
        }
    }
}

extension Problem {
    /// The answer to a refusal of the clinic.
    fileprivate init(_ problem: ImtProblem) {
        let kind: Problem.Kind =
            switch problem.kind {
            case .unfit: .wrongMember
            case .tooLarge: .tooLarge
            case .missing: .missing
            case .refused: .refused
            case .failed: .failed
            }
        self.init(kind, problem.description, french: problem.french)
    }
}

/// A change of a face that is documented with photos before and after (IMT7, IMT8).
package struct Transformation: Identified, Hashable, Codable, Sendable {
    package typealias ID = Identifier<Transformation>

    /// The identity, which stays.
    package let id: ID
    /// What it is called; nil if it has no name.
    package var name: PersonName?
    /// The day before, if a person gave one; else that of the photo counts.
    package var before: CalendarDay?
    /// The day after, if a person gave one.
    package var after: CalendarDay?
    /// Its photos: for each view first that before, then those after by their time.
    package var photos: [Photo]

    /// Describes a transformation.
    package init(
        id: ID, name: PersonName? = nil, before: CalendarDay? = nil, after: CalendarDay? = nil, photos: [Photo] = []
    ) {
        self.id = id
        self.name = name
        self.before = before
        self.after = after
        self.photos = photos
    }

    /// The photo of a side and a view that is compared: of several after, the last one.
    package func photo(_ side: Side, _ view: FaceView) -> Photo? { photos.last { $0.side == side && $0.view == view } }

    /// Whether a pair can be shown (IMT16).
    package func isComplete(_ view: FaceView) -> Bool { photo(.before, view) != nil && photo(.after, view) != nil }

    /// The day of a side: what a person gave, else that of the photo.
    package func day(_ side: Side, _ view: FaceView) -> CalendarDay? {
        (side == .before ? before : after) ?? photo(side, view)?.taken?.day
    }

    /// The warning if the photo after seems to be older than the one before (IMT31); nil if all is well.
    package func warning(_ view: FaceView) -> ImtProblem? {
        guard let first = day(.before, view), let second = day(.after, view), second < first else { return nil }
        return ImtProblem(
            .unfit,
            "the photo after is of \(second.text), the one before of \(first.text): are they the right way round?",
            "la photo après est du \(second.text), la photo avant du \(first.text) : sont-elles dans le bon ordre ?")
    }
}

/// Which of the two moments a photo shows.
package enum Side: String, CaseIterable, Codable, Hashable, Sendable {
    case before, after
}

/// From where a face is seen (IMT38).
package enum FaceView: String, CaseIterable, Codable, Hashable, Sendable {
    case front, left, right
}

/// What is known of a photo; its picture is elsewhere, sealed.
package struct Photo: Identified, Hashable, Codable, Sendable {
    package typealias ID = Identifier<Photo>

    /// The identity, which stays; a retake has another one.
    package let id: ID
    /// Whether it is the one before.
    package var side: Side
    /// From where the face is seen.
    package var view: FaceView
    /// When it was taken; nil if that is unknown.
    package var taken: TakenTime?
    /// The columns and rows of the upright picture.
    package var size: PictureSize
    /// The bytes of the picture.
    package var byteCount: Int
    /// The SHA-256 of the picture, in hexadecimal digits.
    package var hash: String
    /// The eyes; nil if nobody has set them.
    package var eyes: EyePoints?
    /// What was agreed to for this photo only.
    package var consent: Consent

    /// Describes a photo.
    package init(
        id: ID, side: Side, view: FaceView, taken: TakenTime?, size: PictureSize, byteCount: Int, hash: String,
        eyes: EyePoints? = nil, consent: Consent = Consent()
    ) {
        self.id = id
        self.side = side
        self.view = view
        self.taken = taken
        self.size = size
        self.byteCount = byteCount
        self.hash = hash
        self.eyes = eyes
        self.consent = consent
    }
}

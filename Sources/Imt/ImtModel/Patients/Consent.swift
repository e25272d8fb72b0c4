/// What photos may be used for (IMT33).
package enum Purpose: String, CaseIterable, Codable, Hashable, Sendable {
    /// For the treatment: shown on watches, and exported for it.
    case clinical
    /// For advertising and teaching.
    case marketing
}

/// What was agreed to, for each purpose; what was not asked is not agreed to.
package struct Consent: Hashable, Codable, Sendable {
    /// For the treatment; nil if it was not asked.
    package var clinical: Bool?
    /// For advertising and teaching; nil if it was not asked.
    package var marketing: Bool?

    /// Creates a consent.
    package init(clinical: Bool? = nil, marketing: Bool? = nil) {
        self.clinical = clinical
        self.marketing = marketing
    }

    /// The decision for a purpose.
    package subscript(purpose: Purpose) -> Bool? {
        get {
            switch purpose {
            case .clinical: clinical
            case .marketing: marketing
            }
        }
        set {
            switch purpose {
            case .clinical: clinical = newValue
            case .marketing: marketing = newValue
            }
        }
    }

    /// Whether a photo with this consent of its own, of a patient with that one, may be used for a purpose.
    ///
    /// The photo's own decision stands above the patient's.
    package static func allows(_ purpose: Purpose, patient: Consent, photo: Consent) -> Bool {
        photo[purpose] ?? patient[purpose] ?? false
    }
}

/// One key or one link that acts (T24–T28).
///
/// To define one never runs it, and to define it again replaces it.
package struct Shortcut: Hashable, Codable, Identified {
    package typealias ID = Identifier<Shortcut>

    /// What a shortcut runs.
    package enum Run: Hashable, Codable, Sendable {
        case action(Appliance.ID, Action)
        case scene(Scene.ID)
    }

    /// Its identity, which stands in links.
    package var id: ID
    /// What people call it, 1…64 bytes.
    package var name: String
    /// One character beside the name; nil for none.
    package var icon: String?
    /// What it runs.
    package var run: Run
    /// Whether a person must confirm each run.
    package var confirm: Bool
    /// The grant that a watch needs for it, beside the one to act; nil for none.
    package var grant: String?

    /// Creates a shortcut.
    ///
    /// - Throws: ``ModelProblem`` for a name of a bad length, or an icon of more than one character.
    package init(
        id: ID, name: String, icon: String? = nil, run: Run, confirm: Bool = false, grant: String? = nil
    ) throws(ModelProblem) {
        try Limit.check(name: name)
        if let icon, icon.count != 1 || icon.utf8.count > 64 {
            throw ModelProblem("the icon \(Excerpt(icon)) has \(icon.count) characters: give one")
        }
        self.id = id
        self.name = name
        self.icon = icon
        self.run = run
        self.confirm = confirm
        self.grant = grant
    }
}

/// Several actions, one after another.
package struct Scene: Hashable, Codable, Identified {
    package typealias ID = Identifier<Scene>

    /// One action.
    package struct Step: Hashable, Codable, Sendable {
        /// What acts.
        package var appliance: Appliance.ID
        /// What it does.
        package var action: Action
        /// The time since the step before, 0…655 s.
        package var after: Duration

        /// Creates a step.
        package init(_ appliance: Appliance.ID, _ action: Action, after: Duration = .zero) {
            self.appliance = appliance
            self.action = action
            self.after = after
        }
    }

    /// Its identity.
    package var id: ID
    /// What people call it, 1…64 bytes.
    package var name: String
    /// The actions, 1…16.
    package var steps: [Step]

    /// Creates a scene.
    ///
    /// - Throws: ``ModelProblem`` for a name of a bad length, no step, more than 16, or more than an hour in all.
    package init(id: ID, name: String, steps: [Step]) throws(ModelProblem) {
        try Limit.check(name: name)
        try Limit.sceneSteps.check(steps.count)
        for step in steps {
            try Limit.delay.check(step.after)
            try step.action.check()
        }
        try Limit.runTime.check(steps.reduce(.zero) { $0 + $1.after })
        self.id = id
        self.name = name
        self.steps = steps
    }
}

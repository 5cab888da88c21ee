/// What kind of workspace a policy is for.
package enum WorkspaceEnvironment: String, Sendable, Hashable, CaseIterable {
    case production
    /// The only one whose `settings` may say `demo: true` (signed-configuration: Demo mode).
    case demo
}

/// How a workspace's configs reach installs.
package enum ConfigDelivery: String, Sendable, Hashable, CaseIterable {
    /// From a config URL, and in bundles that are made from what is served.
    case served
    /// In bundles alone: apps without a config URL.
    case bundleOnly = "bundle-only"
}

/// A lint finding that the team accepts, with its reason.
package struct Waiver: Sendable, Hashable {
    package var file: String
    package var pointer: String
    package var rule: String
    package var reason: String

    package init(file: String, pointer: String, rule: String, reason: String) {
        self.file = file
        self.pointer = pointer
        self.rule = rule
        self.reason = reason
    }
}

/// What `workspace.json` says about environment, delivery, lifetimes and renewal; none of it is in
/// the payload.
package struct WorkspacePolicy: Sendable, Hashable {
    package var workspace: WorkspaceName
    /// False where there is no `workspace.json`: the values of a production workspace hold, and a
    /// renewal keeps its source's lifetime.
    package var isDeclared: Bool
    package var environment: WorkspaceEnvironment
    package var delivery: ConfigDelivery
    package var lifetimes: Lifetimes
    /// Remaining life at which a config is signed again; nil is half of the config's lifetime.
    package var renewBefore: DurationSeconds?
    /// After how long a device asks again at the latest, in seconds; nil where nobody says.
    package var ttlSeconds: Int64?
    /// Who must confirm a grant key before it may sign.
    package var orderBackends: [String]
    package var waivers: [Waiver]

    package init(
        workspace: WorkspaceName, isDeclared: Bool = true,
        environment: WorkspaceEnvironment = .production, delivery: ConfigDelivery = .served,
        lifetimes: Lifetimes = Lifetimes(), renewBefore: DurationSeconds? = nil,
        ttlSeconds: Int64? = nil,
        orderBackends: [String] = [], waivers: [Waiver] = []
    ) {
        self.workspace = workspace
        self.isDeclared = isDeclared
        self.environment = environment
        self.delivery = delivery
        self.lifetimes = lifetimes
        self.renewBefore = renewBefore
        self.ttlSeconds = ttlSeconds
        self.orderBackends = orderBackends
        self.waivers = waivers
    }

    /// The values that hold where there is no `workspace.json`.
    package static func undeclared(_ workspace: WorkspaceName) -> WorkspacePolicy {
        WorkspacePolicy(workspace: workspace, isDeclared: false)
    }

    /// Remaining life at which a config of the given lifetime is signed again.
    package func renewalPoint(lifetime: DurationSeconds) -> DurationSeconds {
        renewBefore ?? DurationSeconds(lifetime.seconds / 2)
    }
}

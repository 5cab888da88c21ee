/// What is signed for a workspace, by how long it may live.
package enum LifetimeKind: String, Sendable, Hashable, CaseIterable {
    case config
    case bundle
    case bundleWithOffers = "bundle_with_offers"
    case grant
    case preview

    /// What holds where the policy says nothing.
    package var standard: DurationSeconds {
        switch self {
        case .config: .days(30)
        case .bundle: .days(14)
        case .bundleWithOffers: .days(3)
        case .grant: .hours(1)
        case .preview: .hours(1)
        }
    }

    /// What no policy may exceed.
    package var cap: DurationSeconds {
        switch self {
        case .config, .bundle: Limits.configLifetime
        case .bundleWithOffers: Limits.bundleWithOffersLifetime
        case .grant: Limits.grantLifetime
        case .preview: Limits.previewLifetime
        }
    }
}

/// The lifetimes of a workspace's policy, in seconds each.
package struct Lifetimes: Sendable, Hashable {
    package var config = LifetimeKind.config.standard
    package var bundle = LifetimeKind.bundle.standard
    package var bundleWithOffers = LifetimeKind.bundleWithOffers.standard
    package var grant = LifetimeKind.grant.standard
    package var preview = LifetimeKind.preview.standard

    package init() {}

    package subscript(kind: LifetimeKind) -> DurationSeconds {
        get {
            switch kind {
            case .config: config
            case .bundle: bundle
            case .bundleWithOffers: bundleWithOffers
            case .grant: grant
            case .preview: preview
            }
        }
        set {
            switch kind {
            case .config: config = newValue
            case .bundle: bundle = newValue
            case .bundleWithOffers: bundleWithOffers = newValue
            case .grant: grant = newValue
            case .preview: preview = newValue
            }
        }
    }
}

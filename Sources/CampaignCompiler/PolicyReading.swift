internal import GronaFormats
internal import StrictJSON

/// `workspace.json`, read and checked.
struct PolicyReading {
    private(set) var findings: Findings
    private(set) var waivers: [WaiverEntry] = []

    /// The file's root, where it is an object.
    private(set) var root: JSONElement?

    /// What it says, where every member that decides something could be read.
    private(set) var policy: WorkspacePolicy?

    static let members = [
        "workspace", "min_sdk", "ttl_seconds", "settings", "environment", "delivery", "lifetimes",
        "renew_before", "order_backends", "waivers",
    ]

    init(_ source: WorkspaceSource) {
        findings = Findings(source: source, fileName: WorkspaceSource.policyFileName)
        let name = WorkspaceSource.policyFileName.utf8
        guard let file = source.files.first(where: { $0.name.utf8.elementsEqual(name) }) else {
            findings.add(.workspaceMissing, position: Findings.start, pointer: "", .noPolicy)
            return
        }
        // `settings` stands in a payload at the level at which it stands here.
        guard let root = findings.document(file, outerDepth: 0),
            let object = findings.object(root, .workspaceForm)
        else { return }
        self.root = object
        read(object, folder: source.folder)
    }

    private mutating func read(_ root: JSONElement, folder: String) {
        findings.unknownMembers(
            of: root, known: Self.members, .workspaceMember, ignoring: SourceMembers.isDropped)
        let name = WorkspaceNameRule.check(root, folder: folder, &findings)
        let minSDK = WorkspaceMinSDKRule.check(root, &findings)
        let ttl = TTLRule.check(root, &findings)
        let environment = EnvironmentRule.environment(root, &findings)
        let delivery = EnvironmentRule.delivery(root, &findings)
        EnvironmentRule.settings(root, environment: environment, &findings)
        let lifetimes = LifetimesRule.read(root, &findings)
        let renewBefore = RenewBeforeRule.read(root, &findings)
        let backends = OrderBackendsRule.read(root, &findings)
        waivers = WaiversRule.read(root, &findings)
        guard let name, minSDK != nil, let ttl, let environment, let delivery else { return }
        if delivery == .served {
            RenewBeforeRule.judge(renewBefore, lifetimes.config, ttl: ttl, root, &findings)
        }
        policy = WorkspacePolicy(
            workspace: name, environment: environment, delivery: delivery, lifetimes: lifetimes,
            renewBefore: renewBefore, ttlSeconds: ttl, orderBackends: backends,
            waivers: waivers.map(\.waiver))
    }
}

import CommandLineKit
import GronaCommand
import GronaFormats
import LinuxIO
import ProjectFiles
import PublishProtocol
import Publishing

/// Looks at the workspaces of a store: those that were named, or all.
///
/// What stands in the way of one workspace, such as a folder in the store without a keyring, is told
/// in its line where nobody named it: the others are looked at all the same.
struct StatusSurvey {
    private let context: CommandContext
    private let recent: Int
    private let store: any PublicationStore
    private let ledger: LedgerSnapshot
    private let user: String
    private let advice: StatusAdvice
    private let trust: Trust
    /// Versions that hold renewals up, as the last run on this host was told.
    private let unpublished: [WorkspaceName: Int64]
    /// What the last run could not renew, and no later one can.
    private let refused: [WorkspaceName: RefusedRenewal]

    /// The workspaces that have a campaign folder, with a policy or without.
    private let campaigns: Set<WorkspaceName>

    /// Who is believed: the pins that were given, or the keyrings.
    private enum Trust {
        case pins(FilePath)
        case keyrings(KeyringFiles, below: FilePath)
    }

    init(_ context: CommandContext, recent: Int) throws(Failure) {
        self.context = context
        self.recent = recent
        store = try context.openStore(try context.from())
        let identity = UserIdentity.current()
        user = identity.name ?? String(identity.userID)
        let log = try LedgerPlace.open(context, of: store)
        do throws(PublicationLedgerError) { ledger = try LedgerSnapshot(log) } catch {
            throw Failure(error)
        }
        let place = StateFolder(try context.stateFolder()).store(store.name)
        let memory = try? RefreshMemory(place)
        unpublished = memory?.unpublished ?? [:]
        refused = memory?.refused ?? [:]
        let folder = try context.campaigns()
        let folders = (try? CampaignFolder.workspaces(below: folder).map(\.path)) ?? []
        let bare = (try? CampaignFolder.foldersWithoutPolicy(below: folder)) ?? []
        campaigns = Set(
            (folders.compactMap { $0.lastComponent?.description } + bare.map(\.description))
                .compactMap { WorkspaceName($0) })
        let isGiven = context.call[SharedOptions.from] != nil
        advice = StatusAdvice(
            store: isGiven ? store.name : nil, given: try GivenOptions(context),
            isForOperators: context.console.isSpelled("grona-publish"))
        if let pins = try context.pins() {
            trust = .pins(pins)
            return
        }
        let keys = try context.keys()
        do throws(ProjectFileError) {
            trust = .keyrings(try KeyringFiles.read(below: keys), below: keys)
        } catch {
            throw Failure(error)
        }
    }

    func picture() throws(Failure) -> StatusPicture {
        let named = context.call.all(PublishOptions.workspaces)
        var pictures: [WorkspacePicture] = []
        if named.isEmpty {
            let workspaces = try known()
            var progress = Progress(
                context.console, unit: "workspaces", total: workspaces.count,
                clock: SystemClock.monotonicNanoseconds)
            for workspace in workspaces {
                do throws(Failure) {
                    let picture = try look(at: workspace)
                    if picture.state == .missing, isGivenUp(workspace) {
                        context.console.note(
                            "\(workspace) is given up: nothing is served, and it has no campaign"
                                + " folder")
                    } else {
                        pictures.append(picture)
                    }
                } catch {
                    pictures.append(unreadable(workspace, error.reason))
                }
                progress.advance()
            }
            progress.finish()
        } else {
            var seen: Set<WorkspaceName> = []
            for workspace in named where seen.insert(workspace).inserted {
                pictures.append(try look(at: workspace))
            }
        }
        for index in pictures.indices {
            for place in pictures[index].findings.indices {
                spell(&pictures[index].findings[place])
            }
        }
        return StatusPicture(store: store.name, madeAt: context.now, workspaces: pictures)
    }

    /// Names commands as they are typed here.
    private func spell(_ finding: inout StatusFinding) {
        let console = context.console
        finding.message = console.spelled(finding.message)
        finding.help = finding.help.map { console.spelled($0) }
        finding.commands = finding.commands.map { console.spelled($0) }
    }

    /// The workspaces in the store, and those that the ledger saw there.
    private func known() throws(Failure) -> [WorkspaceName] {
        var names = ledger.names
        do throws(StoreError) { names.formUnion(try store.workspaces()) } catch {
            throw Failure(error, store: store.name)
        }
        if names.isEmpty, !store.listsWorkspaces {
            context.console.note(
                "\(store.name) cannot tell which workspaces it has: name those to look at")
        }
        return names.sorted()
    }

    /// Whether there are campaign folders, and none of this workspace.
    private func isGivenUp(_ workspace: WorkspaceName) -> Bool {
        !campaigns.isEmpty && !campaigns.contains(workspace)
    }

    private func look(at workspace: WorkspaceName) throws(Failure) -> WorkspacePicture {
        let policy = try context.policy(workspace)
        let (judge, keys) = try judge(workspace)
        var publisher = Publisher(
            store: store, ledger: ledger, judge: judge, user: user,
            isRehearsal: context.isRehearsal)
        publisher.staged = StagedEnvelopes(
            StateFolder(try context.stateFolder()).store(store.name))
        let reader = WorkspaceReader(
            publisher: publisher, policy: policy, keys: keys, now: context.now, recent: recent)
        do throws(PublishingError) {
            var picture = try reader.picture(advice)
            if let held = unpublished[workspace], held > picture.version ?? 0,
                policy.delivery == .served,
                !picture.alarms.contains(RefreshOutcome.unpublishedNewer)
            {
                // The same in other words.
                let same = RuleCode.transitionStaleSource.rawValue
                picture.findings.removeAll { $0.code == same }
                picture.alarms.removeAll { $0 == same }
                picture.findings.append(advice.heldUp(held, in: picture))
                picture.alarms.append(RefreshOutcome.unpublishedNewer)
            }
            if let refusal = refused[workspace], refusal.version == picture.version,
                policy.delivery == .served
            {
                // It says more than the ledger, which has the code alone.
                picture.findings.removeAll { $0.code.utf8.elementsEqual(refusal.code.utf8) }
                picture.findings.append(advice.refused(refusal))
                if !picture.alarms.contains(refusal.code) { picture.alarms.append(refusal.code) }
            }
            return picture
        } catch {
            throw Failure(error, store: store.name)
        }
    }

    private func unreadable(_ workspace: WorkspaceName, _ reason: Diagnostic) -> WorkspacePicture {
        var picture = WorkspacePicture(workspace, .unreadable)
        picture.alarms = [reason.code]
        picture.findings = [StatusAdvice.finding(reason)]
        return picture
    }

    private func judge(
        _ workspace: WorkspaceName
    ) throws(Failure) -> (judge: DocumentJudge, keys: [StatusKey]) {
        switch trust {
        case .pins(let path):
            let pins: PinsFile
            do { pins = try PinsOnDisk.read(path, for: workspace).pins } catch {
                throw Failure(error)
            }
            do {
                return (try DocumentJudge(pins: pins, now: context.now), StatusKey.all(in: pins))
            } catch {
                throw Failure(error)
            }
        case .keyrings(let files, let folder):
            let file: KeyringFile
            do throws(ProjectFileError) { file = try files.usable(workspace, below: folder) } catch
            {
                throw Failure(publicHalves: error)
            }
            try Ownership.warn(about: file.path, on: context.console)
            do {
                return (
                    try DocumentJudge(keyring: file.keyring, now: context.now),
                    StatusKey.all(in: file.keyring)
                )
            } catch {
                throw Failure(error)
            }
        }
    }
}

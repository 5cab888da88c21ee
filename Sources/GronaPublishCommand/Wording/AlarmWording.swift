import CommandLineKit
import GronaFormats
import PublishProtocol

/// The words for what an operator must see whatever the run comes to.
enum AlarmWording {
    /// How many of one code are shown: a store that somebody filled with junk says no more.
    private static let most = 5

    /// The alarms to show, of each code the first few and how many more there are.
    static func diagnostics(_ alarms: [Alarm], file: String?) -> [Diagnostic] {
        shown(alarms).map { alarm, more in
            var diagnostic = diagnostic(alarm, file: file)
            if more > 0 { diagnostic.message += ", and \(more) more like it" }
            return diagnostic
        }
    }

    /// The same as messages alone.
    static func messages(_ alarms: [Alarm]) -> [String] {
        shown(alarms).map { alarm, more in
            message(alarm) + (more > 0 ? ", and \(more) more like it" : "")
        }
    }

    /// The codes of alarms, each once.
    static func codes(_ alarms: [Alarm]) -> [String] {
        var codes: [String] = []
        for code in alarms.map(\.code) where !(codes.last?.utf8.elementsEqual(code.utf8) ?? false) {
            codes.append(code)
        }
        return codes
    }

    private static func shown(_ alarms: [Alarm]) -> [(alarm: Alarm, more: Int)] {
        let byCode = Dictionary(grouping: alarms) { $0.code }
        var shown: [String: Int] = [:]
        var result: [(Alarm, Int)] = []
        for alarm in alarms {
            let count = shown[alarm.code, default: 0] + 1
            shown[alarm.code] = count
            guard count <= most else { continue }
            let all = byCode[alarm.code]?.count ?? count
            result.append((alarm, count == most ? all - most : 0))
        }
        return result
    }

    static func diagnostic(_ alarm: Alarm, file: String?) -> Diagnostic {
        .warning(code: alarm.code, message: message(alarm), file: file, help: help(alarm))
    }

    static func message(_ alarm: Alarm) -> String {
        switch alarm {
        case .rolledBack(let served, let mark): RefusalWording.rolledBack(served, mark)
        case .servedUnusable(let code)
        where code.utf8.elementsEqual(RuleCode.headerUnknownKid.rawValue.utf8):
            "what is served is signed by no key that is trusted, and the ledger never saw it: devices"
                + " take it only where they pin that key (\(code))"
        case .servedUnusable(let code): "no device takes what is served: \(code)"
        case .otherContent(let version):
            "another content is served under version \(version) than it was given to"
        case .farServed(let version, let mark):
            "version \(version) is served, signed by a key that is not trusted any more, and more"
                + " than \(VersionRules.largestStep) above \(mark), the highest known"
        case .farClaim(let version, let mark):
            "version \(version) is claimed in the store, more than \(VersionRules.largestStep)"
                + " above \(mark), the highest known: it does not count"
        case .junkClaim(let version):
            "under version \(version) stands something in the store that is not known to be ours:"
                + " no key of ours signed it, or one that is compromised"
        case .junkBundle(let name):
            "\(name) in the store's bundles is nothing that our keys signed under that name"
        }
    }

    private static func help(_ alarm: Alarm) -> String? {
        switch alarm {
        case .rolledBack:
            "'grona-publish recover' brings the newest content back, above everything that was"
                + " served"
        case .servedUnusable: "'grona-publish recover' shows what there is to go by"
        case .otherContent: "push the content of that number again, or a new version"
        case .farServed:
            "installs that took it take nothing below; --allow-jump says what to go on with"
        case .farClaim, .junkClaim, .junkBundle: "find out who else writes to the store"
        }
    }
}

package import CampaignCompiler
package import CommandLineKit
import GronaFormats
import StrictJSON

extension Diagnostic {
    /// A lint finding with its place.
    ///
    /// - Parameter exit: the status where the finding is an error.
    package init(_ finding: Finding, exit: ExitStatus) {
        let isError = finding.severity == .error
        self.init(
            isError ? .error : .warning, code: finding.rule.rawValue,
            message: FindingWording.message(finding.detail), file: finding.file,
            line: finding.position.line, column: finding.position.column,
            pointer: finding.pointer, help: FindingWording.help(finding.detail),
            exit: isError ? exit : .success)
    }
}

/// The words for what lint finds in a campaign folder.
package enum FindingWording {
    package static func message(_ detail: FindingDetail) -> String {
        switch detail {
        case .json(let error): JSONWording.message(error.detail)
        case .missing(let member): "the member \"\(member)\" is missing"
        case .unknown(let member): "the member \"\(member)\" is not known"
        case .type(let expected, let found): "\(words(found)), where \(words(expected)) is needed"
        case .form(let expected, let found): "\"\(found)\" is not \(words(expected))"
        case .time(let error, let found): "\"\(found)\" is no time: \(words(error))"
        case .word(let expected, let found):
            "\"\(found)\" is none of \(expected.joined(separator: ", "))"
        case .range(let found, let least, let most): "\(found) is not within \(least) to \(most)"
        case .lifetime(let found, let most):
            found < 1
                ? "\(span(found)) is no lifetime"
                : "\(span(found)) is over the limit of \(span(most))"
        case .folderName(let found, let folder):
            "the workspace is \"\(found)\", and its folder is called \"\(folder)\""
        case .fileName(let found, let file):
            "the id is \"\(found)\", and the file is called \(file)"
        case .reserved(let word): "\"\(word)\" is reserved"
        case .duplicate(let id, let file, let pointer):
            "\"\(id)\" stands already in \(file) \(pointer)"
        case .weights(let sum, let expected): "the weights add up to \(sum), not to \(expected)"
        case .onlyControls: "an offer needs a variant that is not a control"
        case .treatmentWithoutOffer(let kind):
            "a treatment on a campaign of kind \"\(kind)\"; only an offer has one"
        case .treatmentNeedsCustomer: "a campaign with a treatment has the unit \"customer\""
        case .neverOn(let starts, let ends):
            "it ends at \(UnixTime(ends)), not after its start at \(UnixTime(starts))"
        case .email(let text): "an e-mail address: \"\(text)\""
        case .phone(let text): "it looks like a phone number: \"\(text)\""
        case .customerID(let text): "it looks like a customer's id: \"\(text)\""
        case .segment(let text): "the segment \"\(text)\" does not look opaque"
        case .demoOutsideDemo: "settings.demo is true, and the environment is not \"demo\""
        case .unoperable(let renewBefore, let needed, _, _):
            "renewal begins \(DurationWording.short(renewBefore)) before expiry; to notice a fault"
                + " and repair it takes \(DurationWording.short(needed))"
        case .alwaysDue(let renewBefore, let lifetime):
            "renewal begins \(DurationWording.short(renewBefore)) before expiry, and a config lives"
                + " only \(DurationWording.short(lifetime)): every run renews it"
        case .unwaivable(let rule): "the rule \(rule) cannot be waived"
        case .unusedWaiver(let file, let pointer, let rule):
            "no finding of \(rule) at \(file) \(pointer) is waived by this"
        case .payloadSize(let found, let most):
            "the payload has \(found) bytes, over the limit of \(most)"
        case .fileSize(let most): "more than \(most) bytes"
        case .ignoredFile(let name): "\(name) is not read: names of campaigns end in .json"
        case .more(let count): count == 1 ? "and 1 more" : "and \(count) more"
        case .noPolicy: "there is no workspace.json"
        }
    }

    /// What to do about it, where the message does not say so.
    package static func help(_ detail: FindingDetail) -> String? {
        switch detail {
        case .json(let error): JSONWording.help(error.detail)
        case .unknown: "members whose names begin with $ are remarks and are not signed"
        case .email, .phone, .customerID, .segment:
            "anyone can fetch the config: it holds no personal data"
        case .unusedWaiver: "remove the waiver"
        case .fileName: "rename the file or change the id"
        case .folderName: "rename the folder or change the workspace"
        case .time: "write it like 2026-10-24T18:00:00+02:00, or in Unix seconds"
        case .type(.integer, .number): "write it in digits only, without a point or an exponent"
        case .neverOn: "correct it, or accept it in \"waivers\" of workspace.json with a reason"
        case .demoOutsideDemo: "production configs never set it"
        case .unoperable(_, let needed, let lifetime, let isDeclared):
            operable(needed, lifetime, isDeclared: isDeclared)
        case .alwaysDue:
            "set \"renew_before\" to less than \"config\" of \"lifetimes\", such as half of it"
        case .missing, .type, .form, .word, .range, .lifetime, .reserved, .duplicate, .weights,
            .onlyControls, .treatmentWithoutOffer, .treatmentNeedsCustomer, .unwaivable,
            .payloadSize, .fileSize, .ignoredFile, .more,
            .noPolicy:
            nil
        }
    }

    /// Which member to set to what: whole days, and twice as much life as is left at renewal.
    private static func operable(_ needed: Int64, _ lifetime: Int64, isDeclared: Bool) -> String {
        let days = needed / 86_400 + (needed % 86_400 == 0 ? 0 : 1)
        let life = DurationSeconds(min(2 * days * 86_400, Limits.configLifetime.seconds))
        let longer = lifetime < life.seconds ? #""config" of "lifetimes" to "\#(life)""# : nil
        let earlier = isDeclared ? #""renew_before" to "\#(days)d""# : nil
        let members = [earlier, longer].compactMap(\.self)
        return "set " + members.joined(separator: " and ") + " or more; the handbook's page"
            + " Renewal has a table"
    }

    private static func words(_ type: ValueType) -> String {
        switch type {
        case .object: "an object"
        case .array: "an array"
        case .string: "a string"
        case .number: "a number with a fraction or exponent"
        case .integer: "a whole number"
        case .boolean: "true or false"
        case .null: "null"
        case .time: "a time (Unix seconds, or RFC 3339 with an offset)"
        case .duration: "a duration (seconds, or 90s, 15m, 12h, 30d)"
        }
    }

    private static func words(_ form: ValueForm) -> String {
        switch form {
        case .identifier: "an id of 1 to 128 letters, digits, dots, dashes, underscores, colons"
        case .workspaceName: "a workspace: a-z, 0-9 and dashes, at most 63 characters"
        case .version: "a version such as 1.4.0"
        case .duration: "a duration such as 90s, 15m, 12h, 30d"
        case .notEmpty: "text with at least one character"
        }
    }

    private static func words(_ error: TimeError) -> String {
        switch error {
        case .syntax: "it is not of the form 2026-10-24T18:00:00+02:00"
        case .fraction: "it has a fraction of a second"
        case .leapSecond: "Unix seconds have no second 60"
        case .offsetMissing: "its offset from UTC is missing"
        case .noSuchTime: "no such day, hour, minute or second exists"
        case .outOfBounds: "it is not from 2020 to 2100"
        }
    }

    /// Whole days, hours or minutes where they are, else seconds.
    private static func span(_ seconds: Int64) -> String {
        for (unit, name) in [(86_400, "day"), (3_600, "hour"), (60, "minute")] as [(Int64, String)]
        where seconds != 0 && seconds % unit == 0 {
            let count = seconds / unit
            return count == 1 ? "1 \(name)" : "\(count) \(name)s"
        }
        return seconds == 1 ? "1 second" : "\(seconds) seconds"
    }
}

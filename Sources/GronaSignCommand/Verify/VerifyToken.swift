import CommandLineKit
import GronaCommand
import GronaFormats
import GronaVerification
import JOSE
import LinuxIO
import StrictJSON

/// `verify --grant` and `verify --preview`: what an order backend, or a device, says to a token.
struct VerifyToken {
    let context: CommandContext

    init(_ context: CommandContext) {
        self.context = context
    }

    func grant(_ token: String) throws(Failure) -> ExitStatus {
        let bytes = try VerifyInput.token(token)
        let checker = TokenChecker(trust: try trust(bytes))
        let query = try query()
        let nonces = context.call[VerifyOptions.usedNonces].map {
            UsedNonces(path: $0, console: context.console)
        }
        let report = try checker.checkGrant(bytes, query, at: context.now) {
            nonce, expiresAt throws(Failure) -> NonceUse in
            guard let nonces else { return .notAsked }
            return try nonces.use(nonce, until: expiresAt, at: context.now)
        }
        return show(report, claims: report.claims?.json, of: GrantClaims.names)
    }

    func preview(_ token: String) throws(Failure) -> ExitStatus {
        let bytes = try VerifyInput.token(token)
        let report = TokenChecker(trust: try trust(bytes)).checkPreview(
            bytes, workspace: try context.workspace()?.text, at: context.now)
        return show(report, claims: report.claims?.json, of: PreviewClaims.names)
    }

    private func trust(_ bytes: [UInt8]) throws(Failure) -> TrustedKeys {
        let header = (try? CompactJWS(parsing: bytes)).flatMap {
            try? HeaderRule.read($0.protected)
        }
        return try VerifyTrust(context: context).keys(for: header?.kid)
    }

    private func query() throws(Failure) -> GrantQuery {
        let call = context.call
        return GrantQuery(
            workspace: try context.workspace()?.text, subject: try subject(),
            campaign: call[VerifyOptions.campaign]?.text,
            variant: call[VerifyOptions.variant]?.text,
            treatmentType: call[VerifyOptions.type]?.text,
            treatmentValue: call[VerifyOptions.value])
    }

    private func subject() throws(Failure) -> String? {
        guard let subject = context.call[VerifyOptions.sub], subject == "-" else {
            return context.call[VerifyOptions.sub]
        }
        let bytes = try InputDocument.readLine(limit: Limits.Reader.line)
        guard let text = String(validating: bytes, as: UTF8.self), !text.isEmpty else {
            throw context.call.usage("value", "--sub -: expected text that is not empty")
        }
        return text
    }

    private func show<Claims>(
        _ report: TokenReport<Claims>, claims: JSONValue?, of names: [String]
    ) -> ExitStatus {
        let console = context.console
        if console.preferences.json {
            var members: [(String, JSONValue)] = [
                ("accepted", .boolean(report.accepted)),
                ("code", VerifyJSON.text(report.code?.rawValue)),
                ("kid", VerifyJSON.text(report.kid?.text)),
            ]
            if case .object(let values) = claims {
                members += values
            } else {
                members += names.map { ($0, .null) }
            }
            members += [
                ("checks", CheckReport.json(report.checks)),
                ("warnings", CheckReport.json(warnings: report.warnings)),
            ]
            console.json(.object(members))
        } else {
            if let kid = report.kid { console.line("signed by \(kid)") }
            if let claims {
                console.line(
                    DisplayText.escaped(String(decoding: claims.canonical(), as: UTF8.self)))
            }
            console.write(CheckReport.table(report.checks).text(style: console.style))
            CheckReport.tell(report.warnings, file: nil, on: console)
            VerifyVerdict.tell(report.violation, file: nil, on: console)
            if report.accepted { console.line("accepted") }
        }
        return report.accepted ? .success : .negative
    }
}

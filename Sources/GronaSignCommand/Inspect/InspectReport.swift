import CommandLineKit
import GronaCommand
import GronaFormats
import StrictJSON

/// A document taken apart, as text and as JSON, marked as not verified.
struct InspectReport {
    let document: InspectDocument

    init(_ document: InspectDocument) {
        self.document = document
    }

    private var kind: String {
        switch document.type {
        case .config: "config"
        case .grant: "grant"
        case .preview: "preview"
        case nil: "unknown"
        }
    }

    /// `{"verified": false, "kind", "form", "size", "header", "payload", "signature_size",
    /// "problems": [{"part", "code", "detail"}]}`; what cannot be decoded is null.
    var json: JSONValue {
        .object([
            ("verified", .boolean(false)), ("kind", .string(kind)),
            ("form", .string(document.form.rawValue)),
            ("size", .integer(Int64(document.byteCount))),
            ("header", value(document.header)), ("payload", value(document.payload)),
            (
                "signature_size",
                (try? document.signature.get()).map { .integer(Int64($0.count)) } ?? .null
            ),
            (
                "problems",
                .array(
                    problems.map { part, violation in
                        .object([
                            ("part", .string(part)), ("code", .string(violation.code.rawValue)),
                            ("detail", .string(RuleWording.message(violation))),
                        ])
                    })
            ),
        ])
    }

    func text(_ style: TextStyle) -> String {
        var lines = [
            style.yellow("NOT VERIFIED: no signature was checked; anyone can have written this."),
            "\(kind), \(document.byteCount) bytes", "",
        ]
        lines += part("header", document.header, style) + [""]
        lines += part("payload", document.payload, style) + [""]
        switch document.signature {
        case .success(let raw): lines.append("\(style.bold("signature")): \(raw.count) bytes")
        case .failure(let violation):
            lines.append("\(style.bold("signature")): \(words(violation))")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func part(
        _ name: String, _ result: Result<JSONElement, RuleViolation>, _ style: TextStyle
    ) -> [String] {
        switch result {
        case .success(let element):
            [style.bold(name)]
                + IndentedJSON.lines(element).map { DisplayText.escaped($0) }
        case .failure(let violation): ["\(style.bold(name)): \(words(violation))"]
        }
    }

    private func words(_ violation: RuleViolation) -> String {
        DisplayText.escaped("[\(violation.code)] \(RuleWording.message(violation))")
    }

    private func value(_ result: Result<JSONElement, RuleViolation>) -> JSONValue {
        switch result {
        case .success(let element): .element(element)
        case .failure: .null
        }
    }

    private var problems: [(String, RuleViolation)] {
        var problems: [(String, RuleViolation)] = []
        if case .failure(let violation) = document.header { problems.append(("header", violation)) }
        if case .failure(let violation) = document.payload {
            problems.append(("payload", violation))
        }
        if case .failure(let violation) = document.signature {
            problems.append(("signature", violation))
        }
        return problems
    }
}

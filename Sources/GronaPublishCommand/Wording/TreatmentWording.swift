import CommandLineKit
import GronaFormats
import PublishProtocol

/// The words for offers whose grants match no more.
enum TreatmentWording {
    /// One warning for each offer with another treatment than before.
    static func warnings(
        _ payload: ConfigPayload, after before: ConfigPayload?, file: String?
    ) -> [Diagnostic] {
        guard let before else { return [] }
        return PushRules.treatmentChanges(in: payload, after: before).map { change in
            .warning(
                code: "treatment.changed",
                message: "\(change.campaign) goes from \(words(change.old)) to"
                    + " \(words(change.new)): grants for the old value match no more",
                file: file)
        }
    }

    private static func words(_ treatment: Treatment) -> String {
        "\(treatment.type) \(treatment.value)"
    }
}

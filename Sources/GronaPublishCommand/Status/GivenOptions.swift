import CommandLineKit
import GronaCommand

/// The options of a command line that the next commands need as well, as words of a shell.
struct GivenOptions {
    /// For commands that read a store.
    var reading = ""
    /// For commands that publish.
    var publishing = ""
    /// For the signer's.
    var signing = ""

    init() {}

    init(_ context: CommandContext) throws(Failure) {
        let settings = try context.settings()
        func words(_ list: [Setting]) throws(Failure) -> String {
            var text = ""
            for setting in list {
                guard let value = try settings.value(setting), value.origin == .option else {
                    continue
                }
                text += " --\(setting.name)"
                if setting.name != StoreSettings.allowHTTP.name {
                    text += " " + StatusAdvice.word(value.shown)
                }
            }
            return text
        }
        let keys = [SharedSettings.keys]
        let own = [SharedSettings.campaigns, SharedSettings.state]
        let store = [
            StoreSettings.tokenFile, StoreSettings.authorities, StoreSettings.allowHTTP,
            StoreSettings.claimsURL, StoreSettings.bundlesURL,
        ]
        reading = try words(keys + store)
        publishing = try words(
            keys + own + [SharedSettings.ledger, StoreSettings.ledgerTokenFile] + store)
        signing = try words(keys + own)
    }
}

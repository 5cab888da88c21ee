package import GronaFormats
import Ledger
import StrictJSON

extension FileLedger {
    /// The newest time of any line; nil where there is none. A clock that is far behind it is wrong.
    package func newestTime() throws(PublicationLedgerError) -> UnixTime? {
        do {
            var reader = try HashChainLog(at: path).reader()
            var newest: Int64?
            while let line = try reader.next() {
                guard isRehearsal || !LedgerLine.isOfRehearsal(line.root),
                    let time = line.root["time"]?.integer
                else { continue }
                newest = max(newest ?? time, time)
            }
            return newest.map { UnixTime($0) }
        } catch {
            throw .log(path, error)
        }
    }
}

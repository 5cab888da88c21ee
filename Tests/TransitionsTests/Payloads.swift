import StrictJSON

/// A campaign as it stands in a payload; more members can be given as JSON text.
func campaign(
    _ id: String, kind: String = "banner", enabled: String? = "true", more: String = ""
) -> String {
    let enabled = enabled.map { #","enabled":\#($0)"# } ?? ""
    return #"{"id":"\#(id)","kind":"\#(kind)"\#(enabled)\#(more)}"#
}

/// A payload with two campaigns, whose members can be replaced one by one.
func payload(
    version: String = "41", issued: String = "1793264400", expires: String = "1795856400",
    workspace: String = "acme-market", minSDK: String? = "1.0.0", ttl: Int = 3600,
    settings: String? = "{}",
    campaigns: [String]? = [campaign("weekend-offer", kind: "offer"), campaign("news")],
    more: String = ""
) throws -> JSONElement {
    let settings = settings.map { #","settings":\#($0)"# } ?? ""
    let minSDK = minSDK.map { #","min_sdk":"\#($0)""# } ?? ""
    let list = campaigns.map { #","campaigns":[\#($0.joined(separator: ","))]"# } ?? ""
    let text = """
        {"schema":1,"version":\(version),"issued_at":\(issued),"expires_at":\(expires),\
        "workspace":"\(workspace)","ttl_seconds":\(ttl)\(minSDK)\(settings)\(list)\(more)}
        """
    return try JSONDocument.parse(Array(text.utf8)).root
}

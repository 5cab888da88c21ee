import GronaFormats

/// The first files of a campaign folder: small, valid and easy to change.
enum InitTemplates {
    static func policy(_ workspace: WorkspaceName, hasSchemas: Bool) -> String {
        """
        {
        \(schema("workspace", hasSchemas))    "workspace": "\(workspace)",
            "min_sdk": "1.0.0",
            "ttl_seconds": 900,
            "environment": "production",
            "lifetimes": {
                "config": "30d",
                "bundle": "14d"
            }
        }

        """
    }

    static func campaign(hasSchemas: Bool) -> String {
        """
        {
        \(schema("campaign", hasSchemas))    "$comment": "Members that begin with $ are not signed.",
            "id": "\(InitPlan.firstCampaign)",
            "kind": "message",
            "enabled": true,
            "unit": "device",
            "placements": ["home"],
            "variants": [
                {
                    "id": "only",
                    "weight": 10000,
                    "content": {
                        "title": "Welcome"
                    }
                }
            ]
        }

        """
    }

    private static func schema(_ name: String, _ isThere: Bool) -> String {
        isThere ? "    \"$schema\": \"../schema/\(name).schema.json\",\n" : ""
    }
}

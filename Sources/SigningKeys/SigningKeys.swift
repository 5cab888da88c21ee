// SigningKeys

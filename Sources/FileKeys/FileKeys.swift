// FileKeys

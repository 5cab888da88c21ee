// PublishProtocol

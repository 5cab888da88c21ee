// GronaPublishCommand

// CampaignCompilerTests

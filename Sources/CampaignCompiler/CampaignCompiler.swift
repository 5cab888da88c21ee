// CampaignCompiler

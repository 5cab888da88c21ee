// GronaFormatsTests

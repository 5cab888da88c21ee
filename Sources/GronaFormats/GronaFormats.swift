// GronaFormats

"""The course as files: what is generated from solutions/, what the content must hold, and what students get."""

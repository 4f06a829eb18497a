"""The mechanisms that come with linkwork, one description file each."""

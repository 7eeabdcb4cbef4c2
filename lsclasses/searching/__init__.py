"""Searches on arrays: version spaces, their normal forms, the Littlestone and VC dimensions.

This package does not depend on concept classes or certificates. Classes call it, and certificates
are built from its results. The checks of certificates share no code with this package.
"""

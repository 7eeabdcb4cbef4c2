"""Searches on arrays: version spaces, their normal forms, the Littlestone and VC dimensions.

Nothing here knows what a concept class or a certificate is. Classes ask; certificates are built
from the answers, and checked by code that shares none with this package.
"""

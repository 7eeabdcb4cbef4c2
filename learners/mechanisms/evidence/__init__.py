"""The instances that are audited."""

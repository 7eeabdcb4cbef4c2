"""Learning on real tables: features from columns, scikit-learn estimators, models in files."""

"""Prediction from experts: Hedge, its private versions, experts constructed from data [LWY25]."""

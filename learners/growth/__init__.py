"""Growth of the proved bounds with their parameters, compared with the rates of the papers."""

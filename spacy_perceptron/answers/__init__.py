"""Answers as plain data: candidates and their kinds, confidences, calibration, explanations."""

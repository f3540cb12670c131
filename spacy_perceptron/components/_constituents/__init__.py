"""Reading, gold trees and writing of constituency parsers; no decoder is known here."""

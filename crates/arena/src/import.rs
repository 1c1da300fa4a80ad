//! Games written by other programs.

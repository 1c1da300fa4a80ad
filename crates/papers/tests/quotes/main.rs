//! What experiments, reports and pages say of the papers, compared with one table of the papers' numbers and with each other.

mod numbers;
mod pages;
mod shipped;
mod stale;

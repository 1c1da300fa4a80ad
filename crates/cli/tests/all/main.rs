//! The program as people, scripts and other programs use it.

mod advice;
mod arena;
mod commands;
mod engine;
mod hostile;
mod interrupt;
mod jsonl;
mod locks;
mod nets;
mod papers;
mod puzzle;
mod ratings;
mod reproduce;
mod serve;
mod solve;
mod stats;
mod train;

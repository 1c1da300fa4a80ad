//! Every evaluation against slow twins and boards worked out by hand.

mod book;
mod buckets;
mod encode;
mod pathwayz;
mod pentago;
mod pylos;
mod twixt;

//! What several tests share.

use quintet_game::{GameSpec, Rng, SeedableRng};

/// Every game, every option at least once, and the board sizes at which the code changes (8 | 12 | 24 holes in TwixT).
pub fn specs() -> Vec<GameSpec> {
    let mut all: Vec<String> = ["pentago", "pentago(rules=turn-first)", "pentago-twist"].map(String::from).into();
    for size in ["", "(rows=2,cols=2)", "(rows=5,cols=6)", "(rows=8,cols=3)", "(rows=3,cols=12)"] {
        all.push(format!("pathwayz{size}"));
    }
    for rules in ["children", "standard", "expert", "expert-diag"] {
        for end in ["stuck", "spent"] {
            for takeback in ["forced", "free"] {
                all.push(format!("pylos(rules={rules},end={end},takeback={takeback})"));
            }
        }
    }
    for size in [3, 4, 5, 8, 9, 12, 13, 24] {
        all.push(format!("twixt(size={size})"));
    }
    for size in [3, 5, 8, 12, 14] {
        for rules in ["standard", "pp", "paper"] {
            for swap in ["mirror", "turn", "off"] {
                all.push(format!("twixt(size={size},rules={rules},swap={swap})"));
            }
        }
    }
    all.iter().map(|text| GameSpec::parse(text).unwrap()).collect()
}

pub fn rng(seed: u64) -> Rng {
    Rng::seed_from_u64(seed)
}

//! Draws one chart of each kind, to look at: `cargo run -p quintet-chart --example gallery -- FOLDER`.

use std::path::PathBuf;

use quintet_chart::{
    Axis, Bars, Cell, Cross, Curve, Curves, Mark, Measure, Point, Row, Scale, Spread, Stack, StackRow, Stacks,
};

fn scores() -> Bars {
    let measure = |value: f64, half: f64| Measure {
        value,
        range: Some([value - half, value + half]),
        text: format!("{:.0} %", 100.0 * value),
    };
    let row = |label: &str, ours: f64, paper: Option<f64>| Row {
        label: label.into(),
        detail: "as-programmed".into(),
        bars: vec![Some(measure(ours, 0.04)), paper.map(|paper| measure(paper, 0.1))],
    };
    Bars {
        title: "Scores".into(),
        note: "95 % intervals".into(),
        series: vec!["ours".into(), "paper".into()],
        rows: vec![row("minimax v random (takeback=free)", 0.96, Some(0.9)), row("ordered v minimax", 0.0, None)],
        scale: Scale::Percent,
    }
}

fn weights() -> Bars {
    let row = |(label, value): (&str, f64)| Row {
        label: label.into(),
        detail: String::new(),
        bars: vec![Some(Measure { value, range: None, text: format!("{value:.1}") })],
    };
    let weights =
        [("ahead", 160.0), ("onlyTurnAway", 115.3), ("yourOneTurnAway", -100.0), ("yourLongestPathSquared", -58.0)];
    let (title, note) = ("The largest weights".into(), "by absolute value".into());
    Bars { title, note, series: vec!["weight".into()], rows: weights.map(row).into(), scale: Scale::Numbers }
}

fn table() -> Stacks {
    let stack = |name: &str, counts: [u64; 3], range| Stack { name: name.into(), counts: counts.into(), range };
    let row = |label: &str, ours, paper| StackRow {
        label: label.into(),
        stacks: vec![stack("ours", ours, Some([0.45, 0.55])), stack("paper", paper, None)],
    };
    Stacks {
        title: "Won, drawn, lost".into(),
        note: "intervals are of the share of wins".into(),
        parts: ["won", "drawn", "lost"].map(String::from).into(),
        rows: vec![row("A4 v A3", [200, 50, 150], [58, 4, 38]), row("A2 v A2", [190, 20, 190], [0, 100, 0])],
    }
}

fn times() -> Curves {
    let curve = |name: &str, colour, dashed, base: f64| Curve {
        name: name.into(),
        colour,
        dashed,
        spread: Spread::Whiskers,
        points: (1..=5)
            .map(|depth| (f64::from(depth), base.powi(depth)))
            .map(|(x, y)| Point { x, y, range: (!dashed).then_some([0.7 * y, 1.4 * y]) })
            .collect(),
    };
    Curves {
        title: "Times by depth".into(),
        note: "broken: the paper's".into(),
        x_name: "depth".into(),
        y: Axis { name: "ms per game".into(), log: true, range: None },
        curves: vec![
            curve("minimax", 0, false, 6.0),
            curve("minimax, paper", 0, true, 9.0),
            curve("best-first", 1, false, 3.0),
            curve("best-first, paper", 1, true, 5.0),
        ],
        marks: Vec::new(),
    }
}

fn learning() -> Curves {
    let rate = |game: f64| 0.5 + 0.3 * (game / 900.0).sin();
    let points = (0..100).map(|block| f64::from(block) * 50.0);
    let point = |x: f64| Point { x, y: rate(x), range: Some([rate(x) - 0.12, rate(x) + 0.12]) };
    let curve = Curve {
        name: "win rate".into(),
        colour: 0,
        dashed: false,
        spread: Spread::Band,
        points: points.map(point).collect(),
    };
    let mark = |(x, text): (f64, &str)| Mark { x, text: text.into() };
    Curves {
        title: "Training".into(),
        note: "lines: the opponent changed".into(),
        x_name: "games".into(),
        y: Axis { name: "share of games won in a block".into(), log: false, range: Some([0.0, 1.0]) },
        curves: vec![curve],
        marks: [(300.0, "own weights"), (700.0, "own weights"), (800.0, "own weights"), (4000.0, "adv-baseline")]
            .map(mark)
            .into(),
    }
}

fn bracket() -> Cross {
    let names = ["baseline", "adv-baseline", "minimax", "beam"];
    let cell = |row: usize, column: usize| {
        let share = (0.5 + 0.16 * (column as f64 - row as f64)).clamp(0.0, 1.0);
        (row != column).then(|| Cell { share, text: format!("{:.0}", 100.0 * share), small: "paper 40".into() })
    };
    let cells = (0..4).map(|row| (0..4).map(|column| cell(row, column)).collect()).collect();
    let names: Vec<String> = names.map(String::from).into();
    let (title, note) = ("Cross table".into(), "% won by the column against the row".into());
    Cross { title, note, columns: names.clone(), rows: names, cells }
}

fn main() -> std::io::Result<()> {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| ".".into()));
    let charts = [
        ("scores", scores().svg()),
        ("weights", weights().svg()),
        ("table", table().svg()),
        ("times", times().svg()),
        ("learning", learning().svg()),
        ("bracket", bracket().svg()),
    ];
    for (name, svg) in charts {
        std::fs::write(folder.join(format!("{name}.svg")), svg)?;
    }
    Ok(())
}

//! The pages of verdicts are written from the reports, so that they cannot contradict them. `QUINTET_WRITE_PAGES=1` writes them anew.

use std::fs;

use super::shipped::{GAMES, ReportLine, Shipped, docs, pages, reports, same, with_table};
use quintet_arena::stats::{Printed, Wdl, judge};

/// Lines of a report that the page of verdicts shows one by one; of a larger table it counts them.
const FEW: usize = 8;

/// Whether a line compares something with a paper. Times of another machine and games against people compare nothing.
fn judged(line: &ReportLine) -> bool {
    match line.verdict.as_str() {
        "ours only" | "waiting" | "scaled" => false,
        "cannot be compared" => line.games > 0 && line.paper.contains('%'),
        _ => true,
    }
}

fn claims() -> Vec<String> {
    let cell = |text: &str| text.replace('|', "\\|");
    let mut rows = Vec::new();
    for report in Shipped::all() {
        let link = format!("[{}](../../crates/server/reports/{}/report.md)", report.id, report.name);
        let lines: Vec<&ReportLine> = report.lines.iter().filter(|line| judged(line)).collect();
        if lines.len() > FEW {
            rows.push(format!(
                "| {link} | {}, {} lines | - | - | - | {} |",
                report.title,
                report.lines.len(),
                report.tally()
            ));
            continue;
        }
        rows.extend(lines.iter().map(|line| {
            let mode = if line.mode == "printed" { String::new() } else { format!(", {}", line.mode) };
            let ours =
                if line.interval == "-" { line.ours.clone() } else { format!("{} ({})", line.ours, line.interval) };
            let [what, paper, ours] = [&line.what, &line.paper, &ours].map(|text| cell(text));
            format!("| {link} | {what}{mode} | {paper} | {ours} | {} | {} |", line.games, line.verdict)
        }));
    }
    rows
}

#[test]
fn the_page_of_verdicts_is_that_of_the_reports() {
    let path = docs().join("README.md");
    let page = fs::read_to_string(&path).unwrap();
    let head = "| experiment | what | paper | ours | n | verdict |";
    same(&path, &with_table(&page, "## Which claims hold\n", head, &claims()));
}

#[test]
fn the_list_of_reports_has_their_verdicts() {
    let path = reports().join("README.md");
    let page = fs::read_to_string(&path).unwrap();
    let rows: Vec<String> = Shipped::all()
        .iter()
        .map(|report| format!("| [{}]({}/report.md) | {} | {} |", report.id, report.name, report.title, report.tally()))
        .collect();
    same(&path, &with_table(&page, "## All reports\n", "| experiment | what | lines by verdict |", &rows));
}

/// The last column of a paper's page counts the verdicts of the report that its row links to.
#[test]
fn pages_of_the_papers_have_the_verdicts_of_their_reports() {
    let all = Shipped::all();
    let _pages = pages();
    for game in GAMES {
        let path = docs().join(format!("{game}.md"));
        let page = fs::read_to_string(&path).unwrap();
        let (_, table) = page.split_once("## Sections").unwrap();
        let rows: Vec<String> = table
            .lines()
            .skip_while(|line| !line.starts_with('|'))
            .take_while(|line| line.starts_with('|'))
            .skip(2)
            .map(|row| {
                let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).take(4).collect();
                for word in ["holds", " hold ", "[half]", "not shown", " agree", "differs"] {
                    assert!(!cells[3].contains(word), "{game}: \"{word}\" is the last column's to say: {row}");
                }
                let linked = all.iter().find(|report| row.contains(&format!("/reports/{}/", report.name)));
                format!("| {} | {} |", cells.join(" | "), linked.map_or("-".into(), Shipped::tally))
            })
            .collect();
        let head = "| paper | what it says | command | our result | lines by verdict |";
        same(&path, &with_table(&page, "## Sections", head, &rows));
    }
}

#[test]
fn every_report_with_a_verdict_is_read() {
    let written = |name: &str| fs::read_to_string(reports().join(name).join("report.md")).unwrap_or_default();
    let names = fs::read_dir(reports()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let all = Shipped::all();
    for name in names.filter(|name| written(name).contains("**Verdict:**")) {
        assert!(all.iter().any(|report| report.name == name), "{name}");
    }
}

#[test]
fn reports_count_their_own_lines() {
    for report in Shipped::all() {
        assert_eq!(report.verdict, format!("{}.", report.tally()), "{}", report.id);
    }
}

/// Wins, draws and losses from `64.0 %` of a number of games, or from `62.4 % (248-3-149)`.
fn games(text: &str, games: u64) -> Option<Wdl> {
    let (percent, rest) = text.split_once(" %")?;
    if let Some(games) = rest.strip_prefix(" (") {
        let ends: Vec<u64> = games.strip_suffix(')')?.split('-').map(|end| end.parse().ok()).collect::<Option<_>>()?;
        let [wins, draws, losses] = <[u64; 3]>::try_from(ends).ok()?;
        return Some(Wdl { wins, draws, losses });
    }
    let wins = (percent.parse::<f64>().ok()? * games as f64 / 100.0).round() as u64;
    rest.is_empty().then_some(Wdl { wins, draws: 0, losses: games - wins })
}

/// What a report shows of the paper, as it was judged.
fn printed(text: &str) -> Option<Printed> {
    let bound = |text: &str| Some(text.strip_suffix(" %")?.parse::<f64>().ok()? / 100.0);
    if let Some(text) = text.strip_prefix("above ") {
        return bound(text).map(Printed::Above);
    }
    if let Some(text) = text.strip_prefix("below ") {
        return bound(text).map(Printed::Below);
    }
    if let Some((share, n)) = text.split_once(" of ") {
        let n = n.parse().ok()?;
        return Some(Printed::Share { k: (bound(share)? * n as f64).round() as u64, n });
    }
    match games(text, 0) {
        Some(wdl) if wdl.n() > 0 => Some(Printed::Games(wdl)),
        _ => bound(text).map(Printed::Score),
    }
}

#[test]
fn verdicts_follow_from_the_numbers_beside_them() {
    let mut judged = 0;
    for report in Shipped::all() {
        for line in report.lines.iter().filter(|line| line.verdict != "ours only" && line.games > 0) {
            let Some((paper, ours)) = printed(&line.paper).zip(games(&line.ours, line.games)) else { continue };
            let judgement = judge(&paper, ours);
            let verdict = line.verdict.strip_suffix(" (draw rule)").unwrap_or(&line.verdict);
            assert_eq!(judgement.verdict.to_string(), verdict, "{}: {}: {}", report.id, line.what, judgement.reason);
            judged += 1;
        }
    }
    assert!(judged > 100, "{judged}");
}

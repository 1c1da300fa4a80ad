//! Commands that answer JSON lines.

use std::io::{Read, Write};

use serde_json::Value;

use crate::commands::{quintet, run_with};

fn answers(input: &[u8]) -> Vec<Value> {
    let output = run_with(&["replay", "--jsonl"], input);
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{line}: {e}"))).collect()
}

pub const GOOD: &str = r#"{"id":"good","game":"pentago(rules=turn-first)","moves":["c4q2r","a1q1l"]}"#;

#[test]
fn every_malformed_line_gets_an_error_and_the_next_line_an_answer() {
    let mut bad: Vec<Vec<u8>> = BAD_LINES.iter().map(|line| line.as_bytes().to_vec()).collect();
    // Every proper prefix of a good line, and the line with each byte damaged.
    bad.extend((0..GOOD.len()).map(|end| GOOD.as_bytes()[..end].to_vec()));
    for at in 0..GOOD.len() {
        let mut line = GOOD.as_bytes().to_vec();
        line[at] = 0x01;
        bad.push(line);
    }
    bad.push(b"{\"id\":\"\xff\xfe\",\"game\":\"pylos\"}".to_vec());
    bad.push(vec![0; 1 << 20]);
    bad.push([b"{\"id\":1,\"game\":\"".to_vec(), vec![b'x'; 1 << 20], b"\"}".to_vec()].concat());
    bad.push([b"{\"id\":1,\"game\":\"pylos\",\"moves\":".to_vec(), vec![b'['; 1 << 20]].concat());
    bad.push([b"{\"id\":1,\"game\":\"pylos\",\"position\":\"".to_vec(), vec![b'/'; 1 << 20], b"\"}".to_vec()].concat());
    bad.push(vec![b' '; (4 << 20) + 1]);
    assert!(bad.len() > 200);
    let mut input = Vec::new();
    for line in &bad {
        input.extend(line);
        input.push(b'\n');
        input.extend(GOOD.as_bytes());
        input.push(b'\n');
    }
    let answers = answers(&input);
    assert_eq!(answers.len(), 2 * bad.len());
    for (pair, line) in answers.chunks(2).zip(&bad) {
        let shown = String::from_utf8_lossy(&line[..line.len().min(100)]).into_owned();
        let error = pair[0]["error"].as_str().unwrap_or_else(|| panic!("{shown}: {}", pair[0]));
        assert!(!error.is_empty() && error.chars().count() < 400, "{shown}: {error}");
        assert!(pair[0].get("ply").is_some() && pair[0].get("id").is_some());
        assert_eq!(pair[1]["legal_counts"].to_string(), "[288,280,272]", "{shown}");
    }
}

const BAD_LINES: &[&str] = &[
    "",
    " ",
    "null",
    "[]",
    "17",
    "\"text\"",
    "{}",
    "{\"id\":1}",
    "{\"id\":1,\"game\":null}",
    "{\"id\":1,\"game\":5}",
    "{\"id\":1,\"game\":[\"pylos\"]}",
    "{\"id\":1,\"game\":\"\"}",
    "{\"id\":1,\"game\":\"chess\"}",
    "{\"id\":1,\"game\":\"pylos \"}",
    "{\"id\":1,\"game\":\"pylos(\"}",
    "{\"id\":1,\"game\":\"pylos(rules=standard,rules=standard)\"}",
    "{\"id\":1,\"game\":\"pylos(rules=hard)\"}",
    "{\"id\":1,\"game\":\"twixt(size=999999999999999999999)\"}",
    "{\"id\":1,\"game\":\"twixt(size=-5)\"}",
    "{\"id\":1,\"game\":\"twixt(size=012)\"}",
    "{\"id\":1,\"game\":\"pathwayz(rows=9)\"}",
    "{\"id\":1,\"game\":\"pylos\",\"moves\":\"1a1\"}",
    "{\"id\":1,\"game\":\"pylos\",\"moves\":{}}",
    "{\"id\":1,\"game\":\"pylos\",\"moves\":[1]}",
    "{\"id\":1,\"game\":\"pylos\",\"moves\":[null]}",
    "{\"id\":1,\"game\":\"pylos\",\"moves\":[[\"1a1\"]]}",
    "{\"id\":1,\"game\":\"pylos\",\"moves\":[\"\"]}",
    "{\"id\":1,\"game\":\"pylos\",\"moves\":[\"1a1\",\"1a1\"]}",
    "{\"id\":1,\"game\":\"pylos\",\"moves\":[\"2a1\"]}",
    "{\"id\":1,\"game\":\"pylos\",\"moves\":[\"1a1-1a1\"]}",
    "{\"id\":1,\"game\":\"pylos\",\"moves\":[\"1a1^2a1\"]}",
    "{\"id\":1,\"game\":\"pylos\",\"moves\":[\"1e1\"]}",
    "{\"id\":1,\"game\":\"pylos\",\"moves\":[\"\\u0000\"]}",
    "{\"id\":1,\"game\":\"pylos\",\"moves\":[\"\\ud800\"]}",
    "{\"id\":1,\"game\":\"pylos\",\"move\":[\"1a1\"]}",
    "{\"id\":1,\"game\":\"pylos\",\"position\":7}",
    "{\"id\":1,\"game\":\"pylos\",\"position\":\"\"}",
    "{\"id\":1,\"game\":\"pylos\",\"position\":\"LLLLLLLLLLLLLLLL/........./..../. d\"}",
    "{\"id\":1,\"game\":\"pylos\",\"position\":\"LD............../D......../..../. l\"}",
    "{\"id\":1,\"game\":\"pylos\",\"position\":\"LD............../........./..../. x\"}",
    "{\"id\":1,\"game\":\"pentago\",\"position\":\"xxxxxx/xxxxxx/xxxxxx/xxxxxx/xxxxxx/xxxxxx o\"}",
    "{\"id\":1,\"game\":\"pentago\",\"position\":\"x...../....../....../....../....../...... x\"}",
    "{\"id\":1,\"game\":\"pentago\",\"moves\":[\"c4\"]}",
    "{\"id\":1,\"game\":\"pentago\",\"moves\":[\"c4q5r\"]}",
    "{\"id\":1,\"game\":\"pentago\",\"moves\":[\"c4q2f\"]}",
    "{\"id\":1,\"game\":\"pentago-twist\",\"moves\":[\"c4q2l\"]}",
    "{\"id\":1,\"game\":\"pathwayz\",\"moves\":[\"m1\"]}",
    "{\"id\":1,\"game\":\"pathwayz\",\"moves\":[\"e5q\"]}",
    "{\"id\":1,\"game\":\"twixt\",\"moves\":[\"a1\"]}",
    "{\"id\":1,\"game\":\"twixt\",\"moves\":[\"a5\"]}",
    "{\"id\":1,\"game\":\"twixt\",\"moves\":[\"swap\"]}",
    "{\"id\":1,\"game\":\"twixt\",\"moves\":[\"f6\",\"swap\",\"swap\"]}",
    "{\"id\":1,\"game\":\"twixt(size=5)\",\"position\":\"#...#/.r.../...r./...../#...# - b\"}",
    "{\"id\":1,\"game\":\"pylos\",\"moves\":[],\"extra\":1}",
    "{\"id\":1,\"id\":2,\"game\":\"pylos\"}",
];

#[test]
fn ids_come_back_unchanged_whatever_else_is_wrong() {
    let long = format!("\"{}\"", "i".repeat(100_000));
    let deep = format!("{}{}", "[".repeat(5000), "]".repeat(5000));
    let ids = [
        "0",
        "-1.50",
        "1e400",
        "123456789012345678901234567890",
        "null",
        "true",
        "\"\\u00e9\\n\"",
        "{\"a\": [1, {}]}",
        &long,
        &deep,
    ];
    let rests = ["\"game\":\"pylos\"", "\"game\":5", "\"nonsense\":1", "\"game\":\"pylos\",\"moves\":[\"9z9\"]"];
    let mut input = String::new();
    for id in ids {
        for rest in rests {
            input += &format!("{{{rest},\"id\":{id}}}\n");
        }
    }
    let output = String::from_utf8(run_with(&["replay", "--jsonl"], input.as_bytes()).stdout).unwrap();
    let mut lines = output.lines();
    for id in ids {
        for rest in rests {
            let line = lines.next().unwrap();
            assert!(line.starts_with(&format!("{{\"id\":{id},")), "{rest}: {}", &line[..line.len().min(200)]);
            assert_eq!(line.contains("\"error\""), rest != rests[0]);
        }
    }
}

#[test]
fn missing_and_null_moves_are_none_and_moves_follow_the_position() {
    let position = "....../.x..../....../....../....../...... o";
    let input = format!(
        "{{\"game\":\"pylos\"}}\n{{\"id\":2,\"game\":\"pylos\",\"moves\":null,\"position\":null}}\r\n{{\"id\":3,\"game\":\"pentago\",\"position\":\"{position}\",\"moves\":[\"B2Q1R\"]}}\n{{\"id\":4,\"game\":\"pentago\",\"position\":\"{position}\",\"moves\":[\"a1q1r\"]}}"
    );
    let answers = answers(input.as_bytes());
    assert_eq!(
        answers[0].to_string(),
        r#"{"id":null,"legal_counts":[16],"outcome":null,"position":"................/........./..../. l","reason":null}"#
    );
    assert_eq!(answers[1]["legal_counts"].to_string(), "[16]");
    assert_eq!(
        (answers[2]["ply"].as_u64(), answers[2]["error"].as_str()),
        (Some(0), Some("move 1 \"B2Q1R\": b2 is taken (x). Empty cells in q1: a1, b1, c1, a2, c2, a3, b3, c3."))
    );
    assert_eq!(answers[3]["position"], "..o.../.x..../....../....../....../...... x");
}

/// A program that waits for each answer before it sends the next line.
#[test]
fn answers_are_flushed_line_by_line() {
    let mut child = quintet(&["replay", "--jsonl"]).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = child.stdout.take().unwrap();
    for _ in 0..3 {
        stdin.write_all(format!("{GOOD}\n").as_bytes()).unwrap();
        let mut byte = [0];
        let mut line = Vec::new();
        while byte[0] != b'\n' {
            stdout.read_exact(&mut byte).unwrap();
            line.push(byte[0]);
        }
        assert!(line.starts_with(b"{\"id\":\"good\""));
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

//! The command line as data.

mod groups;

use std::path::PathBuf;

use clap::{Parser, Subcommand};

use crate::commands;

#[cfg(feature = "cluster")]
pub use groups::memory_here;
pub use groups::{
    Effort, History, PositionArgs, Reading, elo_bounds, mebibytes, numbers, seconds, thread_count, threads,
};

/// A playground and laboratory for AI players of Pathwayz, Pylos, TwixT, Pentago-Twist and Pentago.
#[derive(Debug, Parser)]
#[command(
    name = "quintet",
    version,
    about,
    after_help = "Examples:\n  quintet games\n  quintet play pylos\n  quintet show 'twixt(size=8)' --moves d4 swap e6\n\nA game is named by a spec such as pentago or 'twixt(size=8,rules=paper)'; quote it, since shells read brackets."
)]
pub struct Cli {
    /// The folder of your own agents and other data (default: the platform's data directory)
    #[arg(long, value_name = "DIR", global = true, env = "QUINTET_DATA")]
    pub data: Option<PathBuf>,
    /// The command; without one, the page is served.
    #[command(subcommand)]
    pub command: Option<Command>,
}

impl Command {
    /// Does it print a file for other programs?
    pub fn prints_data(&self) -> bool {
        use commands::records::Records;
        matches!(
            self,
            Command::Convert(_) | Command::Records(Records::Export { .. }) | Command::Completions(_) | Command::Man(_)
        )
    }
}

/// What the program can do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// List the games with their variants and options
    #[command(after_help = "Examples:\n  quintet games\n  quintet games --json")]
    Games(commands::games::GamesArgs),
    /// List the named agents, with their papers, and the kinds that specs are made of
    #[command(after_help = "Examples:\n  quintet agents\n  quintet agents pathwayz\n  quintet agents --json")]
    Agents(commands::agents::AgentsArgs),
    /// List the levels and the papers' agents of a game by measured strength
    #[command(after_help = "Examples:\n  quintet ratings pentago\n  quintet ratings twixt --json")]
    Ratings(commands::ratings::RatingsArgs),
    /// Draw a position as text or SVG
    #[command(
        after_help = "Examples:\n  quintet show pentago --moves c4q2r a1q1l\n  quintet show pylos --position 'LD............../........./..../. l'\n  quintet show 'twixt(size=8)' --moves d4 e6 f5 --svg board.svg"
    )]
    Show(commands::show::ShowArgs),
    /// Count the move sequences of every length up to a depth
    #[command(
        after_help = "A sequence that ends the game early counts only at the depth where it ends.\n\nExamples:\n  quintet perft pylos 6\n  quintet perft 'twixt(size=6,swap=turn)' 4 --moves c3 swap"
    )]
    Perft(commands::perft::PerftArgs),
    /// Replay a game: legal moves at every ply, outcome, final position
    #[command(
        after_help = "With --jsonl, reads lines {\"id\":…,\"game\":SPEC,\"moves\":[…]} (optionally \"position\") and answers each in order.\n\nExamples:\n  quintet replay pentago c4q2r a1q1l\n  echo '{\"id\":1,\"game\":\"pylos\",\"moves\":[\"1b2\"]}' | quintet replay --jsonl"
    )]
    Replay(commands::replay::ReplayArgs),
    /// Evaluate a position term by term
    #[command(
        after_help = "Without --eval, lists the evaluations of the game. With --jsonl, reads lines {\"id\":…,\"game\":SPEC,\"position\":TEXT,\"eval\":NAME,\"for\":\"first\"|\"second\"} and answers each in order.\n\nExamples:\n  quintet explain pylos\n  quintet explain pylos --eval height --moves 1b2 1c2 1b3 --for first\n  echo '{\"id\":1,\"game\":\"pylos\",\"eval\":\"difference\"}' | quintet explain --jsonl"
    )]
    Explain(commands::explain::ExplainArgs),
    /// Let an agent think about a position
    #[command(
        after_help = "An agent is a name that quintet agents lists, or a spec composed of a search and an evaluation (quintet explain GAME lists those). With --jsonl, reads lines {\"id\":…,\"game\":SPEC,\"moves\":[…],\"position\":TEXT,\"agent\":A,\"limit\":{\"time_ms\"|\"nodes\"|\"depth\"|\"visits\":N}} and answers each in order. In JSON, value is what the side to move may expect, from 0 (loss) over 0.5 (draw) to 1 (win), or null where the agent judges nothing; proven is win, draw, loss or null; score is the search's own number.\n\nExamples:\n  quintet analyse pathwayz --agent pathwayz:beam\n  quintet analyse pentago --agent mcts --time 2s\n  quintet analyse pylos --agent 'best-first(eval=difference)' --moves 1b2 1c2 --depth 5\n  quintet analyse 'twixt(size=8)' --agent twixt:alphabeta --depth 2 --trace 40\n  echo '{\"id\":1,\"game\":\"pylos\",\"agent\":\"mcts\",\"limit\":{\"visits\":500}}' | quintet analyse --jsonl"
    )]
    Analyse(commands::analyse::AnalyseArgs),
    /// Name a good move
    #[command(
        after_help = "Examples:\n  quintet hint pylos --moves 1b2 1c2\n  quintet hint pentago --agent 'mcts(time=5s)'"
    )]
    Hint(commands::hint::HintArgs),
    /// Play in the terminal: people and agents
    #[command(
        after_help = "While playing: a move, or ? (legal moves), undo, hint, board, save FILE, load FILE, new, help, quit.\n\nExamples:\n  quintet play pylos\n  quintet play pathwayz --second pathwayz:beam\n  quintet play 'twixt(size=8)' --second mcts\n  quintet play pylos --first 'best-first(eval=difference,time=1s)'"
    )]
    Play(commands::play::PlayArgs),
    /// Play a match of two agents, with statistics
    #[command(
        after_help = "Games come in pairs from one opening with colours swapped. Every finished game is stored at once; quintet resume continues a stopped match.\nThe same seed and a budget in nodes, depth or visits give the same games, whatever the number of threads.\nA crash, an illegal move or no answer loses the game, and is counted apart above the Elo; a player that forfeits every game ends the match with an error.\n\nExamples:\n  quintet match pylos pylos:ordered mcts --nodes 2000 --games 100 --openings 2\n  quintet match pentago pentago:exact 'ugi(cmd=\"./engine --fast\")' --time 1s --adjudicate proof\n  quintet match pylos 'pvs(eval=height)' mcts --time 100ms --clock cpu --adjudicate score\n  quintet match 'twixt(size=8)' 'pvs(eval=distance)' twixt:best-first --time 50ms --sprt 0,20 --openings 2\n  quintet match twixt level:8 level:7 --games 100 --openings 2 --even"
    )]
    Match(commands::r#match::MatchArgs),
    /// Play a tournament that a file describes
    #[command(
        after_help = "The file:\n  game = \"pylos\"\n  players = [\"pylos:ordered\", \"mcts\", { name = \"mine\", agent = \"pvs(eval=height)\" }]\n  format = \"round-robin\"    # or \"gauntlet\": the first against all others\n  games = 100               # per pairing; or, for two players, sprt = [0, 20]\n  openings = 2              # random plies\n  even = true               # only openings near even by the game's net\n  nodes = 2000              # or time = \"50ms\", depth = 3, visits = 500; default: each agent's own limits\n  seed = 1\n  max_plies = 400\n  clock = \"wall\"            # or \"cpu\": processor time\n  adjudicate = [\"proof\"]    # end proven games, or with \"score\" those both players agree on\n  anchor = \"mcts\"           # has the rating 0\n\nExample:\n  quintet tournament cup.toml --threads 2"
    )]
    Tournament(commands::tournament::TournamentArgs),
    /// Finish a match or tournament that was stopped
    #[command(after_help = "Example:\n  quintet records list\n  quintet resume 7")]
    Resume(commands::resume::ResumeArgs),
    /// Play games for others: a worker of a cluster
    #[command(
        after_help = "Workers take units of work from a NATS server with JetStream, play them and answer; the results go to the command with --cluster that asked for them. A worker keeps nothing: it may be killed and started again at any time. It runs the agents of its own build, and starts no program that a message names. docs/cluster.md says how to begin.\n\nExamples:\n  nats-server -js\n  quintet worker --cluster nats://127.0.0.1:4222\n  quintet worker --cluster tls://games.example:4222 --creds worker.creds --threads 8 --tags gpu\n  quintet worker --cluster nats://127.0.0.1:4222 --allow-engine mine='./engine --fast'"
    )]
    Worker(commands::worker::WorkerArgs),
    /// Ask a cluster what it does
    #[command(subcommand, after_help = "Example:\n  quintet cluster status --cluster nats://127.0.0.1:4222")]
    Cluster(commands::cluster::Cluster),
    /// Repeat a table or claim of the papers and compare it with their numbers
    #[command(
        after_help = "The default size is --quick. A run stores every game in its folder; the same command continues a stopped run. Exit code 1: a comparison differs.\n\nExamples:\n  quintet reproduce --list\n  quintet reproduce pylos/agents\n  quintet reproduce twixt --quick --out results\n  quintet reproduce pathwayz/bracket --paper --seed 7\n  quintet reproduce pylos --numbers"
    )]
    Reproduce(commands::reproduce::ReproduceArgs),
    /// Convert games from one format to another
    #[command(
        after_help = "Reads the formats of `quintet import` and writes to standard output; the store is not touched.\n\nExamples:\n  quintet convert games.tsgf\n  quintet convert game.T1 --to jsonl > game.jsonl\n  quintet convert games.txt --to sgf > games.sgf\n  quintet convert moves.txt --game 'twixt(size=12)' > game.txt"
    )]
    Convert(commands::convert::ConvertArgs),
    /// Review a game: what each move gave away
    #[command(
        after_help = "A move's loss is the difference between the chances (a win 1, a draw a half) after the reviewing agent's own move and after the move played, both positions searched with the same budget: fine below 0.05, an inaccuracy below 0.15, a mistake below 0.3, else a blunder; giving up a proven win is a win thrown away.\n\nExamples:\n  quintet review 'pylos; 1.1b2 2.1c3 3.1b3; *'\n  quintet records export --run 7 | quintet review -\n  quintet review game.txt --agent 'puct(eval=difference,visits=5000)' --all"
    )]
    Review(commands::review::ReviewArgs),
    /// Solve puzzles, or make new ones
    #[command(
        after_help = "While solving: a move, or ? (legal moves), hint, next, quit. A move is right if it is as good as the best and wins as quickly; the other side holds out as long as it can.\nA puzzle of one move (a draw, or a win that only a solved table can finish) is solved by that move.\n--make prints JSON lines in the format of data/puzzles/: positions of seeded games with proven values (also by the tables of the data directory), distinct up to symmetry. A puzzle that needs a table carries its answer. Ctrl-C keeps those already found.\n\nExamples:\n  quintet puzzle\n  quintet puzzle pentago --kind win-in-2\n  quintet puzzle twixt --list\n  quintet puzzle pylos --check\n  quintet puzzle pylos --make 5 --kind only-win --back 30\n  quintet puzzle 'twixt(size=8)' --make 10 --seed 7 > mine.jsonl"
    )]
    Puzzle(commands::puzzle::PuzzleArgs),
    /// Serve the page: play, analyse and review in a browser
    #[command(
        after_help = "Without --bind it listens on this machine only. Games are stored in the data directory and continue after a restart. If a quintet is serving this data directory already, its page is opened instead. Ctrl-C stops it.\n\nExamples:\n  quintet serve\n  quintet serve --bind 127.0.0.1:0\n  quintet serve --lan\n  quintet serve --bind 0.0.0.0:8080 --allowed-host games.example\n  quintet serve --allowed-host games.example --trust-proxy 127.0.0.1"
    )]
    Serve(commands::serve::ServeArgs),
    /// Train weights from a recipe
    #[command(
        after_help = "A run saves its state in its folder after every step; a stopped or killed run continues to the same weights with the same command or with --resume. Use the result at once with weights=\"FILE\" in an agent's evaluation; --install makes it available by name.\n\nExamples:\n  quintet train --list\n  quintet train pathwayz:tdl52\n  quintet train pathwayz:tdl52 --games 500 --seed 7 --set eta=0.0005\n  quintet train pathwayz:tdl440 --seeds 5\n  quintet train pathwayz:tdl52 --from-store=people\n  quintet train --resume train-pathwayz-tdl52-1"
    )]
    Train(commands::train::TrainArgs),
    /// Solve exactly: a whole game from every position, a small board, or the moves of one position
    #[command(
        after_help = "Pylos as a whole: the table goes into tables/ of the data directory, where agents find it. The same command continues a stopped or killed run to the same file.\nSmall boards of TwixT and Pathwayz: the answer is printed, for TwixT as a map of all first pegs (+9 wins in nine plies, = draws, -10 loses in ten). Pentago and Pentago-Twist: the moves of a position. docs/solved.md lists the results.\nWith --cluster, the workers of a cluster solve the first pegs of a board of TwixT, each by itself.\n\nExamples:\n  quintet solve 'twixt(size=6)'\n  quintet solve 'twixt(size=9)' --cluster nats://HOST:4222\n  quintet solve 'pathwayz(rows=3,cols=4)'\n  quintet solve pylos --rules children\n  quintet solve 'pylos(rules=expert)' --threads 2\n  quintet solve pylos --rules expert --check\n  quintet solve pentago --distance --position 'xxooxx/ooxxoo/xxooxx/ooxxoo/x...../o..... x'"
    )]
    Solve(commands::solve::SolveArgs),
    /// Draw the curves of a training run
    #[command(
        after_help = "Writes report.html, report.md and pictures into the folder of the run.\n\nExamples:\n  quintet report train-pathwayz-tdl52-1\n  quintet report path/to/run"
    )]
    Report(commands::report::ReportArgs),
    /// List, show and export stored games
    #[command(
        subcommand,
        after_help = "Examples:\n  quintet records list\n  quintet records list --run 7\n  quintet records show 12\n  quintet records export --run 7 --form csv > games.csv"
    )]
    Records(commands::records::Records),
    /// Read games of other programs into the store
    #[command(
        after_help = "Formats: own (text records), jsonl, plain (move lists; name the game), t1 (T1j), tsgf (Little Golem), sgf (GM[21]). docs/records.md describes them. A game with an illegal move is stored up to the move before it.\n\nExamples:\n  quintet import games.tsgf\n  quintet import moves.txt --game 'twixt(size=12)'\n  quintet import game.T1 --swap sides"
    )]
    Import(commands::import::ImportArgs),
    /// Speak UGI on standard input and output: an engine for other programs
    #[command(
        after_help = "Commands: ugi, setoption name NAME value VALUE (Game, Agent, Seed), isready, uginewgame, position startpos|fen TEXT [moves MOVE …], go [p1time|p2time|p1inc|p2inc|movetime MS] [depth|nodes|visits N] [infinite], stop, query p1turn|gameover|result|legalmoves|fen|fullinfo, perft N, bench, quit. See docs/engine.md.\n\nExample (> marks input, the rest is output):\n  quintet engine --game pylos --agent 'best-first(eval=difference)'\n  > position startpos moves 1b2\n  > go depth 2\n  info depth 1 nodes 15 nps 2358861 time 0 score value 0 pv 1a4\n  info depth 2 nodes 58 nps 1710914 time 0 score value 1 pv 1a4 1a1\n  bestmove 1a4\n  > quit"
    )]
    Engine(commands::engine::EngineArgs),
    /// Measure the speed of the rules and the searches
    #[command(
        after_help = "The signatures are numbers of nodes; they change only when the rules or the searches do.\n\nExamples:\n  quintet bench\n  quintet bench searches\n  quintet bench table1 --games 10\n  quintet bench playouts 'twixt(size=12)' --seconds 2 --json"
    )]
    Bench(commands::bench::BenchArgs),
    /// Statistics of game results: score, Elo, likelihood of superiority, sequential test
    #[command(
        after_help = "Errors and intervals are 95 %. Elo is logistic, from the score alone; nElo (normalized) measures the score in standard deviations of a game. LOS is the likelihood that the player is the stronger one. Count pairs where each opening was played twice with the seats swapped.\n\n--sprt tests H0 (the difference is ELO0) against H1 (it is ELO1), both in logistic Elo unless --model normalized is given; it prints the log likelihood ratio, (its bounds), [the two claims]. Where all games were won or lost, Elo is a bound. With --json, shares run from 0 to 1 and what has no finite value is null.\n\nExamples:\n  quintet stats --wdl 136,111,96\n  quintet stats --pairs 34,54,31,32,64,75\n  quintet stats --wdl 21404,40708,21184 --sprt 0.5,2.5\n  quintet stats --wdl 36433,68692,36027 --sprt 0,2 --model normalized --json"
    )]
    Stats(commands::stats::StatsArgs),
    /// Print a completion script for a shell
    #[command(after_help = "Example:\n  quintet completions bash > ~/.local/share/bash-completion/completions/quintet")]
    Completions(commands::completions::CompletionsArgs),
    /// Print the man page, or write the pages of all commands
    #[command(
        after_help = "Examples:\n  quintet man > quintet.1 && man ./quintet.1\n  quintet man --dir ~/.local/share/man/man1"
    )]
    Man(commands::man::ManArgs),
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::Cli;

    /// The commands that have `--json` themselves, else those of their subcommands that do.
    fn with_json(command: &clap::Command, path: &str, found: &mut Vec<String>) {
        for inner in command.get_subcommands() {
            let path = format!("{path} {}", inner.get_name()).trim_start().to_owned();
            if inner.get_arguments().any(|argument| argument.get_long() == Some("json")) {
                found.push(path);
            } else {
                with_json(inner, &path, found);
            }
        }
    }

    #[test]
    fn the_document_lists_the_commands_with_json() {
        let mut found = Vec::new();
        with_json(&Cli::command(), "", &mut found);
        let document = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/command-line.md");
        let text = std::fs::read_to_string(document).unwrap();
        let line = text.lines().find(|line| line.starts_with("`--json` prints JSON")).unwrap();
        let mut listed: Vec<&str> = line.split('`').skip(3).step_by(2).collect();
        listed.sort_unstable();
        found.sort_unstable();
        assert_eq!(listed, found);
    }
}

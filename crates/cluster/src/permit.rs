//! What a worker runs: agents of its own build with its own weights. No message chooses a program, a file, or more memory than was granted.

use quintet_agent::{ALL_CORES, Catalogue};
use quintet_arena::{Identity, Plan};
use quintet_eval::{Argument, Spec};
use quintet_game::GameSpec;

use crate::message::{Announcement, Task};

/// What the owner of a worker grants.
///
/// ```
/// use quintet_agent::Catalogue;
/// use quintet_arena::{Identity, Length, Plan};
/// use quintet_cluster::{Permit, message::{Announcement, Task}};
/// use quintet_game::GameSpec;
/// let (agents, spec) = (Catalogue::embedded(), GameSpec::parse("pylos").unwrap());
/// let plan = Plan::duel("pylos", ["random", "mcts"], Length::Games(2)).unwrap();
/// let players = Identity::of_players(&plan, &spec, agents);
/// let announced = Announcement::new("mine 1.0", &Task::Games(plan), players, 2, None);
/// let permit = Permit { engines: Vec::new(), threads: 1, memory: 512 };
/// assert!(permit.admit(&announced, "mine 1.0", agents).is_ok());
/// let refused = permit.admit(&announced, "mine 0.9", agents).unwrap_err();
/// assert!(refused.contains("install the same version on both machines"));
/// ```
#[derive(Clone, Debug)]
pub struct Permit {
    /// Outside engines: `ugi(cmd="NAME")` starts the command of that name, and nothing else is started.
    pub engines: Vec<(String, String)>,
    /// The most threads of one agent.
    pub threads: u64,
    /// The most memory that an agent may take, by its spec or by the defaults of its kind, in MiB.
    pub memory: u64,
}

impl Permit {
    /// The task of an announced run as it is done here: the same build, the same agents, the same weights.
    ///
    /// # Errors
    /// Why the run is not joined, as a sentence.
    pub fn admit(&self, announced: &Announcement, build: &str, agents: &Catalogue) -> Result<(Task, GameSpec), String> {
        if announced.build != build {
            return Err(format!(
                "the run is of build {}, and this worker is of build {build}: install the same version on both machines",
                announced.build
            ));
        }
        let (task, spec) = announced.read_task()?;
        let task = match task {
            Task::Games(plan) => Task::Games(self.plan(announced, plan, &spec, agents)?),
            // It takes the place of a game, which has two agents.
            Task::Map(map) if map.memory > 2 * self.memory => {
                return Err(format!(
                    "it takes {} MiB of memory for each first peg, and this worker grants {}: start the worker with fewer --threads or more --memory, or solve with less --memory",
                    map.memory,
                    2 * self.memory
                ));
            }
            Task::Map(map) => Task::Map(map),
        };
        Ok((task, spec))
    }

    fn plan(
        &self,
        announced: &Announcement,
        mut plan: Plan,
        spec: &GameSpec,
        agents: &Catalogue,
    ) -> Result<Plan, String> {
        let mut substituted = Vec::new();
        for player in &plan.players {
            let wrong = |why: String| format!("{}: {why}", player.name);
            let agent = match agents.resolve_agent(spec, &player.agent) {
                Ok(resolved) if resolved.memory() > self.memory => {
                    let (asked, granted) = (resolved.memory(), self.memory);
                    return Err(wrong(format!(
                        "it may take {asked} MiB of memory, and this worker grants an agent {granted}: start the worker with fewer --threads or more --memory, or give the agent less"
                    )));
                }
                Ok(resolved) => self.permitted(resolved.spec).map_err(wrong)?,
                // It cannot play this variant, and so it is written down in its games.
                Err(_) => None,
            };
            substituted.push(agent.map(|agent| agent.to_string()));
        }
        let own = Identity::of_players(&plan, spec, agents);
        for ((player, here), there) in plan.players.iter().zip(&own).zip(&announced.players) {
            differs(&player.name, here, there)?;
        }
        for (player, agent) in plan.players.iter_mut().zip(substituted) {
            player.agent = agent.unwrap_or_else(|| player.agent.clone());
        }
        Ok(plan)
    }

    /// The spec with the commands of engines put in for their names; none if it has no engines.
    fn permitted(&self, spec: Spec) -> Result<Option<Spec>, String> {
        let is_engine = spec.kind == "ugi";
        let mut changed = false;
        let mut arguments = Vec::new();
        for (key, value) in spec.arguments {
            let number = value.to_string().parse::<u64>().unwrap_or(u64::MAX);
            let value = match (key.as_str(), value) {
                ("cmd", Argument::Text(name)) if is_engine => {
                    changed = true;
                    Argument::Text(self.engine(&name)?)
                }
                (_, Argument::Text(_)) => {
                    return Err(format!("{key}: workers read no files that a message names; install weights by name"));
                }
                // Champions ask for all cores, and take the one that the arbiter leaves each game.
                ("threads", cores) if cores.to_string() == ALL_CORES => cores,
                ("threads", _) if number > self.threads => {
                    return Err(format!("threads: this worker grants an agent {}", self.threads));
                }
                ("memory" | "table", _) if number > self.memory => {
                    return Err(format!("{key}: this worker grants an agent {} MiB", self.memory));
                }
                (_, Argument::Spec(inner)) => match self.permitted(inner.clone())? {
                    Some(other) => {
                        changed = true;
                        Argument::Spec(other)
                    }
                    None => Argument::Spec(inner),
                },
            };
            arguments.push((key, value));
        }
        Ok(changed.then_some(Spec { kind: spec.kind, arguments }))
    }

    fn engine(&self, name: &str) -> Result<String, String> {
        let found = self.engines.iter().find(|(known, _)| known == name);
        found.map(|(_, command)| command.clone()).ok_or_else(|| {
            "this worker starts no outside engine of that name; start it with --allow-engine NAME=COMMAND, and name the engine in the plan as ugi(cmd=\"NAME\")".to_owned()
        })
    }
}

/// Says how a player differs on two machines, if it does.
fn differs(player: &str, here: &Identity, there: &Identity) -> Result<(), String> {
    if here.spec != there.spec {
        return Err(format!("{player} is {} here and {} where the run was started", here.spec, there.spec));
    }
    if here.limit != there.limit {
        return Err(format!(
            "{player} has another default limit here than where the run was started: copy agents/ of the data directory"
        ));
    }
    let of = |identity: &Identity, name: &str| {
        identity.weights.iter().find(|(own, _)| own == name).map(|(_, sum)| short(sum))
    };
    for (name, _) in there.weights.iter().chain(&here.weights) {
        match (of(here, name), of(there, name)) {
            (Some(own), Some(sum)) if own != sum => {
                return Err(format!(
                    "{player}: {name} has the checksum {own} here and {sum} where the run was started: copy it to the data directory of this worker"
                ));
            }
            (None, Some(_)) => {
                return Err(format!("{player}: {name} is used where the run was started, and is not here"));
            }
            (Some(_), None) => {
                return Err(format!("{player}: {name} is used here, and is not there where the run was started"));
            }
            _ => {}
        }
    }
    Ok(())
}

fn short(sum: &str) -> String {
    sum.chars().take(12).collect()
}

#[cfg(test)]
mod tests {
    use quintet_arena::{Contestant, Length};
    use quintet_game::Limit;

    use super::*;
    use crate::message::MapPlan;

    fn announced(agents: [&str; 2]) -> Announcement {
        let mut plan = Plan::duel("pylos", ["random", "random"], Length::Games(2)).unwrap();
        plan.players = agents.map(|agent| Contestant { name: agent.into(), agent: agent.into() }).to_vec();
        let spec = GameSpec::parse("pylos").unwrap();
        let players = Identity::of_players(&plan, &spec, Catalogue::embedded());
        Announcement::new("1-abc", &Task::Games(plan), players, 2, None)
    }

    fn permit() -> Permit {
        Permit { engines: vec![("mine".into(), "./engine --fast".into())], threads: 2, memory: 512 }
    }

    #[test]
    fn a_worker_runs_only_what_it_was_granted() {
        let admit = |agents| permit().admit(&announced(agents), "1-abc", Catalogue::embedded());
        let (Task::Games(plan), _) = admit(["mcts(visits=5)", "ugi(cmd=\"mine\",time=1s)"]).unwrap() else {
            panic!("these are games")
        };
        assert_eq!(plan.players[0].agent, "mcts(visits=5)");
        assert!(admit(["puct(eval=net,threads=all,memory=64)", "random"]).is_ok());
        assert_eq!(plan.players[1].agent, "ugi(cmd=\"./engine --fast\",time=1s)");
        for (bad, says) in [
            ("ugi(cmd=\"touch /tmp/x\")", "--allow-engine"),
            ("book(agent=ugi(cmd=\"sh\"))", "--allow-engine"),
            ("greedy(eval=difference(weights=\"/etc/passwd\"))", "no files"),
            ("puct(eval=difference,threads=3)", "threads"),
            ("mcts(memory=513)", "513 MiB of memory"),
            ("exact(agent=mcts)", "640 MiB of memory"),
        ] {
            let said = admit(["random", bad]).unwrap_err();
            assert!(said.contains(says), "{bad}: {said}");
        }
    }

    #[test]
    fn a_first_peg_takes_the_memory_of_a_game() {
        let admit = |memory| {
            let task = Task::Map(MapPlan { game: "twixt(size=6)".into(), memory });
            permit().admit(&Announcement::new("1", &task, Vec::new(), 6, None), "1", Catalogue::embedded())
        };
        assert!(admit(1024).is_ok());
        assert!(admit(1025).unwrap_err().contains("1025 MiB of memory for each first peg"));
    }

    #[test]
    fn another_build_or_other_weights_are_refused_with_a_sentence() {
        let mut run = announced(["random", "mcts(visits=5)"]);
        let said = permit().admit(&run, "2-def", Catalogue::embedded()).unwrap_err();
        assert!(said.contains("build 1-abc") && said.contains("same version"), "{said}");
        run.players[1].spec = "mcts(visits=6)".into();
        let said = permit().admit(&run, "1-abc", Catalogue::embedded()).unwrap_err();
        assert!(said.contains("mcts(visits=5) here"), "{said}");
        run.players[1].spec = "mcts(visits=5)".into();
        run.players[1].weights = vec![("w".into(), "00".into())];
        let said = permit().admit(&run, "1-abc", Catalogue::embedded()).unwrap_err();
        assert!(said.contains("w is used where the run was started, and is not here"), "{said}");
        run.players[1] = Identity { limit: Some(Limit::depth(3)), ..Identity::default() };
        run.players[1].spec = "mcts(visits=5)".into();
        let said = permit().admit(&run, "1-abc", Catalogue::embedded()).unwrap_err();
        assert!(said.contains("default limit"), "{said}");
        // A strategy or a table decides exact play: here there is one, and there was none.
        let exact = "exact(agent=random,memory=64)";
        let mut run = announced(["random", exact]);
        assert!(permit().admit(&run, "1-abc", Catalogue::embedded()).is_ok());
        assert!(matches!(&run.players[1].weights[..], [(name, _)] if name == "strategy"));
        run.players[1].weights.clear();
        let said = permit().admit(&run, "1-abc", Catalogue::embedded()).unwrap_err();
        assert!(said.contains("strategy is used here"), "{said}");
    }
}

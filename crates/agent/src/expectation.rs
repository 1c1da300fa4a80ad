//! One scale for what different searches say.

use quintet_eval::{Argument, EvalGuide, Spec};
use quintet_game::{GameSpec, with_game};
use quintet_search::Choice;

use crate::Catalogue;

impl Catalogue {
    /// What the side to move may expect after an agent's choice, from 0 for a loss over 1/2 for a draw to 1 for a win: proven, by the chances of a search that counts
    /// them, or by the evaluation's value, on the scale that [`EvalGuide`] has for it. `None` for agents that judge nothing, such as `random`.
    ///
    /// ```
    /// use quintet_agent::Catalogue;
    /// use quintet_game::{GameSpec, Limit, Stop};
    /// let (agents, spec) = (Catalogue::embedded(), GameSpec::parse("pylos").unwrap());
    /// let line = spec.line();
    /// for (agent, judges) in [("mcts", true), ("ordered(eval=difference)", true), ("random", false)] {
    ///     let mut seat = agents.seat(&spec, agent, 1).unwrap();
    ///     let choice = seat.think(&*line, &Limit::nodes(200), &Stop::never(), &mut |_| {}).unwrap();
    ///     let expected = agents.expectation(&spec, agent, &choice);
    ///     assert_eq!(expected.is_some_and(|expected| (0.0..=1.0).contains(&expected)), judges);
    /// }
    /// ```
    #[must_use]
    pub fn expectation(&self, spec: &GameSpec, agent: &str, choice: &Choice<String>) -> Option<f64> {
        let by_value = || {
            let resolved = self.resolve_agent(spec, agent).ok()?;
            let eval = evaluation_of(&resolved.spec)?;
            with_game!(spec, |game| {
                let eval = self.weight_store().evaluation(&game, eval).ok()?;
                Some(EvalGuide::new(eval, &game).expectation(choice.value))
            })
        };
        choice.expectation().or_else(by_value)
    }
}

/// The evaluation of an agent, or of the agent within it.
fn evaluation_of(agent: &Spec) -> Option<&Spec> {
    let argument = |wanted: &str| match agent.arguments.iter().find(|(key, _)| key == wanted) {
        Some((_, Argument::Spec(spec))) => Some(spec),
        _ => None,
    };
    argument("eval").or_else(|| evaluation_of(argument("agent")?))
}

//! Any body of a request is answered, or refused in a sentence. The first byte chooses the request, counted from `A`.
#![no_main]

use std::sync::LazyLock;
use std::time::Duration;

use libfuzzer_sys::{Corpus, fuzz_target};
use quintet_api::{Analyse, Analysis, Api, ApiError, Explain, Export, Import, NewRoom, Place, ReviewEvent};
use quintet_fuzz::check_line;
use quintet_game::{Limit, Stop};
use serde::de::DeserializeOwned;

static API: LazyLock<Api> = LazyLock::new(Api::embedded);

/// What searches get here: a moment.
fn little() -> Limit {
    Limit { nodes: Some(20), depth: Some(2), visits: Some(20), ..Limit::time(Duration::from_millis(50)) }
}

/// Answers a body that is of the type of a request.
fn with<T: DeserializeOwned, A>(body: &[u8], answer: impl FnOnce(T) -> Result<A, ApiError>) {
    if let Ok(request) = serde_json::from_slice(body)
        && let Err(refused) = answer(request)
    {
        check_line(refused.body["error"].as_str().expect("a refusal has a reason"));
    }
}

/// A checked request for a search, with less to do.
fn smaller(analysis: Analysis) -> Analysis {
    Analysis { limit: little(), ..analysis }
}

fuzz_target!(|data: &[u8]| -> Corpus {
    let [which, body @ ..] = data else { return Corpus::Reject };
    let stop = Stop::never();
    match which.wrapping_sub(b'A') {
        0 => with(body, |place: Place| API.position(&place)),
        1 => with(body, |place: Place| API.picture(&place)),
        2 => with(body, |place: Place| API.exact(&place, &little(), &stop)),
        3 => with(body, |asked: Explain| API.explain(&asked)),
        4 => with(body, |asked: Import| API.import(&asked)),
        5 => with(body, |asked: Export| API.export(&asked)),
        6 => with(body, |asked: Analyse| smaller(API.analysis(&asked)?).think(&stop, &mut |_| {})),
        7 => with(body, |asked: Analyse| smaller(API.trace(&asked)?).trace(&stop)),
        8 => with(body, |asked: Analyse| {
            // A review searches once per move; a few moves say as much as many.
            if asked.place.moves.len() > 4 {
                return Ok(());
            }
            let mut review = smaller(API.review(&asked)?).review()?;
            while matches!(review.step(&stop)?, ReviewEvent::Ply(_)) {}
            Ok(())
        }),
        9 => with(body, |room: NewRoom| room.check(&API)),
        _ => return Corpus::Reject,
    }
    Corpus::Keep
});

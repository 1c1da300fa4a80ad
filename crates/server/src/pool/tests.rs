//! Queues, turns and ends of jobs.

use std::sync::mpsc;

use super::*;

const SHAPE: Shape = Shape { workers: 1, of_address: 4, in_all: 6, slice: Duration::from_secs(3600) };
const LONG: Duration = Duration::from_secs(3600);

fn client(address: u8, session: u64) -> Client {
    Client { address: [10, 0, 0, address].into(), session }
}

/// A job that runs until it is told to end, and says so.
fn endless(pool: &Pool, ended: &mpsc::Sender<u32>, client: Client, number: u32) -> Result<Ticket, Busy> {
    let ended = ended.clone();
    pool.submit(client, LONG, move |signals| {
        while !signals.stop.stopped() {
            thread::sleep(Duration::from_millis(1));
        }
        ended.send(number).unwrap();
    })
}

fn until(test: impl Fn() -> bool) {
    while !test() {
        thread::sleep(Duration::from_millis(1));
    }
}

fn place(ticket: &Ticket) -> usize {
    *ticket.place().borrow()
}

#[test]
fn clients_are_served_in_turn() {
    let pool = Pool::new(SHAPE);
    let (sender, ended) = mpsc::channel();
    let first = endless(&pool, &sender, client(1, 1), 0).unwrap();
    until(|| place(&first) == 0 && pool.shared.lock().running.len() == 1);
    let greedy: Vec<Ticket> = (1..=4).map(|number| endless(&pool, &sender, client(1, 1), number).unwrap()).collect();
    until(|| greedy.iter().map(place).eq([1, 2, 3, 4]));
    // The fifth is one too many for this address; others still get in, and are served first.
    let busy = endless(&pool, &sender, client(1, 2), 99).err().unwrap();
    assert_eq!(busy, Busy { running: 1, waiting: 4, own: 4 });
    let other = endless(&pool, &sender, client(2, 1), 5).unwrap();
    let third = endless(&pool, &sender, client(3, 1), 6).unwrap();
    until(|| (place(&other), place(&third), place(&greedy[0])) == (1, 2, 3));
    assert_eq!(endless(&pool, &sender, client(4, 1), 99).err(), Some(Busy { running: 1, waiting: 6, own: 0 }));
    first.stop();
    until(|| (place(&other), place(&third), place(&greedy[0])) == (0, 1, 2));
    // A cancelled job frees its place and never starts.
    drop(third);
    until(|| place(&greedy[0]) == 1);
    other.stop();
    until(|| place(&greedy[0]) == 0);
    drop(greedy);
    drop((first, other));
    assert_eq!([0, 5, 1].map(|_| ended.recv().unwrap()), [0, 5, 1]);
}

/// A place that was computed before the job started may be told after it.
#[test]
fn a_running_job_is_told_no_place() {
    let (sender, place) = watch::channel(0);
    let told = PlaceSignal { place: sender, runs: AtomicBool::new(false) };
    told.tell(3);
    assert_eq!(*place.borrow(), 3);
    told.tell_start();
    told.tell(2);
    assert_eq!(*place.borrow(), 0);
}

#[test]
fn sessions_of_one_address_are_served_in_turn() {
    let pool = Pool::new(SHAPE);
    let (sender, ended) = mpsc::channel();
    let first = endless(&pool, &sender, client(1, 1), 0).unwrap();
    until(|| pool.shared.lock().running.len() == 1);
    let own: Vec<Ticket> = (1..=2).map(|number| endless(&pool, &sender, client(1, 1), number).unwrap()).collect();
    let other = endless(&pool, &sender, client(1, 2), 3).unwrap();
    until(|| (place(&other), place(&own[0])) == (1, 2));
    drop((own, other, first));
    assert_eq!(ended.recv(), Ok(0));
}

#[test]
fn a_long_job_gives_way_only_to_others() {
    let pool = Pool::new(Shape { slice: Duration::ZERO, ..SHAPE });
    let (sender, ended) = mpsc::channel();
    let _long = endless(&pool, &sender, client(1, 1), 0).unwrap();
    let _own = endless(&pool, &sender, client(1, 1), 1).unwrap();
    assert!(ended.recv_timeout(Duration::from_millis(50)).is_err(), "one's own job does not cut it short");
    let _other = endless(&pool, &sender, client(2, 1), 2).unwrap();
    assert_eq!(ended.recv(), Ok(0));
}

#[test]
fn a_job_of_several_steps_goes_on_after_the_others() {
    let pool = Pool::new(Shape { slice: Duration::ZERO, ..SHAPE });
    let (sender, heard) = mpsc::channel();
    let (told, mut turns) = (sender.clone(), 0);
    let _steps = pool.submit_steps(client(1, 1), LONG, move |signals| {
        turns += 1;
        told.send(turns).unwrap();
        while !signals.give_way() && !signals.stop.stopped() {
            thread::sleep(Duration::from_millis(1));
        }
        Next::Again
    });
    assert_eq!(heard.recv(), Ok(1));
    let _other = pool.submit(client(2, 1), LONG, move |_| sender.send(100).unwrap()).unwrap();
    assert_eq!([(), ()].map(|()| heard.recv().unwrap()), [100, 2]);
}

#[test]
fn nothing_runs_longer_than_it_may() {
    let pool = Pool::new(SHAPE);
    let (sender, ended) = mpsc::channel();
    let work = move |signals: &Signals| {
        until(|| signals.stop.stopped());
        sender.send(()).unwrap();
    };
    let _ticket = pool.submit(client(1, 1), Duration::from_millis(5), work).unwrap();
    assert_eq!(ended.recv(), Ok(()));
}

#[tokio::test]
async fn a_panic_is_answered_and_does_not_take_the_thread() {
    let pool = Pool::new(SHAPE);
    let broken = pool.run::<()>(client(1, 1), LONG, |_| panic!("on purpose")).await.unwrap_err();
    assert_eq!((broken.kind, broken.to_string()), (ErrorKind::Broken, "it broke down: on purpose".to_owned()));
    assert_eq!(pool.run(client(1, 1), LONG, |_| Ok(7)).await, Ok(7));
    pool.close();
    assert_eq!(pool.run(client(1, 1), LONG, |_| Ok(7)).await.unwrap_err().kind, ErrorKind::Busy);
}

//! The clocks of rooms: a flag falls when its time has come, whether or not anybody looks.

use std::sync::Arc;
use std::time::Duration;

use quintet_api::{ApiError, Room};

use crate::rooms::{Held, OpenRoom, Rooms, locked};

impl Rooms {
    /// Ends a game whose time is up, before anything else is done with it. Returns whether it has.
    pub async fn keep_time(self: &Arc<Rooms>, room: &mut Room) -> Result<bool, ApiError> {
        let Some(over) = room.flagged(self.now()) else { return Ok(false) };
        self.commit(room, over).await?;
        Ok(true)
    }

    /// Sees to it that the flag of the person to move falls in time. Another turn replaces the timer of the last one; a room that leaves the memory takes it along.
    pub fn set_timer(self: &Arc<Rooms>, open: &Arc<OpenRoom>, room: &Room) {
        let wait = room.flag_falls_at().map(|at| at.saturating_sub(self.now()));
        let timer = wait.map(|wait| {
            let (rooms, open) = (Arc::downgrade(self), Arc::downgrade(open));
            tokio::spawn(async move {
                tokio::time::sleep(wait + Duration::from_millis(1)).await;
                let (Some(rooms), Some(open)) = (rooms.upgrade(), open.upgrade()) else { return };
                let room = Arc::clone(&open.room).lock_owned().await;
                // This timer is over: the next one must not end it while it still stores and tells.
                locked(&open.timer).take();
                rooms.flag_falls(&open, room).await;
            })
            .abort_handle()
        });
        let before = std::mem::replace(&mut *locked(&open.timer), timer);
        if let Some(before) = before {
            before.abort();
        }
    }

    /// The time of the person to move is up: everyone is told. What could not be stored is tried again when somebody asks for the room.
    async fn flag_falls(self: &Arc<Rooms>, open: &Arc<OpenRoom>, mut room: Held) {
        if self.keep_time(&mut room).await == Ok(true) {
            let client = *locked(&open.client);
            self.tell(client, open, room).await;
        }
    }
}

//! A stream of events that arrives in pieces: wherever they are cut, the same events come out, and
//! none holds an end of the stream's own.

use super::events::Events;

/// Reads the bytes at once and in pieces; the first byte says how long those are.
pub fn hold(data: &[u8]) {
    let Some((first, stream)) = data.split_first() else {
        return;
    };
    let whole = Events::default().take(stream);
    let mut reader = Events::default();
    let size = usize::from(first % 7) + 1;
    let pieces: Vec<_> = stream
        .chunks(size)
        .flat_map(|piece| reader.take(piece))
        .collect();
    assert_eq!(pieces, whole);
    assert!(whole.iter().all(|event| !event.name.contains('\n')));
}

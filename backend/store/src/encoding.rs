//! Compression of idempotency records.
//!
//! The answer and the undo record are a few kilobytes of repetitive JSON. Compressed, several
//! records share a page of the file, and each sync writes that much less. Compression happens
//! before the database gets the value, decompression only for repeats and undos. Both stores share
//! this code.

/// Compresses an answer and an undo record, both JSON.
pub(super) fn pack(answer: &str, undo: &str) -> Vec<u8> {
    let mut text = Vec::with_capacity(8 + answer.len() + undo.len());
    text.extend_from_slice(&(answer.len() as u64).to_le_bytes());
    text.extend_from_slice(answer.as_bytes());
    text.extend_from_slice(undo.as_bytes());
    lz4_flex::block::compress_prepend_size(&text)
}

/// Decompresses an answer and an undo record.
///
/// # Errors
/// If the bytes in the database were tampered with.
pub(super) fn unpack(packed: &[u8]) -> Result<(String, String), String> {
    let text =
        lz4_flex::block::decompress_size_prepended(packed).map_err(|error| error.to_string())?;
    let parts = text.split_first_chunk::<8>().and_then(|(length, rest)| {
        let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
        rest.split_at_checked(length)
    });
    let (answer, undo) = parts.ok_or_else(|| "too short".to_owned())?;
    let owned = |part: &[u8]| String::from_utf8(part.to_vec()).map_err(|error| error.to_string());
    Ok((owned(answer)?, owned(undo)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_was_packed_comes_back(answer in ".{0,300}", undo in ".{0,300}") {
            let packed = pack(&answer, &undo);
            prop_assert_eq!(unpack(&packed).expect("the same"), (answer, undo));
        }

        #[test]
        fn bytes_that_nobody_packed_are_an_error_and_no_panic(
            mut bytes in prop::collection::vec(any::<u8>(), 0..200)
        ) {
            // The first four bytes are the decompressed size; a small one keeps the test small.
            if let Some(size) = bytes.get_mut(2..4) {
                size.fill(0);
            }
            let _ = unpack(&bytes);
        }
    }
}

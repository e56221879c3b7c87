//! What comes over a WebSocket. The first byte says whether the input is the bytes of the connection as they are, or
//! messages, one line each.

use std::cell::RefCell;
use std::time::Duration;

use crate::fixtures::{Local, local};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

thread_local!(static LOCAL: RefCell<Option<Local>> = const { RefCell::new(None) });

const UPGRADE: &[u8] =
    b"GET /api/v1/ws HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\n\
    sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n";

/// A message of a client, masked with zeros.
fn frame(text: &[u8]) -> Vec<u8> {
    let mut frame = vec![0x81];
    match text.len() {
        short @ 0..126 => frame.push(0x80 | short as u8),
        long => {
            frame.push(0x80 | 126);
            frame.extend((long.min(65_535) as u16).to_be_bytes());
        }
    }
    frame.extend([0; 4]);
    frame.extend(&text[..text.len().min(65_535)]);
    frame
}

/// Takes one input.
///
/// # Panics
/// When something does not hold.
pub fn frames(data: &[u8]) {
    let Some((first, rest)) = data.split_first() else { return };
    let sent: Vec<u8> = match first & 1 {
        0 => rest.to_vec(),
        _ => rest.split(|byte| *byte == b'\n').flat_map(frame).chain([0x88, 0x80, 0, 0, 0, 0]).collect(),
    };
    LOCAL.with_borrow_mut(|server| {
        let server = server.get_or_insert_with(local);
        let address = server.address;
        server.runtime.block_on(async {
            let mut stream = TcpStream::connect(address).await.expect("the server lives");
            stream.write_all(UPGRADE).await.expect("it reads");
            let _ = stream.write_all(&sent).await;
            let _ = stream.shutdown().await;
            let mut heard = Vec::new();
            let mut answer = stream.take(1 << 20);
            let ended = tokio::time::timeout(Duration::from_secs(5), answer.read_to_end(&mut heard)).await;
            assert!(ended.is_ok(), "the server closes a connection whose other side is closed");
            assert!(heard.starts_with(b"HTTP/1.1 101"), "{}", String::from_utf8_lossy(&heard));
        });
    });
}

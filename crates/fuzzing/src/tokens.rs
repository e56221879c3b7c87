//! Strings that stand for somebody: each line of the input is a header of a request, the first one its path.

use std::cell::RefCell;
use std::time::Duration;

use crate::fixtures::{Local, local};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

thread_local!(static LOCAL: RefCell<Option<Local>> = const { RefCell::new(None) });

/// Takes one input.
///
/// # Panics
/// When something does not hold.
pub fn tokens(data: &[u8]) {
    if let Ok(ticket) = std::str::from_utf8(data) {
        quorate_app::meeting_of_ticket(ticket);
    }
    LOCAL.with_borrow_mut(|server| {
        let server = server.get_or_insert_with(local);
        let address = server.address;
        server.runtime.block_on(async {
            let mut lines = data.split(|byte| *byte == b'\n');
            let mut request = b"GET /api/v1/".to_vec();
            request.extend(lines.next().unwrap_or_default().iter().filter(|byte| byte.is_ascii_graphic()));
            request.extend(b" HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n");
            for line in lines {
                request.extend(line.iter().filter(|byte| **byte != b'\r'));
                request.extend(b"\r\n");
            }
            request.extend(b"\r\n");
            let answer = async {
                let mut stream = TcpStream::connect(address).await.expect("the server lives");
                let _ = stream.write_all(&request).await;
                let mut answer = Vec::new();
                let _ = (&mut stream).take(1 << 20).read_to_end(&mut answer).await;
                answer
            };
            // Streams of events do not end by themselves.
            let Ok(answer) = tokio::time::timeout(Duration::from_millis(500), answer).await else { return };
            assert!(!answer.starts_with(b"HTTP/1.1 500"), "{}", String::from_utf8_lossy(&answer));
        });
    });
}

//! A link from a node to the database that a test cuts.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// A port that passes on to another one until it is cut.
pub(super) struct Link {
    pub(super) port: u16,
    is_cut: Arc<AtomicBool>,
    open: Arc<Mutex<Vec<TcpStream>>>,
}

impl Link {
    pub(super) fn to(target: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        let (is_cut, open) = (Arc::new(AtomicBool::new(false)), Arc::new(Mutex::new(Vec::new())));
        let this = Self { port, is_cut: Arc::clone(&is_cut), open: Arc::clone(&open) };
        std::thread::spawn(move || {
            for near in listener.incoming().flatten() {
                // Dropped at once while it is cut.
                if is_cut.load(Ordering::SeqCst) {
                    continue;
                }
                let Ok(far) = TcpStream::connect(target) else { continue };
                let (Ok(near_too), Ok(far_too)) = (near.try_clone(), far.try_clone()) else { continue };
                let kept = [&near, &far].map(|stream| stream.try_clone().expect("a stream"));
                open.lock().expect("no panic").extend(kept);
                std::thread::spawn(move || pass(near, far));
                std::thread::spawn(move || pass(far_too, near_too));
            }
        });
        this
    }

    /// Ends all connections, and takes no new ones.
    pub(super) fn cut(&self) {
        self.is_cut.store(true, Ordering::SeqCst);
        for stream in self.open.lock().expect("no panic").drain(..) {
            _ = stream.shutdown(Shutdown::Both);
        }
    }

    pub(super) fn mend(&self) {
        self.is_cut.store(false, Ordering::SeqCst);
    }
}

fn pass(mut from: TcpStream, mut to: TcpStream) {
    let mut piece = vec![0; 1 << 16];
    while let Ok(read) = from.read(&mut piece)
        && read > 0
    {
        if to.write_all(&piece[..read]).is_err() {
            break;
        }
    }
    _ = to.shutdown(Shutdown::Both);
    _ = from.shutdown(Shutdown::Both);
}

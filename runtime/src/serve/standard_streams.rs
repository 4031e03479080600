//! Takes stdin and stdout away from the rest of the process.
//!
//! On stdio the protocol's messages must be the only thing on stdout. A stray `print`, a native library or a child that
//! inherits the descriptor would break every client, so descriptor 1 becomes stderr and descriptor 0 becomes empty, and
//! only the transport keeps the real ones.

use std::{io, pin::Pin};

use tokio::io::{AsyncRead, AsyncWrite};

pub(super) type Reader = Box<dyn AsyncRead + Send + Unpin>;
pub(super) type Writer = Box<dyn AsyncWrite + Send + Unpin>;

/// Ends when nobody can read stdout any more.
pub(super) type Unread = Pin<Box<dyn Future<Output = ()> + Send>>;

#[cfg(unix)]
pub(super) fn take() -> io::Result<(Reader, Writer, Unread)> {
    use std::{fs::File, os::fd::AsFd};

    let stdin = io::stdin().as_fd().try_clone_to_owned()?;
    let stdout = io::stdout().as_fd().try_clone_to_owned()?;
    nix::unistd::dup2_stdin(File::open("/dev/null")?)?;
    nix::unistd::dup2_stdout(io::stderr())?;
    let unread = Box::pin(unix::unread(stdout.try_clone()?));
    Ok((unix::reader(stdin)?, unix::writer(stdout)?, unread))
}

#[cfg(not(unix))]
pub(super) fn take() -> io::Result<(Reader, Writer, Unread)> {
    Ok((
        Box::new(tokio::io::stdin()),
        Box::new(tokio::io::stdout()),
        Box::pin(std::future::pending()),
    ))
}

#[cfg(unix)]
mod unix {
    use std::{
        fs::File,
        io,
        os::{
            fd::{AsFd, OwnedFd},
            unix::{fs::FileTypeExt, net::UnixStream},
        },
        time::Duration,
    };

    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
    use tokio::net::unix::pipe;

    use super::{Reader, Writer};

    /// How often it is looked whether somebody can still read.
    const LOOK: Duration = Duration::from_millis(500);

    enum Kind {
        Pipe,
        Socket,
        /// A terminal or a file, which the reactor cannot wait for.
        Other,
    }

    /// Pipes and sockets are waited for by the reactor: a blocking thread per message would cost four times as much,
    /// and descriptors that somebody has made non-blocking would fail in it.
    pub(super) fn reader(stream: OwnedFd) -> io::Result<Reader> {
        Ok(match kind(&stream)? {
            Kind::Pipe => Box::new(pipe::Receiver::from_owned_fd(stream)?),
            Kind::Socket => Box::new(socket(stream)?),
            Kind::Other => Box::new(tokio::fs::File::from_std(stream.into())),
        })
    }

    pub(super) fn writer(stream: OwnedFd) -> io::Result<Writer> {
        Ok(match kind(&stream)? {
            Kind::Pipe => Box::new(pipe::Sender::from_owned_fd(stream)?),
            Kind::Socket => Box::new(socket(stream)?),
            Kind::Other => Box::new(tokio::fs::File::from_std(stream.into())),
        })
    }

    /// A server with nothing to write would not notice otherwise.
    pub(super) async fn unread(stdout: OwnedFd) {
        loop {
            tokio::time::sleep(LOOK).await;
            let mut looked = [PollFd::new(stdout.as_fd(), PollFlags::empty())];
            let found = poll(&mut looked, PollTimeout::ZERO);
            let closed = PollFlags::POLLERR | PollFlags::POLLHUP;
            let seen = looked[0].revents().unwrap_or(PollFlags::empty());
            if found.is_ok() && seen.intersects(closed) {
                return;
            }
        }
    }

    fn kind(stream: &OwnedFd) -> io::Result<Kind> {
        let kind = File::from(stream.try_clone()?).metadata()?.file_type();
        Ok(if kind.is_fifo() {
            Kind::Pipe
        } else if kind.is_socket() {
            Kind::Socket
        } else {
            Kind::Other
        })
    }

    fn socket(stream: OwnedFd) -> io::Result<tokio::net::UnixStream> {
        let stream = UnixStream::from(stream);
        stream.set_nonblocking(true)?;
        tokio::net::UnixStream::from_std(stream)
    }
}

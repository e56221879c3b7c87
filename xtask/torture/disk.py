"""A disk that can be made full, and that has room again.

Which one is used depends on what this machine allows: a file system in memory that is made smaller, a file system in a
file that is filled, or a limit on the size of files of the running process, which needs no rights.
"""

import os
import pathlib
import resource
import shutil
import signal
import subprocess

MEGABYTE = 1 << 20
# How much fits on the file systems.
SIZE = 512 * MEGABYTE


def make(folder, name=None):
    """The first kind of disk that this machine allows, or the one of that name."""
    kinds = {"memory": Memory, "image": Image, "limit": Limit}
    if name is not None:
        return kinds[name](folder)
    for kind in (Memory, Image):
        try:
            return kind(folder)
        except (OSError, subprocess.CalledProcessError):
            continue
    return Limit(folder)


def run(*command):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


class Memory:
    """A file system in memory. Full is one that is as large as what lies on it."""

    name = "a tmpfs that is made smaller"

    def __init__(self, folder):
        if os.getuid() != 0:
            raise OSError("only root mounts file systems")
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        run("mount", "-t", "tmpfs", "-o", f"size={SIZE},mode=0700", "quorate-torture", str(self.folder))

    def fill(self, process, spare=0):
        """Leaves so many bytes of room."""
        for _ in range(100):
            state = os.statvfs(self.folder)
            used = (state.f_blocks - state.f_bfree) * state.f_frsize
            try:
                return run("mount", "-o", f"remount,size={used + spare}", str(self.folder))
            except subprocess.CalledProcessError:
                # More was written in the meantime.
                continue
        raise OSError(f"{self.folder} grows faster than it is made smaller")

    def make_room(self, process):
        """Gives the room back."""
        run("mount", "-o", f"remount,size={SIZE}", str(self.folder))

    def set_writable(self, is_writable):
        """While nobody has a file open there for writing."""
        run("mount", "-o", f"remount,{'rw' if is_writable else 'ro'}", str(self.folder))

    def prepare(self):
        """Nothing that the process needs before it begins."""

    def end(self, keep=None):
        """Takes it away, after what lies on it was copied."""
        if keep and self.folder.is_dir():
            shutil.copytree(self.folder, keep, dirs_exist_ok=True)
        subprocess.run(["umount", "-l", str(self.folder)], check=False, stderr=subprocess.DEVNULL)


class Image(Memory):
    """A file system in a file. Full is one with a file that takes all the room."""

    name = "a file system in a file that is filled"

    def __init__(self, folder):
        if os.getuid() != 0:
            raise OSError("only root mounts file systems")
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.image = self.folder.with_suffix(".image")
        with open(self.image, "wb") as file:
            file.truncate(SIZE)
        run("mkfs.ext4", "-q", "-F", "-m", "0", str(self.image))
        run("mount", "-o", "loop", str(self.image), str(self.folder))
        self.ballast = self.folder / "ballast"

    def fill(self, process, spare=0):
        """Leaves so many bytes of room."""
        with open(self.ballast, "ab", buffering=0) as file:
            size = MEGABYTE
            while size >= 4096:
                state = os.statvfs(self.folder)
                if state.f_bfree * state.f_frsize <= spare:
                    return
                try:
                    file.write(b"\0" * size)
                except OSError:
                    size //= 2

    def make_room(self, process):
        """Gives the room back."""
        self.ballast.unlink(missing_ok=True)

    def end(self, keep=None):
        """Takes it away, after what lies on it was copied."""
        super().end(keep)
        self.image.unlink(missing_ok=True)


class Limit:
    """A limit on the size of the files of the process: what is longer cannot grow any more."""

    name = "a limit on the size of files (RLIMIT_FSIZE)"

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)

    def fill(self, process, spare=0):
        """No file of the process grows beyond this many bytes."""
        if process.poll() is None:
            resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (spare, resource.RLIM_INFINITY))

    def make_room(self, process):
        """Takes the limit away."""
        if process is not None and process.poll() is None:
            resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))

    def prepare(self):
        """In the process, before it begins: a write beyond the limit fails, and no signal ends the process."""
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    def end(self, keep=None):
        """Copies what lies there."""
        if keep:
            shutil.copytree(self.folder, keep, dirs_exist_ok=True)

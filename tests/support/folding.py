#!/usr/bin/python3
"""Shows a folder as a file system that folds case and Unicode forms and keeps names as they were given, as APFS does: folding.py FOLDER MOUNT_POINT
With a third argument it keeps them in small letters, as lowntfs-3g does with ignore_case."""
import errno, os, sys, unicodedata
from fusepy import FUSE, FuseOSError, Operations

STAT = ("st_mode", "st_ino", "st_nlink", "st_uid", "st_gid", "st_size")
TIMES = ("st_atime", "st_mtime", "st_ctime")


def kept(name):
    return name.lower() if len(sys.argv) > 3 else name


def fold(name):
    return unicodedata.normalize("NFD", name).casefold()


class Folding(Operations):
    use_ns = True

    def __init__(self, folder):
        self.folder = folder

    def real(self, path):
        """Returns the path as it is stored. Where nothing is there, the names as given."""
        at = self.folder
        for name in path.split("/"):
            if name == "":
                continue
            try:
                names = os.listdir(at)
            except OSError:
                names = []
            at = os.path.join(at, next((one for one in names if fold(one) == fold(name)), kept(name)))
        return at

    def given(self, path):
        return os.path.join(os.path.dirname(self.real(path)), kept(os.path.basename(path)))

    def getattr(self, path, fh=None):
        stats = os.lstat(self.real(path))
        return {**{key: getattr(stats, key) for key in STAT}, **{key: getattr(stats, f"{key}_ns") for key in TIMES}}

    def readdir(self, path, fh):
        return [".", "..", *os.listdir(self.real(path))]

    def rename(self, old, new):
        source, there = self.real(old), self.real(new)
        os.rename(source, self.given(new) if there == source else there)

    def create(self, path, mode, fi=None):
        return os.open(self.real(path), os.O_RDWR | os.O_CREAT | os.O_EXCL, mode)

    def open(self, path, flags):
        return os.open(self.real(path), flags & ~(os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW))

    def read(self, path, size, offset, fh):
        return os.pread(fh, size, offset)

    def write(self, path, data, offset, fh):
        return os.pwrite(fh, data, offset)

    def truncate(self, path, length, fh=None):
        os.truncate(self.real(path), length)

    def release(self, path, fh):
        os.close(fh)

    def utimens(self, path, times=None):
        os.utime(self.real(path), ns=times, follow_symlinks=False)

    def fsync(self, path, datasync, fh):
        os.fsync(fh)

    def access(self, path, mode):
        if not os.access(self.real(path), mode):
            raise FuseOSError(errno.EACCES)

    def readlink(self, path):
        return os.readlink(self.real(path))

    def symlink(self, target, source):
        os.symlink(source, self.real(target))

    def link(self, target, source):
        os.link(self.real(source), self.real(target))

    def mkdir(self, path, mode):
        os.mkdir(self.real(path), mode)

    def rmdir(self, path):
        os.rmdir(self.real(path))

    def unlink(self, path):
        os.unlink(self.real(path))

    def chmod(self, path, mode):
        os.chmod(self.real(path), mode)

    def chown(self, path, uid, gid):
        os.lchown(self.real(path), uid, gid)

    def statfs(self, path):
        stats = os.statvfs(self.folder)
        return {key: getattr(stats, key) for key in ("f_bavail", "f_bfree", "f_blocks", "f_bsize", "f_files", "f_namemax")}


FUSE(Folding(sys.argv[1]), sys.argv[2], foreground=True, nothreads=True, use_ino=True, attr_timeout=0, entry_timeout=0, negative_timeout=0)

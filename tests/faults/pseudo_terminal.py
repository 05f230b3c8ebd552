# SPDX-License-Identifier: Apache-2.0
"""A terminal to run a program in: it shows what the program writes, and what is typed becomes its signals."""
import os
import pty
import threading


class Terminal:
    def __enter__(self):
        self.ours, self.theirs = pty.openpty()
        self.read = b""
        self.reader = threading.Thread(target=self.read_all)
        self.reader.start()
        return self

    def __exit__(self, *_):
        os.close(self.theirs)  # then reading ends with the program
        self.reader.join()
        os.close(self.ours)

    def read_all(self):
        try:
            while (part := os.read(self.ours, 1 << 16)):
                self.read += part
        except OSError:  # nobody has the other end open
            pass

    def of_child(self):
        """Options for subprocess: standard input and error, and the terminal that controls it."""
        return {"stdin": self.theirs, "stderr": self.theirs, "start_new_session": True,
                "preexec_fn": lambda: os.close(os.open(os.ttyname(self.theirs), os.O_RDWR))}

    def type(self, text):
        os.write(self.ours, text.encode())

    def shown(self):
        return self.read.decode(errors="replace")

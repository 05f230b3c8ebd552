# SPDX-License-Identifier: Apache-2.0
"""What a document says about the person who measured: nothing that was not asked for."""
import signal

from fault_case import FaultCase, wait_until

SECRETS = {"SECRET_TOKEN": "planted-token-4711", "AWS_SECRET_ACCESS_KEY": "planted-key-4711",
           "LD_LIBRARY_PATH": "/planted-library-4711", "USER": "planted-user-4711", "LOGNAME": "planted-user-4711"}
HOST = "planted-host-4711"


class Privacy(FaultCase):
    def setUp(self):
        super().setUp()
        self.home = self.folder / "planted-home-4711"
        self.home.mkdir()
        self.result = self.home / "result.json"
        self.result_journal = self.home / "result.jsonl"

    def texts(self, *options, before=()):
        """What a run leaves that is interrupted: its document and its journal."""
        process = self.start([*before, *self.run_words("slow", "", *options)],
                             env={**SECRETS, "HOME": str(self.home)})
        wait_until(lambda: len(self.began()) > 1, "the second case begins")
        process.send_signal(signal.SIGINT)
        done = self.finish(process)
        self.assertEqual(done.code, 130, done.err)
        self.document()
        self.journal()
        return self.result.read_text(), self.result_journal.read_text()

    def test_environment_and_home(self):
        for text in self.texts():
            self.assertNotIn("planted", text)
            self.assertIn("~/result.json", text)

    def test_twin_a_label_is_kept(self):
        for text in self.texts("--label", f"token={SECRETS['SECRET_TOKEN']}"):
            self.assertIn(SECRETS["SECRET_TOKEN"], text)

    def test_host_name(self):
        own_name = ["unshare", "--uts", "sh", "-c", f'hostname {HOST} && exec "$@"', "sh"]
        if self.call([*own_name, "true"]).code != 0:
            self.skipTest("no host name of its own may be given to a process here")
        for text in self.texts(before=own_name):
            self.assertNotIn(HOST, text)

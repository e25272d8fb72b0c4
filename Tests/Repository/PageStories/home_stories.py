"""The page of a home, in a real browser: tars device, tars phone and tars web, each a process."""
import http.client
import json
import os
import shutil
import subprocess
import tempfile
import unittest

from browser import Browser
from lab import BINARIES, free_ports, until

home = None
owner = None


class Home:
    """A phone with two motor devices near it, one of which is paired, and its page."""

    PASSWORD = "plover heath 72"

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="tars-page.")
        self.environment = dict(os.environ, HOME=self.folder, XDG_STATE_HOME=f"{self.folder}/state", TMPDIR=self.folder)
        self.page_port = free_ports(1)[0]
        self.base = f"http://127.0.0.1:{self.page_port}"
        self.processes = {}
        os.mkdir(f"{self.folder}/air")
        for serial, mode in (("0042A1", "switch"), ("0042A2", "press")):
            self.start(serial, "device", "--serial", serial, "--mode", mode, "--pin", "314159", "--folder", serial, "--air", "air", "--adv", "100ms")
        self.start("phone", "phone", "--air", "air")
        until(lambda: "phone is ready" in self.log("phone"), "the phone runs")
        self.command("add", "Lamp", "--serial", "0042A1", "--pin", "314159", "--room", "Hall")
        self.command("shortcut", "Dark", "Lamp", "off")
        self.command("web", "account", "add", "Ada", "--role", "owner", typed=self.PASSWORD)
        self.command("web", "account", "add", "Bo", "--role", "guest", "--room", "Attic", typed=self.PASSWORD)
        self.start("page", "web", "--listen", f"127.0.0.1:{self.page_port}")
        until(lambda: "serving at" in self.log("page"), "the page is served")

    def start(self, name, *words):
        with open(f"{self.folder}/{name}.log", "wb") as file:
            self.processes[name] = subprocess.Popen(
                [f"{BINARIES}/tars", *words], cwd=self.folder, env=self.environment, stdin=subprocess.PIPE, stdout=file, stderr=file)

    def log(self, name):
        with open(f"{self.folder}/{name}.log", encoding="utf-8") as file:
            return file.read()

    def command(self, *words, typed=None):
        done = subprocess.run(
            [f"{BINARIES}/tars", *words], cwd=self.folder, env=self.environment, input=typed, text=True, capture_output=True, timeout=60, check=False)
        assert done.returncode == 0, f"tars {words}: {done.stdout}{done.stderr}"
        return done.stdout

    def movements(self, serial):
        try:
            with open(f"{self.folder}/{serial}/motor.log", encoding="utf-8") as file:
                return len(file.readlines())
        except FileNotFoundError:
            return 0

    def close(self):
        for process in self.processes.values():
            process.terminate()
        for process in self.processes.values():
            process.wait(20)
        shutil.rmtree(self.folder, ignore_errors=True)


def setUpModule():
    global home, owner
    unittest.addModuleCleanup(close)
    home = Home()
    owner = Browser(home, width=390)
    log_in(owner, "Ada")


def close():
    for one in (owner, home):
        if one:
            one.close()


def log_in(browser, name):
    browser.open()
    browser.type("name", name)
    browser.type("password", home.PASSWORD)
    browser.press("Log in")
    browser.see("Home")


class Stories(unittest.TestCase):
    def setUp(self):
        owner.open()
        owner.see("Hall")

    def tearDown(self):
        if any(problem for _, problem in self._outcome.result.failures + self._outcome.result.errors):
            owner.picture(f"{os.environ['POOLSENSORS_FAILED']}/{self.id()}.png")

    def test_a_lamp_is_switched_and_says_so(self):
        owner.see("Hall")
        before = home.movements("0042A1")
        owner.press("on")
        owner.see("✓")
        until(lambda: home.movements("0042A1") == before + 1, "the motor moved once")
        owner.press("Dark")
        until(lambda: home.movements("0042A1") == before + 2, "the shortcut moved it once")

    def test_a_change_elsewhere_is_on_the_page(self):
        home.command("edit", "Lamp", "--room", "Cellar")
        owner.see("Cellar")
        home.command("edit", "Lamp", "--room", "Hall")
        owner.see("Hall")

    def test_what_asks_first_is_asked_about(self):
        home.command("edit", "Lamp", "--confirm")
        until(lambda: json.loads(owner.ask("return JSON.stringify(await (await fetch('/api/v1/home')).json())"))["things"][0]["confirm"], "it asks")
        before = home.movements("0042A1")
        owner.js("window.asked = []; window.confirm = (words) => { window.asked.push(words); return false }")
        owner.press("on")
        until(lambda: owner.js("return window.asked.length") == 1, "the page asks")
        self.assertEqual(home.movements("0042A1"), before)
        home.command("edit", "Lamp", "--no-confirm")

    def test_a_device_is_paired_with_its_pin_and_removed(self):
        owner.go("settings")
        owner.see("0042A2")
        owner.type("name", "Coffee")
        owner.type("pin", "271828")
        owner.press("Add")
        owner.see("the PIN is wrong: 4 tries are left")
        owner.type("pin", "314159")
        owner.press("Add")
        owner.miss("0042A2 (")
        owner.open()
        owner.see("Coffee")
        home.command("remove", "Coffee")
        owner.miss("Coffee")

    def test_an_owner_decides_which_watch_acts_and_a_guest_does_not_see_watches(self):
        home.command("watch", "--name", "Left", "--once")
        owner.go("settings")
        owner.see("Left: acts")
        owner.press("Let it only look")
        owner.see("Left: looks")
        self.assertIn("look", home.command("watches"))
        before = home.movements("0042A1")
        done = subprocess.run(
            [f"{BINARIES}/tars", "watch", "--name", "Left", "--do", "Lamp toggle"], cwd=home.folder, env=home.environment, capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn("this watch may not do that", done.stdout)
        self.assertEqual(home.movements("0042A1"), before)
        owner.press("Let it act")
        owner.see("Left: acts")
        guest = Browser(home)
        try:
            log_in(guest, "Bo")
            self.assertEqual(guest.ask("return (await fetch('/api/v1/watches')).status"), 403)
        finally:
            guest.close()

    def test_a_name_is_edited_and_a_bad_one_is_refused_at_its_field(self):
        owner.press("Edit")
        owner.type("name", "x" * 65)
        owner.press("Save")
        owner.see("the length of the name is 65 bytes: give 1 to 64 bytes")
        owner.type("name", "Light")
        owner.press("Save")
        owner.see("Light")
        home.command("edit", "Light", "--name", "Lamp")
        owner.see("Lamp")

    def test_it_speaks_three_languages(self):
        for language, words in (("fr-FR", "Se connecter"), ("ko-KR", "로그인"), ("en-US", "Log in")):
            one = Browser(home, language=language)
            try:
                one.open()
                one.see(words)
                self.assertEqual(one.violations(), [])
            finally:
                one.close()

    def test_a_guest_sees_only_the_granted_room(self):
        guest = Browser(home)
        try:
            log_in(guest, "Bo")
            guest.see("Nothing is in the home yet.")
            self.assertNotIn("Lamp", guest.text())
            seen = guest.ask("return JSON.stringify(await (await fetch('/api/v1/home')).json())")
            self.assertNotIn("Lamp", seen)
            thing = json.loads(owner.ask("return JSON.stringify(await (await fetch('/api/v1/home')).json())"))["things"][0]["id"]
            status = guest.ask(
                "return (await fetch(arguments[0], { method: 'POST', headers: { 'Content-Type': 'application/json' },"
                " body: JSON.stringify({ action: 'on' }) })).status".replace("arguments[0]", f"'/api/v1/things/{thing}/commands'"))
            self.assertEqual(status, 404)
        finally:
            guest.close()

    def test_the_page_is_usable_by_all_and_runs_no_other_script(self):
        self.assertEqual(owner.violations(), [])
        owner.go("settings")
        owner.see("Shortcuts")
        self.assertEqual(owner.violations(), [])
        refused = [entry["message"] for entry in owner.driver.get_log("browser") if "Content Security Policy" in entry["message"]]
        self.assertEqual(refused, [])

    def test_without_a_session_nothing_is_shown(self):
        for path in ("home", "rooms", "events", "found", "conflicts", "watches"):
            connection = http.client.HTTPConnection("127.0.0.1", home.page_port, timeout=10)
            connection.request("GET", f"/api/v1/{path}")
            self.assertEqual(connection.getresponse().status, 401, path)
            connection.close()


if __name__ == "__main__":
    unittest.main(verbosity=2)

"""A broker, a hub and the page's server on loopback, for the stories of the page."""
import json
import os
import shutil
import socket
import ssl
import subprocess
import tempfile
import time
import urllib.request

BINARIES = os.environ["POOLSENSORS_BINARIES"]


def until(condition, what, seconds=30):
    """Waits for a condition, and returns what it returned. Errors on the way count as `not yet`; `what` is for the failure."""
    end = time.monotonic() + seconds
    while True:
        error = None
        try:
            found = condition()
            if found:
                return found
        except Exception as caught:  # The condition may look at what is not there yet.
            error = caught
        if time.monotonic() > end:
            raise AssertionError(f"waited {seconds} s in vain: {what() if callable(what) else what}") from error
        time.sleep(0.05)


def click(find):
    """Clicks what is found; what the page draws anew between the two is found again."""
    until(lambda: find().click() is None, "a click")


def free_ports(count):
    held = [socket.socket() for _ in range(count)]
    for one in held:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in held]
    for one in held:
        one.close()
    return ports


class Lab:
    """Runs in its own folder; `close` ends everything and removes it."""

    PASSWORD = "plover heath 72"

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="poolsensors-page.")
        self.environment = dict(
            os.environ, HOME=self.folder, POOLSENSORS_STATE=f"{self.folder}/state", TZ="UTC",
            PATH=os.environ["PATH"] + ":/usr/sbin")
        self.broker_port, self.hub_port, self.page_port = free_ports(3)
        self.base = f"http://127.0.0.1:{self.page_port}"
        self.processes = {}
        self.start_broker()

    def close(self):
        for name in list(self.processes):
            self.stop(name)
        shutil.rmtree(self.folder, ignore_errors=True)

    # Processes

    def start(self, name, *command):
        log = open(f"{self.folder}/{name}.log", "ab")
        self.processes[name] = subprocess.Popen(command, stdout=log, stderr=log, env=self.environment)
        log.close()

    def stop(self, name, at_once=False):
        process = self.processes.pop(name)
        process.kill() if at_once else process.terminate()
        process.wait(20)

    def log(self, name):
        with open(f"{self.folder}/{name}.log", encoding="utf-8", errors="replace") as file:
            return file.read()

    def start_broker(self):
        path = f"{self.folder}/mosquitto.conf"
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"listener {self.broker_port} 127.0.0.1\nallow_anonymous true\nmax_queued_messages 0\n")
        self.start("broker", "mosquitto", "-c", path)

    def start_hub(self, sign="connected"):
        """Starts it, and waits until its output says `sign` once more."""
        before = self.log("hub").count(sign) if os.path.exists(f"{self.folder}/hub.log") else 0
        self.start("hub", f"{BINARIES}/poolsensors", "hub", "--plain", "--listen", f"tcp://127.0.0.1:{self.hub_port}")
        until(lambda: self.log("hub").count(sign) > before, f"the hub says {sign}")

    def start_page(self, *options):
        if "--tls" in options:
            self.base = f"https://127.0.0.1:{self.page_port}"
        self.start("page", f"{BINARIES}/poolsensors-web", "--listen", f"127.0.0.1:{self.page_port}", *options)
        until(lambda: self.health()["isUp"], "the page's server is up")

    def health(self):
        # Nobody trusts the authority of this lab.
        with urllib.request.urlopen(f"{self.base}/healthz", timeout=5, context=ssl._create_unverified_context()) as answer:
            return json.load(answer)

    def make_certificate(self, host, days):
        """A certificate that ends sooner than the program's own ones."""
        self.command("certificate", "--host", host, program="poolsensors-web")
        keys = f"{self.folder}/state/web.keys"
        subprocess.run(
            ["openssl", "req", "-x509", "-key", f"{keys}/server.key", "-subj", f"/CN={host}", "-addext", f"subjectAltName=IP:{host}",
             "-days", str(days), "-out", f"{keys}/server.pem"], check=True, capture_output=True, timeout=60)

    # Commands

    def command(self, *words, program="poolsensors", typed=None, environment=None):
        done = subprocess.run(
            [f"{BINARIES}/{program}", *words], env={**self.environment, **(environment or {})}, input=typed, text=True,
            capture_output=True, timeout=60, check=False)
        if done.returncode not in (0, 2, 3, 4):
            raise AssertionError(f"{program} {' '.join(words)}: {done.stdout}{done.stderr}")
        return done.stdout

    def account(self, *words, typed=None):
        return self.command("account", *words, program="poolsensors-web", typed=typed)

    def furnish(self):
        """Two pools with a device each, an owner, and a guest of the first pool."""
        self.command("server", "add", "--name", "Home", "--host", "127.0.0.1", "--port", str(self.broker_port))
        self.command("pool", "add", "--name", "Garden")
        self.command("pool", "add", "--name", "Hall")
        self.command("device", "add", "--name", "Lagoon", "--topic", "pool/garden", "--pool", "Garden", "--interval", "10m")
        self.command("device", "add", "--name", "Indoor", "--topic", "pool/hall", "--pool", "Hall", "--interval", "10m")
        self.command("alerts", "settings", "--samples", "1", "--confirmation", "0")
        self.account("add", "Ada", "--role", "owner", typed=self.PASSWORD + "\n")

    def publish(self, place, rows):
        """Publishes samples; a row is the age in seconds and the values."""
        lines = []
        for age, values in rows:
            moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - age))
            lines.append(json.dumps({**values, "timestamp": moment}))
        subprocess.run(
            ["mosquitto_pub", "-p", str(self.broker_port), "-q", "1", "-t", f"pool/{place}", "-l"],
            input="\n".join(lines) + "\n", text=True, check=True, timeout=60)


def water(temperature=25.5, ph=7.2, chlorine=1.4, orp=660):
    return {"temperature": temperature, "ph": ph, "chlorine": chlorine, "orp": orp}

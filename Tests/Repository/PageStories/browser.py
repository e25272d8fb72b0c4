"""A browser that looks at the page, and what stories ask of it."""
import base64
import json
import os

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from lab import until

# Lets a story move the browser's clocks: what the page takes for now is `shift` milliseconds later, and the time of day is
# wrong by WRONG more.
CLOCKS = """
(() => {
  const [date, steady] = [Date, performance.now.bind(performance)]
  window.shift = 0
  window.Date = class extends date {
    constructor(...parts) { parts.length ? super(...parts) : super(date.now() + window.shift + WRONG) }
    static now() { return date.now() + window.shift + WRONG }
  }
  performance.now = () => steady() + window.shift
})()
"""


class Browser:
    def __init__(self, lab, width=1000, height=900, dark=False, language="en-US", scale=1, wrong=0, switches=()):
        self.lab = lab
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for switch in (
                "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                "--disable-background-networking", "--disable-component-update", "--no-first-run", f"--lang={language}", *switches):
            options.add_argument(switch)
        options.add_experimental_option("prefs", {"intl.accept_languages": language})
        options.accept_insecure_certs = lab.base.startswith("https:")
        options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
        self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": CLOCKS.replace("WRONG", str(wrong))})
        self.look(width, height, dark, scale)

    def close(self):
        self.driver.quit()

    def look(self, width, height=900, dark=False, scale=1):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": scale, "mobile": width < 600})
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})

    # Going

    def open(self, path="/"):
        self.driver.get(self.lab.base + path)

    def go(self, view):
        """Opens a view such as `alerts`, and waits until it is there."""
        self.js("location.hash = arguments[0]", f"#/{view}")
        until(lambda: self.js("return document.querySelector('main h1') && document.activeElement.id === 'main'"), f"the view {view}")

    def log_in(self, name="Ada", password=None):
        self.open()
        self.type("name", name)
        self.type("password", password or self.lab.PASSWORD)
        self.press("Log in")
        self.see("Garden")

    def wake(self):
        """Forgets cookies and what is kept, as a new browser."""
        self.driver.get(self.lab.base + "/icon.svg")
        self.driver.delete_all_cookies()
        self.driver.execute_cdp_cmd("Storage.clearDataForOrigin", {"origin": self.lab.base, "storageTypes": "all"})

    # Looking

    def js(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def ask(self, script, *arguments):
        """Runs a script whose promise is waited for."""
        return self.driver.execute_async_script(
            f"const done = arguments[arguments.length - 1]; (async (...given) => {{ {script} }})(...arguments)"
            ".then(done, (error) => done('' + error))", *arguments)

    def text(self):
        return self.js("return document.body.innerText")

    def see(self, text, seconds=20):
        until(lambda: text in self.text(), lambda: f"“{text}” is on the page, which says: {self.text()[:1500]}", seconds)

    def miss(self, text, seconds=20):
        until(lambda: text not in self.text(), f"“{text}” leaves the page", seconds)

    def find(self, selector):
        return until(lambda: self.driver.find_element(By.CSS_SELECTOR, selector), f"there is {selector}")

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def field(self, name):
        """The field of this name that is shown; others may be in details that are closed."""
        return until(lambda: self.js(
            "return [...document.getElementsByName(arguments[0])].findLast((one) => one.checkVisibility())", name), f"a field {name}")

    def error_of(self, name):
        """The sentence at a field."""
        return self.js(
            "const ids = (arguments[0].getAttribute('aria-describedby') ?? '').split(' ');"
            "return document.getElementById(ids.find((id) => id.endsWith('-problem')))?.textContent ?? ''", self.field(name))

    def value(self, name):
        return self.field(name).get_property("value")

    # Doing

    def type(self, name, text):
        field = self.field(name)
        field.send_keys(Keys.CONTROL + "a", Keys.DELETE)
        field.send_keys(text)

    def choose(self, name, text):
        option = f".//option[normalize-space()='{text}']"
        until(lambda: self.field(name).find_element(By.XPATH, option), f"{name} offers {text}").click()

    def press(self, text):
        """Presses the button or the link with this text."""
        path = f"//*[self::button or self::a or self::summary][normalize-space()='{text}' and not(@disabled)]"
        button = until(lambda: [one for one in self.driver.find_elements(By.XPATH, path) if one.is_displayed()], f"the button {text}")[0]
        self.js("arguments[0].scrollIntoView({block: 'center'})", button)
        button.click()

    def key(self, *keys):
        webdriver.ActionChains(self.driver).send_keys(*keys).perform()

    # Judging

    def requests(self):
        """The addresses that the browser asked for since the last time."""
        events = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        return [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]

    def violations(self):
        """What axe finds, as lines."""
        if not self.js("return Boolean(window.axe)"):
            with open(os.environ["POOLSENSORS_AXE"], encoding="utf-8") as file:
                # As a part of DevTools it is not subject to the page's policy.
                self.driver.execute_cdp_cmd("Runtime.evaluate", {"expression": file.read()})
        found = self.ask("return JSON.stringify((await axe.run(document)).violations)")
        return [f"{one['id']}: {node['html'][:160]} {node['failureSummary'][:200]}" for one in json.loads(found) for node in one["nodes"]]

    def picture(self, path, height=None):
        size = self.js("return [innerWidth, document.documentElement.scrollHeight]")
        shot = self.driver.execute_cdp_cmd("Page.captureScreenshot", {
            "captureBeyondViewport": True,
            "clip": {"x": 0, "y": 0, "width": size[0], "height": min(height or size[1], size[1]), "scale": 1}})
        with open(path, "wb") as file:
            file.write(base64.b64decode(shot["data"]))

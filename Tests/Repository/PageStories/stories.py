"""Stories of the page in a real browser, against a real hub. They are run by .ci/web-page."""
import glob
import gzip
import http.client
import http.server
import json
import math
import os
import re
import socket
import sqlite3
import subprocess
import threading
import time
import unittest
import urllib.parse
import urllib.request

from selenium.webdriver.common.keys import Keys

from browser import Browser
from lab import Lab, click, free_ports, until, water

PAGE = "Sources/Pool/PoolWeb/Page"
# What the scripts of all pages have in common.
KIT = "Sources/App/CPageKit/Page"
BYTES_MAX = 134 * 1024
# What only owners open, which comes when they open it.
OWNERS = {"owner.js", "servers.js", "found.js", "channels.js", "keeping.js"}
OWNERS_MAX = 36 * 1024
# Compressed, as browsers ask for them.
COMPRESSED_MAX = 40_000

lab = None
owner = None
other = None
# The names of devices and pools that hold markup and marks of direction; a script in them would set window.hurt.
MARKUP = "<img src=x onerror='window.hurt=1'>"
CLOSING = "</script><b>Spa</b>"


def page_files(pattern):
    """The paths of the files of the page of this pattern."""
    return [path for folder in (PAGE, KIT) for path in glob.glob(f"{folder}/{pattern}")]


def setUpModule():
    """One hub and two browsers for all stories: starting them takes most of the time."""
    global lab, owner, other
    lab = Lab()
    lab.furnish()
    lab.start_hub()
    day = [(age, water(temperature=25 + age % 7200 / 7200, ph=7.2 + age / 1e6)) for age in range(86400, 0, -1200) if not 30000 < age < 40000]
    lab.publish("garden", [*day, (5, water())])
    lab.publish("hall", [(5, water(temperature=28, ph=7.3))])
    lab.start_page("--request-limit", "100000")
    owner = Browser(lab)
    other = Browser(lab, width=390)
    owner.log_in()


def tearDownModule():
    for one in (owner, other):
        if one:
            one.close()
    if lab:
        lab.close()


def ids():
    """The identities of pools and devices by their names."""
    return owner.ask(
        "const get = (path) => fetch('/api/v1/' + path).then((answer) => answer.json());"
        "return Object.fromEntries([...await get('pools'), ...await get('devices')].map((one) => [one.name, one.id]))")


class Story(unittest.TestCase):
    maxDiff = None

    def run(self, result=None):
        before = len(result.failures) + len(result.errors)
        super().run(result)
        if len(result.failures) + len(result.errors) > before and os.environ.get("POOLSENSORS_FAILED"):
            for name, one in (("owner", owner), ("other", other)):
                one.picture(f"{os.environ['POOLSENSORS_FAILED']}/{self._testMethodName}-{name}.png")

    def tearDown(self):
        # Each story begins with a page that was just opened.
        owner.look(1000)
        owner.open()
        owner.see("Garden")

    def clear_limits(self, device, *quantities):
        """Takes limits back by the command line, until the page knows it: a form of before would be refused as changed meanwhile."""
        for quantity in quantities:
            lab.command("limits", "clear", quantity, "--device", device, "--yes")
        read = f"return Object.keys((await (await fetch(`/api/v1/devices/${{given[0].{device}}}/limits`)).json()).own)"
        until(lambda: not set(quantities) & set(owner.ask(read, ids())), f"the page knows that the limits of {device} are gone")

    def guest(self, pool="Garden"):
        """A link to a pool, opened in the other browser; its address."""
        link = re.search(r"/s/\S+", lab.account("share", pool))[0]
        other.wake()
        other.open(link)
        other.see(pool)
        return link


class Entering(Story):
    def test_the_first_code_makes_the_owner_who_sees_the_pools(self):
        house = Lab()
        try:
            house.command("server", "add", "--name", "Home", "--host", "127.0.0.1", "--port", str(house.broker_port))
            house.command("pool", "add", "--name", "Lake")
            house.start_hub("listening")
            house.start_page()
            code = until(lambda: re.search(r"15 minutes: (\S+)", house.log("page")), "a code is printed")[1]
            browser = Browser(house, width=390)
            try:
                browser.open()
                browser.see("Welcome")
                self.assertEqual(browser.violations(), [])
                browser.press("Français")
                browser.see("Bienvenue")
                self.assertEqual(browser.violations(), [])
                browser.press("English")
                browser.type("code", "WRONGONE")
                browser.type("name", "Eve")
                browser.type("password", Lab.PASSWORD)
                browser.press("Create the account")
                until(lambda: "not the code" in browser.error_of("code"), "the wrong code is refused at its field")
                self.assertEqual(browser.value("name"), "Eve")
                browser.type("code", code)
                browser.press("Create the account")
                browser.see("Lake")
                browser.go("more")
                browser.see("Eve, owner")
            finally:
                browser.close()
        finally:
            house.close()

    def test_a_wrong_password_is_refused_and_the_name_stays(self):
        other.wake()
        other.open()
        other.type("name", "Ada")
        other.type("password", "not it at all")
        other.press("Log in")
        other.see("the name or the password is wrong")
        self.assertEqual(other.value("name"), "Ada")
        other.type("password", Lab.PASSWORD)
        other.press("Log in")
        other.see("Garden")

    def test_a_changed_password_ends_the_other_session(self):
        lab.account("add", "Ben", "--role", "member", "--pool", "Garden", typed="old wooden oar\n")
        phone = other
        phone.wake()
        phone.log_in("Ben", "old wooden oar")
        second = Browser(lab)
        try:
            second.log_in("Ben", "old wooden oar")
            second.go("password")
            second.type("current", "old wooden oar")
            second.type("new", "short")
            second.press("Change the password")
            until(lambda: "10" in second.error_of("new"), "a short password is refused at its field")
            self.assertEqual(second.value("current"), "old wooden oar")
            second.type("new", "new wooden oar")
            second.press("Change the password")
            second.see("The password is changed")
            phone.see("Your session has ended")
            self.assertNotIn("Garden", phone.text())
            # The session that changed it goes on.
            second.open()
            second.see("Garden")
        finally:
            second.close()

    def test_a_member_changes_the_granted_pool_only(self):
        owner.go("accounts")
        owner.type("name", "Cleo")
        owner.type("password", "short")
        owner.press("Create")
        until(lambda: "at least 10" in owner.error_of("password"), "a short password is refused at its field")
        self.assertEqual(owner.value("name"), "Cleo")
        owner.type("password", "four green kites")
        owner.field(f"grant-{ids()['Garden']}").click()
        owner.press("Create")
        owner.see("The account Cleo is there.")
        other.wake()
        other.log_in("Cleo", "four green kites")
        self.assertNotIn("Hall", other.text())
        self.assertNotIn("Share", other.text())
        other.go(f"device/{ids()['Lagoon']}/name")
        other.type("name", "Laguna")
        other.press("Save")
        other.see("Saved.")
        self.assertIn("web:Cleo", lab.command("config", "log"))
        lab.command("device", "edit", "Laguna", "--name", "Lagoon")
        owner.go("tokens")
        owner.type("name", "script")
        owner.press("Make a token")
        secret = until(lambda: owner.js("return document.querySelector('.code code')?.textContent"), "the token is shown")
        owner.press("Done")
        owner.miss(secret)

    def test_an_owner_confirms_the_password_after_half_a_day(self):
        with sqlite3.connect(f"{lab.folder}/state/web.sqlite") as accounts:
            accounts.execute("UPDATE session SET confirmed = 0")
        # What another program changes in the accounts is noticed within a second.
        until(lambda: "confirm-password" in owner.ask(
            "const answer = await fetch('/api/v1/shares', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: '{}'});"
            "return (await answer.json()).type"), "the page asks for the password")
        owner.go("shares")
        owner.choose("poolID", "Garden")
        owner.press("Make a link")
        owner.see("Please confirm your password")
        self.assertEqual(owner.violations(), [])
        owner.type("password", "not it at all")
        owner.press("Confirm")
        until(lambda: "not the password" in owner.error_of("password"), "a wrong password is refused at its field")
        owner.type("password", Lab.PASSWORD)
        owner.press("Confirm")
        owner.see("Send this link.")
        owner.press("Done")

    def test_a_link_shows_one_pool_and_nothing_else(self):
        self.guest()
        self.assertNotIn("Hall", other.text())
        other.go("more")
        for word in ("Accounts", "Watches", "Share", "Changes", "Password"):
            self.assertNotIn(word, other.text())
        hall = ids()
        answers = other.ask("""
            const paths = ['pools/' + arguments[0].Hall, 'devices/' + arguments[0].Indoor, 'devices/' + arguments[0].Indoor
              + '/series?quantity=ph', 'users', 'watches', 'shares', 'changes', 'conflicts', 'tokens']
            return Promise.all(paths.map((path) => fetch('/api/v1/' + path).then((answer) => answer.status)))""", hall)
        self.assertEqual(answers, [404, 404, 404, 403, 403, 403, 403, 403, 403])
        other.go(f"device/{hall['Lagoon']}")
        other.find("svg.plot .mean")
        other.go(f"device/{hall['Indoor']}")
        other.see("this account may not see it")

    def test_a_revoked_link_ends_the_open_page(self):
        owner.go("shares")
        owner.choose("poolID", "Hall")
        owner.press("Make a link")
        link = until(lambda: owner.js("return document.querySelector('.code code')?.textContent"), "the link is shown")
        other.wake()
        other.open(urllib.parse.urlparse(link).path)
        other.see("Indoor")
        owner.press("Done")
        cards = "//li[.//h2[normalize-space()='Hall']]"
        owner.driver.find_element("xpath", cards + "//button[normalize-space()='Revoke']").click()
        owner.see("It shows nothing from then on")
        owner.driver.find_element("xpath", cards + "//span[contains(@class, 'asking')]//button[normalize-space()='Revoke']").click()
        other.see("This link does not work")
        self.assertNotIn("Indoor", other.text())


class Watching(Story):
    def test_a_published_value_is_soon_on_the_page(self):
        owner.see("Lagoon")
        lab.publish("garden", [(0, water(temperature=21.7))])
        owner.see("21.7", 5)
        lab.publish("garden", [(0, water(ph=8.9))])
        owner.see("8.90", 5)
        owner.see("Too high", 5)
        lab.publish("garden", [(0, water())])

    def test_the_page_begins_with_whether_people_can_swim(self):
        def sentence():
            return owner.js("return document.querySelector('section[aria-label=Garden] .assessment')?.textContent")

        def says(expected):
            until(lambda: sentence() == expected, lambda: f"{expected!r}, but it says {sentence()!r}", 60)

        def becomes(expected, **values):
            # Alerts of this story and of others end after some samples.
            def is_said():
                lab.publish("garden", [(0, water(**values))])
                return sentence() == expected

            until(is_said, lambda: f"{expected!r}, but it says {sentence()!r}", 60)

        becomes("You can swim.")
        becomes("Do not swim: chlorine 0.20 mg/L.", chlorine=0.2)
        becomes("You can swim.")
        lab.command("dose", "add", "Garden", "dichlor", "100g")
        says("Wait 12 h before you swim: dichlor was added.")
        owner.press("Français")
        says("Attendez 12 h avant de vous baigner : ajout récent (dichlore).")
        owner.press("English")
        owner.go(f"pool/{ids()['Garden']}/water")
        owner.press("Remove")
        owner.press("Remove")
        owner.see("No dose is logged yet.")
        owner.open()
        says("You can swim.")
        # Nobody may take what was good before for good now.
        lab.stop("page", at_once=True)
        try:
            says("Nothing is heard of the water now.")
        finally:
            lab.start_page("--request-limit", "100000")
        says("You can swim.")

    def test_an_alert_is_acknowledged_and_snoozed(self):
        # One sample alone could be a fault of the probe.
        lab.publish("hall", [(1, water(temperature=28, ph=9.1)), (0, water(temperature=28, ph=9.1))])
        owner.go("alerts")
        owner.see("Indoor pH 9.10 too high", 60)
        owner.press("Acknowledge")
        owner.see("acknowledged")
        owner.press("1 hour")
        owner.see("snoozed until")
        lab.publish("hall", [(0, water(temperature=28, ph=7.3))])
        lab.publish("hall", [(0, water(temperature=28, ph=7.3))])
        # Other devices may have alerts of their own.
        owner.miss("snoozed until")

    def test_a_chart_is_read_with_arrow_keys(self):
        owner.go(f"device/{ids()['Lagoon']}")
        chart = owner.find("[data-key$='/temperature'].chart")
        owner.find("[data-key$='/temperature'] svg .mean")
        self.assertGreaterEqual(len(owner.all("[data-key$='/temperature'] svg .mean")), 2, "a gap is a gap")
        self.assertEqual(len(owner.all("svg.plot .band")), 4)
        self.assertIn("values, from", chart.get_attribute("aria-valuetext"))
        owner.js("arguments[0].focus()", chart)
        owner.key(Keys.HOME)
        first = until(lambda: re.search(r"2\d\.\d °C", chart.get_attribute("aria-valuetext") or ""), "the first value is said")[0]
        owner.key(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
        until(lambda: chart.get_attribute("aria-valuenow") == "2", "the cursor moves")
        self.assertTrue(first)
        self.assertIn("°C", owner.find("[data-key$='/temperature'] .readout").text)
        owner.key(Keys.ESCAPE)
        until(lambda: "values, from" in chart.get_attribute("aria-valuetext"), "the cursor leaves")
        for span in ("1 h", "1 y", "7 d"):
            owner.press(span)
            until(lambda: len(owner.all("svg.plot")) == 4, f"four charts of {span}")

    def test_a_forecast_is_drawn_with_its_band_and_said(self):
        house = Lab()
        try:
            house.furnish()
            house.start_hub()
            # Chlorine is added each third day, and falls below its range twelve hours from now.
            wave = lambda age: math.sin(age / 5000) + math.sin(age / 47000)
            since = lambda age: (1209600 - age) % 259200 / 3600
            rows = [(age, water(
                temperature=round(25 + math.sin(age * math.pi / 43200), 2),
                chlorine=round(2.6 * math.exp(-0.0159 * since(age)) + 0.01 * wave(age), 3), orp=round(660 + 5 * wave(age))))
                for age in range(86400 * 12, 0, -1800)]
            house.publish("garden", [*rows, (5, rows[-1][1])])
            house.start_page()
            until(lambda: "falls below" in house.command("forecast", "Lagoon"), "chlorine is forecast", 120)
            browser = Browser(house, width=320)
            try:
                browser.log_in()
                browser.press("Lagoon")
                chart = browser.find("[data-key$='/chlorine'].chart")
                browser.find("[data-key$='/chlorine'] svg .ahead .line")
                forecasts = browser.ask(
                    "const [device] = (await (await fetch('/api/v1/devices')).json()).filter((one) => one.name === 'Lagoon');"
                    "return (await (await fetch('/api/v1/forecasts?device=' + device.id)).json()).forecasts")
                found = {one["quantity"]: one for one in forecasts}
                drawn = [one.get_attribute("data-key") for one in browser.all(".chartcard:has(.ahead)")]
                self.assertEqual(drawn, [name for name in ("temperature", "ph", "chlorine", "orp") if found[name]["isForecast"]])
                self.assertIn("chlorine", drawn)
                self.assertNotIn("orp", drawn)
                # The line ends at the limit, between the ends of its band, which lie there, too.
                shapes = browser.js(
                    "return ['.line', '.chance'].map((one) => document.querySelector(`[data-key$='/chlorine'] ${one}`).getAttribute('d'))")
                line, band = [[tuple(map(float, place.split(","))) for place in re.findall(r"[\d.]+,[\d.]+", shape)] for shape in shapes]
                limit = float(browser.find("[data-key$='/chlorine'] .band").get_attribute("y")) + float(
                    browser.find("[data-key$='/chlorine'] .band").get_attribute("height"))
                self.assertEqual(line[0], band[0])
                for _, y in (line[1], *band[1:]):
                    self.assertAlmostEqual(y, limit, delta=0.2)
                self.assertLess(line[0][0], band[1][0])
                self.assertLess(band[1][0], line[1][0])
                self.assertLessEqual(line[1][0], band[2][0])
                # The same words stand below the chart, at the line, and are said at the end of the chart.
                said = browser.find("[data-key='chlorine'] p.forecast").text
                self.assertIn("it is too low in 1", said)
                self.assertEqual(browser.js("return arguments[0].querySelector('.ahead title').textContent", chart), said)
                browser.js("arguments[0].focus()", chart)
                browser.key(Keys.END)
                until(lambda: chart.get_attribute("aria-valuetext") == f"Forecast: {said}", "the forecast is said")
                browser.key(Keys.ARROW_LEFT)
                until(lambda: "mg/L" in chart.get_attribute("aria-valuetext"), "the newest value is said before it")
                self.assertEqual(browser.violations(), [])
                browser.press("Français")
                browser.see("Sans ajout, ce sera trop bas dans 1")
                self.assertEqual(browser.violations(), [])
            finally:
                browser.close()
        finally:
            house.close()

    def test_an_owner_is_warned_before_the_certificate_ends(self):
        house = Lab()
        try:
            house.furnish()
            house.start_hub()
            house.make_certificate("127.0.0.1", days=20)
            house.start_page("--tls")
            command = "poolsensors web certificate --host 127.0.0.1"
            self.assertIn(f"make another one with `{command}`", house.log("page"))
            browser = Browser(house, width=320)
            try:
                browser.log_in()
                browser.see("End of the certificate of this page: ")
                browser.see(command)
                self.assertEqual(browser.violations(), [])
                browser.press("Français")
                browser.see("Fin du certificat")
                self.assertLessEqual(browser.js("return document.documentElement.scrollWidth"), 320)
                browser.press("English")
                browser.wake()
                browser.open(re.search(r"/s/\S+", house.account("share", "Garden"))[0])
                browser.see("Lagoon")
                self.assertNotIn(command, browser.text())
            finally:
                browser.close()
        finally:
            house.close()

    def test_the_history_is_a_table_and_a_file(self):
        owner.go(f"device/{ids()['Lagoon']}/history")
        until(lambda: len(owner.all("tbody tr")) == 50, "the newest readings are shown")
        owner.press("Show more")
        until(lambda: len(owner.all("tbody tr")) > 50, "more are shown")
        owner.js("HTMLAnchorElement.prototype.click = function () { window.asked = this.href }")
        owner.press("Download CSV")
        lines = owner.ask("return (await (await fetch(window.asked)).text())").split("\r\n")
        self.assertEqual(lines[0], "Timestamp,Device,Temperature,pH,Chlorine,ORP")
        self.assertGreater(len(lines), 50)
        self.assertIn("Lagoon", lines[1])

    def test_old_values_look_old_by_the_clock_of_the_hub(self):
        # The browser's clock is five hours ahead: by it everything would be old.
        ahead = Browser(lab, wrong=5 * 3600 * 1000)
        try:
            ahead.log_in()
            lab.publish("garden", [(0, water(temperature=22.2))])
            ahead.see("22.2")
            self.assertRegex(ahead.text(), r"22\.2 °C[^\n]*\n(\w+\n)?(now|\d+ s ago)")
            self.assertNotIn("Stale", ahead.text())
            # Half an hour later without news, nothing is fresh any more.
            ahead.js("window.shift = 31 * 60 * 1000")
            ahead.see("Stale")
            self.assertRegex(ahead.text(), r"3\d min ago")
        finally:
            ahead.close()

    def test_a_lost_stream_is_said_and_greys_the_values(self):
        # The page that was just opened follows now.
        lab.publish("garden", [(0, water(temperature=22.3))])
        owner.see("22.3", 10)
        lab.publish("garden", [(0, water())])
        owner.see("25.5", 10)
        lab.stop("page", at_once=True)
        try:
            owner.see("Connection lost: last heard")
            self.assertFalse(owner.js("return document.body.classList.contains('old')"))
            owner.js("window.shift = 46000")
            until(lambda: owner.js("return document.body.classList.contains('old')"), "the values are grey")
            self.assertRegex(owner.text(), r"last heard (4|5|6)\d s ago|last heard 1 min ago")
            # A new start of the page has what was last seen.
            owner.open()
            owner.see("No connection. This is how it was")
            owner.see("Lagoon")
        finally:
            lab.start_page("--request-limit", "100000")
        owner.miss("No connection")
        owner.see("Lagoon")

    def test_a_hub_that_is_killed_and_started_again_is_noticed(self):
        lab.stop("hub", at_once=True)
        try:
            owner.see("The hub does not answer")
            owner.see("Lagoon")
        finally:
            lab.start_hub()
        owner.miss("The hub does not answer", 60)
        lab.publish("garden", [(0, water(temperature=23.4))])
        owner.see("23.4")


class Changing(Story):
    def test_what_was_typed_stays_when_the_hub_refuses_it(self):
        owner.go(f"device/{ids()['Lagoon']}/limits")
        for end, value in (("criticalLow", "6"), ("low", "7.6"), ("high", "7,2"), ("criticalHigh", "9")):
            owner.type(f"ph.{end}", value)
        owner.press("Save limits")
        owner.see("must be in order")
        self.assertEqual([owner.value(f"ph.{end}") for end in ("low", "high")], ["7.6", "7,2"])
        owner.type("ph.low", "many")
        owner.press("Save limits")
        until(lambda: "many" in owner.error_of("ph.low"), "what is no number is refused at its field")
        self.assertEqual(owner.field("ph.low").get_attribute("aria-invalid"), "true")
        owner.type("ph.low", "7")
        owner.press("Save limits")
        owner.see("Saved.")
        limits = owner.ask("return (await fetch(`/api/v1/devices/${given[0].Lagoon}/limits`)).json()", ids())
        self.assertEqual(limits["own"]["ph"], {"criticalLow": 6, "low": 7, "high": 7.2, "criticalHigh": 9})
        # Other stories have the same water.
        self.clear_limits("Lagoon", "ph")

    def test_what_is_typed_while_a_form_is_saved_stays_and_is_saved_by_the_next_press(self):
        owner.go(f"device/{ids()['Lagoon']}/limits")
        for end, value in (("criticalLow", "6.1"), ("low", "7"), ("high", "7.3"), ("criticalHigh", "9")):
            owner.type(f"ph.{end}", value)
        # The answer of the first request is held back, while somebody types and saves once more.
        owner.js("""
            const real = window.fetch
            window.release = null
            window.fetch = async (...given) => {
             const answer = await real(...given)
             if (given[1]?.method === 'PUT' && !window.release) await new Promise((go) => { window.release = go })
             return answer
            }
        """)
        owner.press("Save limits")
        until(lambda: owner.js("return Boolean(window.release)"), "the first request is answered")
        owner.type("ph.low", "7.1")
        owner.press("Save limits")
        owner.js("window.release()")
        read = "return (await (await fetch(`/api/v1/devices/${given[0].Lagoon}/limits`)).json()).own.ph.low"
        until(lambda: owner.ask(read, ids()) == 7.1, "what was typed meanwhile is saved")
        owner.see("Saved.")
        self.assertEqual(owner.value("ph.low"), "7.1")
        self.clear_limits("Lagoon", "ph")

    def test_values_are_shown_and_typed_in_the_units_of_the_browser(self):
        owner.press("°F, gal")
        until(lambda: re.search(r"[78]\d\.\d\s*°F", owner.text()), "the temperatures are in °F")
        owner.go(f"device/{ids()['Lagoon']}/limits")
        for end, value in (("criticalLow", "59"), ("low", "68"), ("high", "86"), ("criticalHigh", "95")):
            owner.type(f"temperature.{end}", value)
        owner.press("Save limits")
        owner.see("Saved.")
        limits = owner.ask("return (await fetch(`/api/v1/devices/${given[0].Lagoon}/limits`)).json()", ids())
        self.assertEqual(limits["own"]["temperature"], {"criticalLow": 15, "low": 20, "high": 30, "criticalHigh": 35})
        owner.go(f"pool/{ids()['Garden']}")
        owner.see("Volume (gal)")
        # It is remembered, and the other browser has its own.
        owner.open()
        owner.see("°F")
        owner.press("°C, m³")
        owner.see("25.")
        self.assertNotRegex(owner.text(), r"[78]\d\.\d\s*°F")
        self.clear_limits("Lagoon", "temperature")

    def test_a_name_that_another_one_changed_meanwhile_is_not_lost(self):
        owner.go(f"pool/{ids()['Hall']}")
        owner.type("name", "Hall of mine")
        lab.command("pool", "edit", "Hall", "--name", "Hall of others")
        owner.see("Hall of others")
        owner.press("Save")
        owner.see("Now: Hall of others")
        self.assertEqual(owner.value("name"), "Hall of mine")
        owner.press("Save")
        owner.see("Saved.")
        until(lambda: "Hall of mine" in lab.command("pool", "list"), "the second try is in force")
        lab.command("pool", "edit", "Hall of mine", "--name", "Hall")
        self.assertIn("web:Ada", lab.command("config", "log"))

    def test_an_edit_on_an_offline_watch_becomes_a_conflict_on_the_page(self):
        owner.go("watches")
        owner.type("name", "Kitchen")
        owner.press("Make an invitation")
        owner.find("svg.qr")
        command = until(lambda: owner.js("return document.querySelector('.code code')?.textContent"), "the code is shown")
        lab.command("watch", "pair", command.split()[-1], "--name", "Kitchen")
        owner.see("Kitchen")
        lab.command("watch", "--once", "--name", "Kitchen")
        away = {"POOLSENSORS_WATCH_HUB": "tcp://127.0.0.1:9"}
        lab.command("watch", "limits", "Lagoon", "chlorine", "--high", "2.5", "--name", "Kitchen", environment=away)
        owner.go(f"device/{ids()['Lagoon']}/limits")
        for end, value in (("criticalLow", "0.4"), ("low", "0.9"), ("high", "2.7"), ("criticalHigh", "6")):
            owner.type(f"chlorine.{end}", value)
        owner.press("Save limits")
        owner.see("Saved.")
        lab.command("watch", "--once", "--name", "Kitchen")
        owner.go("conflicts")
        owner.see("Not in force")
        self.assertIn("Kitchen", owner.text())
        self.assertIn("web:Ada", owner.text())
        owner.press("Français")
        owner.see("limites (Chlore) de l’appareil")
        owner.see("la plus récente est affichée")
        owner.press("English")
        owner.see("Not in force")
        owner.js("document.querySelector('main .card .primary').click()")
        owner.see("No conflict is open.")
        owner.go("watches")
        owner.press("Unpair")
        owner.see("It can no longer follow")
        owner.js("document.querySelector('.asking .danger').click()")
        owner.see("No watch is paired yet.")

    def test_a_calibration_is_made_in_three_steps(self):
        owner.go(f"device/{ids()['Lagoon']}/calibration")
        owner.press("Next")
        for name, value in (("measured0", "6.9"), ("reference0", "7"), ("measured1", "9.8")):
            owner.type(name, value)
        owner.press("Compute")
        until(lambda: "true value" in owner.error_of("reference1"), "a missing value is named at its field")
        self.assertEqual(owner.value("measured1"), "9.8")
        owner.type("reference1", "10")
        owner.press("Compute")
        owner.see("of the ideal slope: good")
        owner.press("Save the calibration")
        owner.see("The calibration is saved.")
        self.assertIn("1.03448", lab.command("calibrate", "list"))
        owner.press("Charts")
        owner.find("svg.plot .mark.calibration")
        owner.press("Calibration")
        owner.press("Remove")
        owner.see("Shown values change")
        owner.js("document.querySelector('.asking .danger').click()")
        owner.see("No calibration yet")

    def test_a_dose_is_advised_logged_and_removed(self):
        pool = ids()["Garden"]
        owner.go(f"pool/{pool}")
        owner.type("volume", "48,5")
        owner.press("Save")
        owner.see("Saved.")
        owner.go(f"pool/{pool}/water")
        owner.see("Chlorine: ")
        owner.press("Computed from")
        owner.see("Volume 48.5 m³")
        owner.press("Numbers that no probe measures")
        owner.type("totalAlkalinity", "5")
        owner.press("Compute again")
        until(lambda: "25" in owner.error_of("totalAlkalinity"), "a number out of its range is refused at its field")
        self.assertEqual(owner.value("totalAlkalinity"), "5")
        owner.type("totalAlkalinity", "90")
        owner.press("Compute again")
        until(lambda: not owner.error_of("totalAlkalinity"), "it is computed")
        owner.press("Log it")
        until(lambda: owner.error_of("amount"), "a missing amount is refused at its field")
        owner.choose("product", "Sodium hypochlorite (liquid)")
        owner.type("amount", "1500")
        owner.type("note", MARKUP)
        owner.press("Log it")
        owner.see("1.5 L Sodium hypochlorite (liquid)")
        owner.see(MARKUP)
        owner.go(f"device/{ids()['Lagoon']}")
        owner.find("svg.plot .mark.dose")
        owner.see("Forecasts need about ")
        self.assertEqual(owner.all("svg.plot .ahead"), [])
        owner.go(f"pool/{pool}/water")
        owner.press("Remove")
        owner.press("Remove")
        owner.see("No dose is logged yet.")

    def test_advice_is_for_the_chosen_products_by_keyboard_alone(self):
        lab.command("pool", "edit", "Hall", "--volume", "40")
        lab.command("limits", "set", "chlorine", "0.5", "2", "3", "5", "--device", "Indoor")
        lab.publish("hall", [(age, water(temperature=28, ph=7.3, chlorine=1.4)) for age in range(300, 0, -50)])
        owner.go(f"pool/{ids()['Hall']}/water")
        owner.see("Trichlor (90 %)")
        reach = lambda script: until(lambda: owner.js(f"return {script}") or owner.key(Keys.TAB), script)
        reach("document.activeElement.textContent === 'Numbers that no probe measures'")
        owner.key(Keys.ENTER)
        reach("document.activeElement.name === 'chlorine'")
        owner.key(*[Keys.ARROW_DOWN] * 4, Keys.TAB, "96", Keys.ENTER)
        until(lambda: "96" in owner.js(
            "return document.querySelector('[data-member=product] [role=alert]')?.textContent ?? ''"), "a strength that it cannot have is refused there")
        self.assertEqual(owner.value("chlorineStrength"), "96")
        self.assertEqual(owner.value("chlorine"), "sodium-hypochlorite")
        reach("document.activeElement.name === 'chlorineStrength'")
        owner.key(Keys.END, Keys.BACKSPACE, Keys.BACKSPACE, "9.6", Keys.ENTER)
        owner.see("Sodium hypochlorite (liquid) (9.6 %)")
        self.assertNotIn("Trichlor (", owner.js("return document.querySelector('.steps').innerText"))
        # What pH needs is not limited by a product for chlorine.
        self.assertIn("pH: Add nothing", owner.text())
        self.clear_limits("Indoor", "chlorine")

    def test_names_with_markup_are_shown_as_text(self):
        lab.command("pool", "add", "--name", CLOSING)
        lab.command("device", "add", "--name", MARKUP, "--topic", "pool/markup", "--pool", CLOSING)
        lab.command("device", "add", "--name", "\u05d1\u05e8\u05db\u05d4 (1)", "--topic", "pool/hebrew", "--pool", CLOSING)
        try:
            owner.see(MARKUP)
            owner.see(CLOSING)
            known = ids()
            for view in ("", "alerts", "changes", f"device/{known[MARKUP]}", f"device/{known[MARKUP]}/name", f"pool/{known[CLOSING]}", "shares"):
                owner.go(view)
            owner.go("changes")
            owner.see(MARKUP)
            self.assertIsNone(owner.js("return window.hurt ?? null"))
            self.assertEqual(owner.js("return document.querySelectorAll('img, b').length"), 0)
            # A name that is written from right to left does not turn what stands beside it.
            self.assertTrue(owner.js("return [...document.querySelectorAll('main bdi')].length > 0"))
            owner.go(f"device/{known['Lagoon']}/name")
            owner.type("name", "Lag\u202eoon")
            owner.press("Save")
            owner.see("U+202E")
            self.assertEqual(owner.value("name"), "Lag\u202eoon")
        finally:
            lab.command("device", "remove", MARKUP, "--yes")
            lab.command("device", "remove", "\u05d1\u05e8\u05db\u05d4 (1)", "--yes")
            lab.command("pool", "remove", CLOSING, "--yes")


class Listener:
    """A web server of this machine that keeps what it is sent, and answers as ntfy does."""

    def __enter__(self):
        self.got = got = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                got.append((self.path, dict(self.headers), self.rfile.read(int(self.headers["Content-Length"])).decode()))
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.end_headers()
                self.wfile.write(b'{"id":"1"}')

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


class Owning(Story):
    def test_a_server_is_tested_added_changed_and_removed(self):
        owner.go("servers")
        owner.see("Home")
        owner.see("connected")
        closed = free_ports(1)[0]
        for name, value in (("name", "Plant"), ("host", "127.0.0.1"), ("port", "many"), ("password", "cold brass key")):
            owner.type(name, value)
        owner.press("Add the server")
        until(lambda: "many" in owner.error_of("port"), "what is no port is refused at its field")
        owner.type("port", str(closed))
        owner.press("Test the connection")
        owner.see(f"127.0.0.1:{closed}: unreachable")
        owner.press("Add the server")
        owner.see("so the server \"Plant\" was not added")
        self.assertNotIn("Plant", lab.command("server", "list"))
        self.assertEqual([owner.value("name"), owner.value("password")], ["Plant", "cold brass key"])
        self.assertEqual(owner.violations(), [])
        owner.field("isUntested").click()
        owner.press("Add the server")
        owner.see("The server Plant is there.")
        card = "//li[.//h2[normalize-space()='Plant']]"
        part = lambda path: until(lambda: owner.driver.find_element("xpath", card + path), path)
        click(lambda: part("//summary"))
        # A stored password goes nowhere else by itself.
        port = part("//input[@name='port']")
        port.send_keys(Keys.CONTROL + "a", Keys.DELETE)
        port.send_keys(str(lab.broker_port))
        click(lambda: part("//button[normalize-space()='Save']"))
        until(lambda: "goes to no other address" in part("//*[@data-member='password']").text, "the password is asked for at its field")
        self.assertEqual(owner.violations(), [])
        part("//input[@name='password']").send_keys("another key")
        click(lambda: part("//button[normalize-space()='Save']"))
        until(lambda: "Saved." in part("").text, "it is changed")
        self.assertNotIn("key", owner.ask("return JSON.stringify(await (await fetch('/api/v1/servers')).json())"))
        self.assertIn("web:Ada", lab.command("config", "log"))
        owner.press("Français")
        try:
            owner.see("Appareils : ")
            click(lambda: part("//summary"))
            click(lambda: part("//button[normalize-space()='Tester la connexion']"))
            owner.see("ok, le serveur a accepté la connexion")
        finally:
            owner.press("English")
        owner.see("Devices: ")
        click(lambda: part("//button[normalize-space()='Remove']"))
        owner.see("Remove the server Plant?")
        click(lambda: part("//*[contains(@class, 'asking')]//button[normalize-space()='Remove']"))
        until(lambda: not owner.driver.find_elements("xpath", card), "the server is gone from the list")

    def test_a_server_is_tested_by_keyboard_alone_on_a_narrow_phone(self):
        owner.look(320)
        owner.go("servers")
        owner.see("Home")
        reach = lambda script: until(lambda: owner.js(f"return {script}") or owner.key(Keys.TAB), script)
        reach("document.activeElement.name === 'name' && document.activeElement.checkVisibility()")
        owner.key("Plant", Keys.TAB, "127.0.0.1", Keys.TAB, str(lab.broker_port))
        reach("document.activeElement.textContent === 'Test the connection' && document.activeElement.checkVisibility()")
        owner.key(Keys.ENTER)
        owner.see(f"127.0.0.1:{lab.broker_port}: ok, the server accepted the connection")
        self.assertEqual([owner.value("name"), owner.value("host")], ["Plant", "127.0.0.1"])
        self.assertLessEqual(owner.js("return document.documentElement.scrollWidth"), 320)

    def test_a_device_is_found_looked_at_and_added(self):
        def publish(*words):
            subprocess.run(["mosquitto_pub", "-p", str(lab.broker_port), "-r", "-t", "house/spa", *words], check=True, timeout=60)

        publish("-m", '{"water_temp": 36.5, "pH": 7.31, "orp": 0.711, "cl": -1}')
        try:
            owner.go("find")
            owner.press("Listen")
            owner.see("house/spa")
            owner.see("36.5 °C")
            owner.press("Stop")
            owner.see("messages came.")
            owner.see("How it is read")
            owner.see("Chlorine is left out, because its value is suspected.")
            self.assertEqual(owner.violations(), [])
            card = owner.find("li.card:has(select[name^=choice])")
            owner.js("arguments[0].querySelector('[name=name]').value = 'Spa'", card)
            press = lambda: owner.js("arguments[0].querySelector('form .primary').click()", card)
            # What is doubtful is asked, and is added by nobody's silence.
            press()
            until(lambda: owner.error_of("choice-orp"), "the doubtful quantity is asked for at its field")
            self.assertNotIn("Spa", lab.command("device", "list"))
            choice = owner.field("choice-orp")
            before = card.find_element("css selector", "[data-key=mapping]").text
            choice.send_keys(Keys.ARROW_DOWN)
            until(lambda: card.find_element("css selector", "[data-key=mapping]").text != before, "the preview follows the choice")
            press()
            owner.see("It is the device Spa.")
            self.assertIn("house/spa", lab.command("device", "show", "Spa"))
            owner.go(f"device/{ids()['Spa']}/source")
            owner.type("topic", "house/jacuzzi")
            owner.press("Save")
            owner.see("Saved.")
            self.assertEqual(owner.violations(), [])
            self.assertIn("house/jacuzzi", lab.command("device", "show", "Spa"))
            owner.press("Remove the device")
            owner.see("Its readings stay in the history")
            owner.js("document.querySelector('.asking .danger').click()")
            until(lambda: "Spa" not in ids(), "it is removed")
        finally:
            publish("-n")

    def test_a_pool_and_a_device_by_hand_come_and_go(self):
        owner.go("find")
        forms = lambda title: f"//section[.//h2[normalize-space()='{title}']]"
        part = lambda title, path: until(lambda: owner.driver.find_element("xpath", forms(title) + path), path)
        part("Pools", "//input[@name='name']").send_keys("Pond")
        click(lambda: part("Pools", "//button[normalize-space()='Add the pool']"))
        owner.see("The pool Pond is there.")
        part("Add a device by hand", "//input[@name='name']").send_keys("Float")
        part("Add a device by hand", "//input[@name='topic']").send_keys("pool/+/x")
        click(lambda: part("Add a device by hand", "//button[normalize-space()='Add']"))
        owner.see("pool/+/x")
        topic = part("Add a device by hand", "//input[@name='topic']")
        topic.send_keys(Keys.CONTROL + "a", Keys.DELETE)
        topic.send_keys("pool/float")
        click(lambda: part("Add a device by hand", "//button[normalize-space()='Add']"))
        owner.see("The device Float is there.")
        lab.command("device", "remove", "Float", "--yes")
        click(lambda: part("Pools", "//li[.//strong[normalize-space()='Pond']]//button"))
        owner.see("Remove the pool Pond?")
        owner.js("document.querySelector('.asking .danger').click()")
        until(lambda: "Pond" not in ids(), "the pool is removed")

    def test_alerts_are_told_as_chosen_and_by_phone_after_a_consent(self):
        owner.go("channels")
        owner.field("quiet").click()
        owner.field("mute-orp").click()
        owner.js("for (const [name, time] of [['start', '23:30'], ['end', '06:15']]) document.getElementsByName(name)[0].value = time")
        owner.press("Pauses and delays")
        owner.type("cooldownSeconds", "5")
        owner.press("Save")
        until(lambda: "60 to 3600" in owner.error_of("cooldownSeconds"), "a number out of its range is refused at its field")
        owner.type("cooldownSeconds", "600")
        owner.press("Save")
        owner.see("Saved.")
        settings = owner.ask("return (await fetch('/api/v1/alerts/settings')).json()")
        self.assertEqual([settings["cooldownSeconds"], settings["muted"]], [600, ["orp"]])
        self.assertEqual(settings["quietHours"], {"start": 23 * 60 + 30, "end": 6 * 60 + 15, "criticalPasses": True})
        card = "//li[.//h3[normalize-space()='ntfy']]"
        part = lambda path: until(lambda: owner.driver.find_element("xpath", card + path), path)
        with Listener() as phone:
            click(lambda: part("//summary"))
            click(lambda: part("//label[normalize-space()='Send alerts there']"))
            part("//input[@name='topic']").send_keys("pool-8f3")
            part("//input[@name='server']").send_keys(phone.url)
            part("//input[@name='token']").send_keys("tk_hidden")
            click(lambda: part("//button[normalize-space()='Save']"))
            # Nothing leaves the house before a person has read what.
            until(lambda: f"{phone.url} gets the topic" in part("//fieldset[@data-member='agrees']").text, "it is said what leaves the house")
            self.assertEqual(owner.violations(), [])
            self.assertEqual(owner.ask("return (await (await fetch('/api/v1/alerts/channels/ntfy')).json()).isEnabled"), False)
            click(lambda: part("//label[normalize-space()='I agree to it']"))
            click(lambda: part("//button[normalize-space()='Save']"))
            until(lambda: "Saved." in part("").text, "it is on")
            click(lambda: part("//button[normalize-space()='Send a test']"))
            until(lambda: "accepted a test notice" in part("").text, "the test is accepted")
            self.assertEqual([json.loads(body)["topic"] for _, _, body in phone.got], ["pool-8f3"])
            self.assertEqual(phone.got[0][1]["Authorization"], "Bearer tk_hidden")
            self.assertNotIn("tk_hidden", owner.ask("return (await fetch('/api/v1/alerts/channels')).text()"))
        # The service is gone: the test says so.
        click(lambda: part("//button[normalize-space()='Send a test']"))
        until(lambda: "the test notice failed" in part("").text, "the failure is said")
        lab.command("alerts", "channel", "ntfy", "--off")
        lab.command("alerts", "settings", "--quiet", "none", "--cooldown", "300")
        owner.ask("const tag = (await fetch('/api/v1/alerts/settings')).headers.get('ETag');"
                  "return (await fetch('/api/v1/alerts/settings', {method: 'PATCH', headers: {'Content-Type': 'application/json', 'If-Match': tag},"
                  "body: JSON.stringify({muted: []})})).status")

    def test_a_webhook_is_set_up_signed_and_tested(self):
        owner.go("channels")
        card = "//li[.//h3[normalize-space()='Webhook']]"
        part = lambda path: until(lambda: owner.driver.find_element("xpath", card + path), path)
        with Listener() as house:
            click(lambda: part("//summary"))
            click(lambda: part("//label[normalize-space()='Send alerts there']"))
            part("//input[@name='url']").send_keys("ftp://x")
            click(lambda: part("//label[normalize-space()='I agree to it']"))
            click(lambda: part("//button[normalize-space()='Save']"))
            until(lambda: "must begin with http" in part("").text, "a wrong address is refused")
            url = part("//input[@name='url']")
            url.send_keys(Keys.CONTROL + "a", Keys.DELETE)
            url.send_keys(house.url + "/pool")
            part("//input[@name='secret']").send_keys("cold brass key")
            click(lambda: part("//button[normalize-space()='Save']"))
            until(lambda: "Saved." in part("").text, "it is on")
            click(lambda: part("//button[normalize-space()='Send a test']"))
            until(lambda: "accepted a test notice" in part("").text, "the test is accepted")
            self.assertEqual([path for path, _, _ in house.got], ["/pool"])
            self.assertTrue(any("signature" in name.lower() for name in house.got[0][1]), house.got[0][1])
            click(lambda: part("//label[normalize-space()='Send alerts there']"))
            click(lambda: part("//button[normalize-space()='Save']"))
            until(lambda: owner.ask("return (await (await fetch('/api/v1/alerts/channels/webhook')).json()).isEnabled") is False, "it is off")

    def test_a_shorter_history_says_what_it_removes_first(self):
        owner.go("keeping")
        owner.type("rawDays", "7")
        owner.press("Save")
        owner.see("readings before")
        self.assertEqual(owner.violations(), [])
        kept = "return (await (await fetch('/api/v1/history')).json()).rawDays"
        self.assertEqual(owner.ask(kept), 30)
        owner.press("Save, and remove them")
        owner.see("Saved.")
        self.assertEqual(owner.ask(kept), 7)
        owner.type("rawDays", "30")
        owner.press("Save")
        until(lambda: owner.ask(kept) == 30, "a longer time needs no question")
        owner.see("The hub makes no files by itself.")
        folder = f"{lab.folder}/exports"
        os.mkdir(folder)
        lab.command("history", "auto", "--every", "daily", "--to", folder)
        owner.choose("period", "each week")
        owner.js("document.querySelector('[data-key=export] .primary').click()")
        until(lambda: f"weekly csv files go to {folder}" in lab.command("history", "auto"), "the period is another one, the folder is not")
        self.assertNotIn(folder, owner.text())
        owner.press("Switch it off")
        owner.see("Make no more files?")
        owner.js("document.querySelector('.asking .danger').click()")
        owner.see("The hub makes no files by itself.")

    def test_a_preset_fills_the_limits_and_changes_nothing_before_they_are_saved(self):
        owner.go(f"device/{ids()['Indoor']}/limits")
        own = "return Object.keys((await (await fetch(`/api/v1/devices/${given[0].Indoor}/limits`)).json()).own).length"
        # The presets come from the server after the form.
        options = until(lambda: owner.field("preset").find_elements("css selector", "option")[1:], "there are presets")
        options[0].click()
        owner.see("Nothing is changed until you save.")
        self.assertNotEqual(owner.value("ph.low"), "")
        self.assertEqual(owner.violations(), [])
        self.assertEqual(owner.ask(own, ids()), 0)
        owner.press("Save limits")
        owner.see("Saved.")
        self.assertGreater(owner.ask(own, ids()), 0)
        self.clear_limits("Indoor", "temperature", "ph", "chlorine", "orp")


class Sharing(Story):
    def streams(self):
        """How many streams the server has open."""
        request = urllib.request.Request(f"{lab.base}/metrics", headers={"Authorization": f"Bearer {self.token}"})
        with urllib.request.urlopen(request, timeout=5) as answer:
            return int(float(re.search(r"^poolsensors_streams (\S+)", answer.read().decode(), re.M)[1]))

    def setUp(self):
        self.token = lab.account("token", "Ada", "--name", "streams", "--scope", "metrics").strip()
        # A browser of another account has its own stream.
        other.wake()

    def test_nine_tabs_have_one_stream_and_the_newest_values(self):
        first = owner.driver.current_window_handle
        tabs = [first]
        try:
            for _ in range(8):
                owner.driver.switch_to.new_window("tab")
                tabs.append(owner.driver.current_window_handle)
                owner.open()
                owner.see("Garden", 5)
                owner.see("Lagoon", 5)
            until(lambda: self.streams() == 1, lambda: f"nine tabs have one stream, not {self.streams()}")
            for number, tab in enumerate(tabs):
                owner.driver.switch_to.window(tab)
                value = 7.31 + number / 100
                lab.publish("garden", [(0, water(ph=value))])
                owner.see(f"{value:.2f}", 5)
            # The one that follows is closed; another one goes on.
            for tab in tabs[1:5]:
                owner.driver.switch_to.window(tab)
                owner.driver.close()
            owner.driver.switch_to.window(tabs[5])
            lab.publish("garden", [(0, water(ph=7.55))])
            owner.see("7.55", 5)
        finally:
            for tab in owner.driver.window_handles:
                if tab != first:
                    owner.driver.switch_to.window(tab)
                    owner.driver.close()
            owner.driver.switch_to.window(first)
            lab.publish("garden", [(0, water())])

    def test_a_page_that_nobody_sees_has_no_stream(self):
        owner.see("Lagoon")
        until(lambda: self.streams() == 1, "the page follows")
        hide = "Object.defineProperty(document, 'hidden', {configurable: true, value: arguments[0]}); document.dispatchEvent(new Event('visibilitychange', {bubbles: true}))"
        owner.js(hide, True)
        until(lambda: self.streams() == 0, "the hidden page follows nothing")
        lab.publish("garden", [(0, water(ph=7.11))])
        owner.js(hide, False)
        owner.see("7.11", 5)
        self.assertNotIn("Connection lost", owner.text())
        lab.publish("garden", [(0, water())])

    def test_what_a_revoked_link_showed_leaves_the_screen_within_a_second(self):
        address = self.guest()
        first = other.driver.current_window_handle
        other.driver.switch_to.new_window("tab")
        try:
            other.open(address)
            other.see("Lagoon")
            link = re.search(r"^([0-9a-f]{16})", lab.account("share").splitlines()[-1])[1]
            lab.account("share", "--revoke", link)
            end = time.monotonic() + 1
            until(lambda: "Lagoon" not in other.text(), "the values are gone", 1)
            self.assertLess(time.monotonic(), end)
        finally:
            other.driver.close()
            other.driver.switch_to.window(first)
        other.miss("Lagoon", 1)


class Looking(Story):
    def views(self):
        known = ids()
        device, pool = f"device/{known['Lagoon']}", f"pool/{known['Garden']}"
        return ["", device, f"{device}/history", f"{device}/limits", f"{device}/calibration", f"{device}/name", f"{pool}/water",
                f"{pool}/settings", "alerts", "more", "conflicts", "changes", "watches", "shares", "accounts", "tokens", "password",
                f"{device}/source", "find", "servers", "channels", "keeping"]

    def test_every_view_fits_a_narrow_phone(self):
        for width, language in ((320, "Français"), (390, "English")):
            owner.look(width)
            owner.press(language)
            for view in self.views():
                owner.go(view)
                until(lambda: not re.search("Loading|Chargement", owner.text()), "it has loaded")
                # A phone shows a page that is too wide smaller, so that innerWidth says nothing.
                wide = owner.js("return document.documentElement.scrollWidth") - width
                self.assertLessEqual(wide, 0, f"#/{view} is {wide} pixels too wide at {width}")

    def test_every_view_follows_the_rules_of_accessibility(self):
        found = []
        # A narrow, dark and French page, then a wide, light and English one.
        for language, width in (("Français", 390), ("English", 1000)):
            owner.look(width, dark=width < 600)
            owner.press(language)
            for view in self.views():
                owner.go(view)
                until(lambda: not re.search("Loading|Chargement", owner.text()), "it has loaded")
                found += [f"#/{view} {language}: {line}" for line in owner.violations()]
        known = ids()
        self.guest()
        device = f"device/{known['Lagoon']}"
        for language, isDark in (("Français", True), ("English", False)):
            other.look(390, dark=isDark)
            other.press(language)
            for view in ("", device, f"{device}/history", f"pool/{known['Garden']}/water", "alerts", "more"):
                other.go(view)
                until(lambda: not re.search("Loading|Chargement", other.text()), "it has loaded")
                found += [f"link #/{view} {language}: {line}" for line in other.violations()]
        other.wake()
        other.open()
        for language, title in (("Français", "Se connecter"), ("English", "Log in")):
            other.press(language)
            other.see(title)
            found += [f"login {language}: {line}" for line in other.violations()]
        self.assertEqual(found, [])

    def test_dark_is_dark_and_light_is_light(self):
        brightness = []
        for isDark in (False, True):
            owner.look(1000, dark=isDark)
            colours = owner.js("return getComputedStyle(document.body).backgroundColor + getComputedStyle(document.body).color")
            brightness.append([sum(map(int, part)) for part in re.findall(r"(\d+), (\d+), (\d+)", colours)])
        (light, light_text), (dark, dark_text) = brightness
        self.assertGreater(light, 600)
        self.assertLess(light_text, 200)
        self.assertLess(dark, 150)
        self.assertGreater(dark_text, 500)

    def test_everything_is_reached_by_keyboard_alone(self):
        other.wake()
        other.open()
        other.find("main [name='password']")
        reached = lambda script: until(lambda: other.js(f"return {script}"), script)
        other.key(Keys.TAB)
        reached("document.activeElement.id === 'skip' && document.activeElement.getBoundingClientRect().top >= 0")
        other.key(Keys.ENTER)
        reached("document.activeElement.id === 'main'")
        other.key(Keys.TAB)
        reached("document.activeElement.name === 'name'")
        other.key("Ada", Keys.TAB, Lab.PASSWORD, Keys.ENTER)
        other.see("Garden")
        for _ in range(30):
            if other.js("return document.activeElement.textContent === 'Lagoon'"):
                break
            other.key(Keys.TAB)
            self.assertNotEqual(other.js("return getComputedStyle(document.activeElement).outlineStyle"), "none")
        other.key(Keys.ENTER)
        reached("document.querySelector('h1')?.textContent === 'Lagoon' && document.activeElement.id === 'main'")
        for _ in range(40):
            if other.js("return document.activeElement.role === 'slider' || document.activeElement.getAttribute('role') === 'slider'"):
                break
            other.key(Keys.TAB)
        other.key(Keys.ARROW_LEFT)
        reached("/°C/.test(document.activeElement.getAttribute('aria-valuetext'))")

    def test_french_is_chosen_by_the_browser_and_remembered(self):
        french = Browser(lab, language="fr-FR")
        try:
            french.open()
            french.see("Se connecter")
            french.type("name", "Ada")
            french.type("password", "not it at all")
            french.press("Se connecter")
            french.see("nom ou mot de passe incorrect")
            french.type("password", Lab.PASSWORD)
            french.press("Se connecter")
            french.see("Température")
            self.assertEqual(french.js("return document.documentElement.lang"), "fr")
            self.assertRegex(french.text(), r"2\d,\d")
            # A notice has its own words; a refusal of the hub is read aloud as English, which it is.
            lab.publish("hall", [(1, water(temperature=28, ph=9.2)), (0, water(temperature=28, ph=9.2))])
            french.go("alerts")
            french.see("Indoor pH 9,20 trop haut")
            french.see("1,20 au-dessus de la limite critique de 8,00")
            french.see("personne ne doit entrer dans l'eau")
            lab.publish("hall", [(0, water(temperature=28, ph=7.3)), (0, water(temperature=28, ph=7.3))])
            french.see("pH de retour dans ses limites")
            self.assertNotIn("Indoor: ", french.text())
            french.go(f"device/{ids()['Lagoon']}/name")
            french.type("name", "Lag\u202eoon")
            french.press("Enregistrer")
            french.see("U+202E")
            english = lambda place: french.js("return document.querySelector(`${arguments[0]} [lang=en]`)?.textContent ?? ''", place)
            self.assertIn("U+202E", english(".problem"))
            # What people see of a password is French.
            french.go("password")
            french.type("current", "not it at all")
            french.type("new", "short")
            french.press("Changer le mot de passe")
            french.see("il en faut au moins 10")
            self.assertEqual(english("form"), "")
            french.go(f"device/{ids()['Lagoon']}")
            french.see("Les prévisions demandent encore environ")
            french.see("Pas de prévision : aucune méthode")
            self.assertEqual(english(".forecast"), "")
            french.go("")
            french.press("English")
            french.see("Temperature")
            french.open()
            french.see("Temperature")
        finally:
            french.close()

    def test_nothing_is_asked_of_other_hosts(self):
        owner.requests()
        for view in self.views():
            owner.go(view)
        asked = owner.requests()
        self.assertGreater(len(asked), 5)
        foreign = [url for url in asked if not url.startswith((lab.base + "/", "data:", "blob:"))]
        self.assertEqual(foreign, [])
        refused = [entry["message"] for entry in owner.driver.get_log("browser") if "Content Security Policy" in entry["message"]]
        self.assertEqual(refused, [])

    def test_it_can_be_installed(self):
        errors = owner.driver.execute_cdp_cmd("Page.getInstallabilityErrors", {})["installabilityErrors"]
        self.assertEqual([error["errorId"] for error in errors if error["errorId"] != "in-incognito"], [])
        until(lambda: owner.ask("return (await caches.keys()).includes('shell')"), "the files of the page are kept")
        kept = owner.ask("const cache = await caches.open('shell'); return (await cache.keys()).map((one) => new URL(one.url).pathname)")
        self.assertEqual(set(kept), {"/", "/page.css", "/page.js", "/icon.svg", "/manifest.webmanifest"})


class Files(unittest.TestCase):
    def test_the_files_are_small(self):
        sizes = {os.path.basename(path): os.path.getsize(path) for path in page_files("*") if not path.endswith(".json")}
        late = sum(size for name, size in sizes.items() if name in OWNERS)
        first = sum(sizes.values()) - late
        self.assertLessEqual(first, BYTES_MAX, f"the page has {first} bytes: {sizes}")
        self.assertLessEqual(late, OWNERS_MAX, f"what only owners open has {late} bytes: {sizes}")

    def test_the_first_load_is_small(self):
        """What a browser that has nothing yet is sent, to the last byte of each body."""
        one = Browser(lab)
        try:
            one.requests()
            one.open()
            one.see("Log in")
            until(lambda: one.ask("return (await caches.keys()).includes('shell')"), "the files of the page are kept")
            asked = {urllib.parse.urlsplit(url).path for url in one.requests() if url.startswith(lab.base)}
        finally:
            one.close()
        sent = 0
        for path in (asked | {"/worker.js", "/manifest.webmanifest", "/icon.svg"}):
            connection = http.client.HTTPConnection("127.0.0.1", lab.page_port, timeout=10)
            connection.request("GET", path, headers={"Accept-Encoding": "gzip"})
            sent += len(connection.getresponse().read())
        self.assertIn("/page.js", asked)
        # What only owners open comes when they open it.
        self.assertNotIn("/owner.js", asked)
        self.assertLessEqual(sent, COMPRESSED_MAX, f"the first load has {sent} bytes: {asked}")

    def test_each_file_is_served_as_it_stands_with_its_type_and_tag(self):
        types = {"js": "text/javascript", "css": "text/css", "html": "text/html", "svg": "image/svg+xml", "webmanifest": "application/manifest+json"}
        for path in page_files("*"):
            name = os.path.basename(path)
            if name.endswith(".json") or name.endswith(".js") and name != "worker.js":
                continue
            connection = http.client.HTTPConnection("127.0.0.1", lab.page_port, timeout=10)
            connection.request("GET", "/" if name == "page.html" else f"/{name}")
            answer = connection.getresponse()
            with open(path, "rb") as file:
                self.assertEqual(answer.read(), file.read(), f"{name} is not the one that was built: build again")
            self.assertIn(types[name.rsplit(".", 1)[1]], answer.headers["content-type"])
            self.assertIn("script-src 'self'", answer.headers["content-security-policy"])
            connection.request("GET", f"/{name}", headers={"If-None-Match": answer.headers["etag"]})
            self.assertEqual(connection.getresponse().status, 304)

    def test_the_script_has_all_modules_as_they_stand(self):
        served = set()
        for name in ("page.js", "owner.js"):
            connection = http.client.HTTPConnection("127.0.0.1", lab.page_port, timeout=10)
            connection.request("GET", f"/{name}")
            served |= {line.removeprefix("export ") for line in connection.getresponse().read().decode().split("\n")}
        for path in page_files("*.js"):
            if path.endswith("/worker.js"):
                continue
            with open(path, encoding="utf-8") as file:
                text = re.sub(r"(?ms)^(import|export \*).*? from '[^']*'$", "", file.read())
            lines = {line.strip(" ").removeprefix("export ") for line in text.split("\n")}
            missing = {line for line in lines - served if line and not line.startswith("//")}
            self.assertEqual(missing, set(), f"{path} is not the one that was built: build again")

    def test_requests_leave_nothing_in_memory(self):
        def resident():
            with open(f"/proc/{lab.processes['page'].pid}/statm", encoding="ascii") as file:
                return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

        def ask(rounds):
            request = f"HEAD / HTTP/1.1\r\nHost: 127.0.0.1:{lab.page_port}\r\n\r\n".encode() * 100
            with socket.create_connection(("127.0.0.1", lab.page_port), timeout=20) as client:
                for _ in range(rounds):
                    client.sendall(request)
                    answers = b""
                    while answers.count(b"HTTP/1.1 200") < 100 or not answers.endswith(b"\r\n\r\n"):
                        answers += client.recv(65536)

        ask(10)
        before = resident()
        ask(400)
        self.assertLess(resident() - before, 8_000_000)

    def test_no_text_becomes_markup_and_every_text_is_in_two_languages(self):
        for path in page_files("*.js"):
            with open(path, encoding="utf-8") as file:
                text = file.read()
            for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "style="):
                self.assertNotIn(word, text, path)
            self.assertEqual(re.findall(r"\bt\('[^']*'\)", text), [], f"{path} has a text in one language")


if __name__ == "__main__":
    unittest.main(verbosity=2)

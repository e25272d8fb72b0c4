"""Stories of IMT's page in a real browser with its fake camera, against a real phone. They are run by .ci/web-page."""
import base64
import io
import json
import os
import shutil
import subprocess
import tarfile
import tempfile
import unittest
import urllib.error
import urllib.request

from fhir.resources.R4B.media import Media
from fhir.resources.R4B.patient import Patient
from selenium.webdriver.common.keys import Keys

from browser import Browser
from lab import BINARIES, free_ports, until

CAMERA = ("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream")
PASSWORD = "plover heath 72"


class Phone:
    """A phone with its page in its own folder; `close` ends it and removes the folder."""

    PASSWORD = PASSWORD

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="imt-page.")
        self.state = f"{self.folder}/state"
        port, = free_ports(1)
        self.base = f"http://127.0.0.1:{port}"
        self.log = open(f"{self.folder}/log", "wb")
        self.command("account", "add", "Ada", "--role", "owner", typed=PASSWORD + "\n")
        self.command("account", "add", "Lee", "--right", "imt.list", typed=PASSWORD + "\n")
        self.process = subprocess.Popen(
            [f"{BINARIES}/imt", "phone", "--page", f"127.0.0.1:{port}", "--state", self.state], stdout=self.log, stderr=self.log)
        until(lambda: urllib.request.urlopen(f"{self.base}/healthz", timeout=5).status == 200, "the page is up")

    def command(self, *words, typed=None, state=True):
        done = subprocess.run(
            [f"{BINARIES}/imt", *words, *(["--state", self.state] if state else [])], input=typed, text=True,
            capture_output=True, timeout=120, check=False)
        if done.returncode:
            raise AssertionError(f"imt {' '.join(words)}: {done.stdout}{done.stderr}")
        return done.stdout

    def face(self, name, progress=0, width=900):
        path = f"{self.folder}/{name}.jpg"
        self.command("face", path, "--progress", str(progress), "--width", str(width), state=False)
        return path

    def audit(self):
        return json.loads(self.command("audit", "--json", "--limit", "1000"))

    def close(self):
        self.process.terminate()
        self.process.wait(20)
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)


phone = None
browser = None


def setUpModule():
    global phone, browser
    phone = Phone()
    browser = Browser(phone, width=390, height=844, switches=CAMERA)


def tearDownModule():
    for one in (browser, phone):
        if one:
            one.close()


def log_in(name="Ada"):
    browser.wake()
    browser.open()
    browser.type("name", name)
    browser.type("password", PASSWORD)
    browser.press("Log in")
    browser.see("Patients")


def add_patient(given):
    browser.go("")
    browser.press("Add a patient")
    browser.type("given", given)
    browser.press("Add")
    browser.see("Add a transformation")
    browser.type("title", "Skin")
    browser.press("Add a transformation")
    browser.see("Select both photos first.")


def state():
    return browser.js("return document.querySelector('.stage')?.dataset.state ?? null")


def shoot(ghost):
    """Takes a photo, takes it again, and accepts it."""
    until(lambda: state() == "live", "the camera runs")
    shown = browser.js(
        "const one = document.querySelector('.stage .ellipse, .stage .ghost');"
        "const style = getComputedStyle(one); return [one.className, style.opacity, style.aspectRatio]")
    assert shown == (["ghost", "0.5", "auto"] if ghost else ["ellipse", "0.8", "3 / 4"]), shown
    browser.press("Shoot")
    until(lambda: state() == "taken", "the photo is taken")
    browser.press("Retake")
    until(lambda: state() == "live", "the camera runs again")
    browser.press("Shoot")
    browser.press("Accept")
    until(lambda: state() is None, "the photo is kept")


def press_camera(number):
    until(lambda: len([one for one in browser.all("button") if one.text == "Camera" and one.is_enabled()]) > 0, "the camera's button")
    [one for one in browser.all("button") if one.text == "Camera" and one.is_displayed()][number].click()


def pixels():
    return browser.js(
        "const canvas = document.querySelector('.compare canvas');"
        "return Array.from(canvas.getContext('2d').getImageData(0, 0, 480, 600).data.filter((_, index) => index % 997 === 0))")


def slide(value):
    browser.js(
        "const one = document.querySelector('.compare input[type=range]'); one.value = arguments[0]; one.dispatchEvent(new Event('input'))", value)


def open_camera(number):
    """Opens the camera, and takes its picture away: what remains is what lies over it."""
    press_camera(number)
    until(lambda: state() == "live" and browser.js("return document.querySelector('video').videoWidth > 0"), "the camera runs")
    browser.js("document.querySelector('.stage video').style.visibility = 'hidden'")


def shot(selector):
    """What an element looks like: rows of the brightness of its pixels, from 0 to 255, without its edge, where others shine through."""
    width, values = browser.ask(
        "const bytes = Uint8Array.from(atob(given[0]), (one) => one.charCodeAt(0));"
        "const picture = await createImageBitmap(new Blob([bytes], {type: 'image/png'}));"
        "const canvas = document.createElement('canvas'); canvas.width = picture.width; canvas.height = picture.height;"
        "const context = canvas.getContext('2d'); context.drawImage(picture, 0, 0);"
        "const data = context.getImageData(0, 0, picture.width, picture.height).data;"
        "return [picture.width, Array.from(data.filter((_, index) => index % 4 === 1))]", browser.find(selector).screenshot_as_base64)
    return [values[at + 3:at + width - 3] for at in range(0, len(values), width)][3:-3]


def make_png(name):
    """A picture in a file, which the browser draws."""
    path = f"{phone.folder}/{name}.png"
    data = browser.js(
        "const one = document.createElement('canvas'); one.width = 300; one.height = 400;"
        "one.getContext('2d').fillRect(0, 0, 100, 100); return one.toDataURL('image/png').split(',')[1]")
    with open(path, "wb") as file:
        file.write(base64.b64decode(data))
    return path


class Stories(unittest.TestCase):
    def setUp(self):
        browser.look(390, 844)

    def tearDown(self):
        if any(error for _, error in self._outcome.result.errors + self._outcome.result.failures):
            browser.picture(f"{os.environ['POOLSENSORS_FAILED']}/imt-{self.id().split('.')[-1]}.png")

    def test_a_pair_is_shot_retaken_accepted_compared_and_deleted(self):
        log_in()
        add_patient("Zoé")
        # The photo after waits for the one before.
        after = [one for one in browser.all("button") if one.text == "Camera" and one.is_displayed()][1]
        self.assertFalse(after.is_enabled())
        press_camera(0)
        shoot(ghost=False)
        browser.see("The photo is kept.")
        self.assertEqual([one["action"] for one in phone.audit()].count("add"), 3, "a retake leaves nothing")
        press_camera(0)
        # The camera's picture moves, so that a later one differs.
        until(lambda: browser.js("return document.querySelector('video')?.currentTime > 1.5"), "the camera's picture moves on")
        shoot(ghost=True)
        browser.press("Show the transformation")
        until(lambda: browser.all(".compare canvas"), "the pair is shown")
        first = pixels()
        slide(100)
        last = pixels()
        slide(50)
        middle = pixels()
        self.assertNotEqual(first, last)
        for a, b, mixed in zip(first, last, middle):
            self.assertEqual(mixed, (a * 50 + b * 50 + 50) // 100)
        slide(0)
        self.assertEqual(pixels(), first)
        browser.find(".compare input[type=range]").send_keys(Keys.ARROW_RIGHT)
        self.assertEqual(browser.js("return document.querySelector('.compare input[type=range]').value"), "1")
        self.assertEqual(browser.violations(), [])
        # The photo after is deleted.
        [one for one in browser.all("summary") if one.text == "This photo" and one.is_displayed()][1].click()
        [one for one in browser.all("button") if one.text == "Delete" and one.is_displayed()][0].click()
        browser.find("dialog[open] .danger").click()
        browser.see("Select both photos first.")

    def test_the_gallery_takes_what_the_browser_reads_and_says_what_it_does_not(self):
        log_in()
        add_patient("Gallery")
        chooser = until(lambda: browser.all("input[type=file]"), "a chooser")[0]
        bad = f"{phone.folder}/bad.heic"
        with open(bad, "wb") as file:
            file.write(b"no picture")
        chooser.send_keys(bad)
        browser.see("bad.heic is no picture that this browser can read")
        browser.all("input[type=file]")[0].send_keys(make_png("face"))
        browser.see("The photo is kept.")
        browser.see("(estimated)")
        self.assertEqual(browser.violations(), [])

    def test_consent_decides_over_export_and_eyes_align_the_pair(self):
        log_in()
        phone.command("add", "Consent")
        phone.command("transformation", "Consent", "Nose")
        for side, progress in (("before", 0), ("after", 100)):
            phone.command("import", "Consent", "Nose", side, phone.face(side, progress))
        browser.go("")
        browser.js(
            "[...document.querySelectorAll('.patients a')].find((one) => one.textContent.startsWith('Consent')).click()")
        browser.see("Export for advertising")
        browser.press("Export for advertising and teaching")
        browser.see("no photo of this patient may be used for the marketing purpose")
        browser.press("Nose")
        for number in range(2):
            rows = [one for one in browser.all("summary") if one.text == "This photo" and one.is_displayed()]
            rows[number].click()
            [one for one in browser.all("button") if one.text == "Eyes" and one.is_displayed()][-1].click()
            handle = until(lambda: [one for one in browser.all("dialog[open] button") if one.text.startswith("left eye")], "the eyes")[0]
            handle.send_keys(Keys.ARROW_LEFT)
            [one for one in browser.all("dialog[open] button") if one.text == "Store"][0].click()
            until(lambda: not browser.all("dialog[open]"), "the eyes are stored")
            until(lambda: browser.text().count("◉ ◉") > number, "the page shows the eyes")
        browser.press("Show the transformation")
        until(lambda: browser.all(".compare canvas"), "the pair is shown")
        browser.miss("not aligned")
        found = browser.ask(
            "const answer = await fetch(`/api/v1/patients/${location.hash.split('/')[1]}/consent`, {method: 'PUT',"
            "headers: {'Content-Type': 'application/json'}, body: JSON.stringify({purpose: 'clinical', isGiven: true})});"
            "const found = await fetch(`/api/v1/patients/${location.hash.split('/')[1]}/export?purpose=clinical`);"
            "const bytes = new Uint8Array(await found.arrayBuffer()); return [answer.status, Array.from(bytes)]")
        self.assertEqual(found[0], 200)
        with tarfile.open(fileobj=io.BytesIO(bytes(found[1]))) as archive:
            names = archive.getnames()
            self.assertEqual([one for one in names if one.startswith("photos/")], ["photos/1-before-front.jpg", "photos/2-after-front.jpg"])
            manifest = json.load(archive.extractfile("manifest.json"))
            self.assertEqual(manifest["purpose"], "clinical")
            # IMT39: a public reader of FHIR takes the documents.
            Patient.model_validate_json(archive.extractfile("fhir/patient.json").read())
            for number in (1, 2):
                Media.model_validate_json(archive.extractfile(f"fhir/media-{number}.json").read())
            media = json.load(archive.extractfile("fhir/media-1.json"))
            self.assertEqual([media["resourceType"], media["status"]], ["Media", "completed"])
            picture = archive.extractfile("photos/1-before-front.jpg").read()
            self.assertEqual(len(picture), media["content"]["size"])

    def test_the_ellipse_lies_whole_in_the_middle_and_is_three_by_four(self):
        """IMT12"""
        log_in()
        add_patient("Ellipse")
        for width, height in ((390, 844), (600, 1000), (1000, 900)):
            browser.look(width, height)
            open_camera(0)
            rows = shot(".stage")
            lit = [(x, y) for y, row in enumerate(rows) for x, value in enumerate(row) if value > 100]
            (left, right), (top, bottom) = ((min(one), max(one)) for one in zip(*lit))
            (a, b), (x0, y0) = ((right - left + 1) / 2, (bottom - top + 1) / 2), ((left + right) / 2, (top + bottom) / 2)
            self.assertAlmostEqual(a / b, 3 / 4, delta=0.02, msg=f"{2 * a} × {2 * b} points")
            self.assertLessEqual(2 * a, 300)
            self.assertGreater(top, 0, "it is whole")
            self.assertLess(bottom, len(rows) - 1, "it is whole")
            self.assertAlmostEqual(x0, (len(rows[0]) - 1) / 2, delta=1.5)
            self.assertAlmostEqual(y0, (len(rows) - 1) / 2, delta=1.5)
            for x, y in lit:
                # The line is 3 pixels wide, and lies inside.
                self.assertLess(((x - x0) / a) ** 2 + ((y - y0) / b) ** 2, 1.05, (x, y))
                self.assertGreater(((x - x0) / (a - 4)) ** 2 + ((y - y0) / (b - 4)) ** 2, 0.95, (x, y))
            self.assertAlmostEqual(max(value for row in rows for value in row), 0.8 * 255, delta=3)
            browser.press("Cancel")

    def test_the_photo_before_lies_half_translucent_over_the_camera(self):
        """IMT13"""
        log_in()
        phone.command("add", "Ghost")
        phone.command("transformation", "Ghost", "Nose")
        phone.command("import", "Ghost", "Nose", "before", phone.face("ghost"))
        browser.go("")
        browser.press("Ghost")
        browser.press("Nose")
        open_camera(0)
        browser.ask("await document.querySelector('.ghost').decode(); return true")
        half = shot(".stage")
        browser.js("document.querySelector('.ghost').style.opacity = 1")
        whole = shot(".stage")
        pairs = [(a, b) for row, other in zip(half, whole) for a, b in zip(row, other)]
        self.assertGreater(len({value for _, value in pairs}), 50, "it is a photo")
        for seen, full in pairs:
            self.assertAlmostEqual(seen, full / 2, delta=2)
        browser.press("Cancel")

    def test_without_a_camera_the_gallery_is_offered(self):
        """IMT15"""
        log_in()
        add_patient("Denied")
        browser.js("navigator.mediaDevices.getUserMedia = async () => { throw new DOMException('', 'NotAllowedError') }")
        press_camera(0)
        browser.see("The camera cannot be used: allow it in the browser, or choose a file.")
        self.assertFalse(until(lambda: [one for one in browser.all("button") if one.text == "Shoot"], "the shutter")[0].is_enabled())
        browser.press("Cancel")
        browser.all("input[type=file]")[0].send_keys(make_png("denied"))
        browser.see("The photo is kept.")

    def test_patients_fold_out_and_stay_so_on_this_device_only(self):
        """IMT19"""
        log_in()
        phone.command("add", "Fold")
        for name in ("Nose", "Hair"):
            phone.command("transformation", "Fold", name)

        def names():
            return browser.js(
                "return [...document.querySelectorAll('.patients > li')].filter((one) => one.textContent.startsWith('Fold'))"
                ".flatMap((one) => [...one.querySelectorAll('details[open] li')].map((row) => row.textContent))")

        browser.open()
        browser.see("Fold")
        self.assertEqual(names(), [])
        browser.js(
            "[...document.querySelectorAll('.patients > li')].find((one) => one.textContent.startsWith('Fold')).querySelector('summary').click()")
        until(lambda: names() == ["Nose", "Hair"], "the transformations fold out")
        self.assertEqual(browser.violations(), [])
        browser.open()
        until(lambda: names() == ["Nose", "Hair"], "they are still folded out")
        browser.press("Hair")
        browser.see("Add a transformation")
        until(lambda: browser.js("return [...document.querySelectorAll('details[open] > summary')].some((one) => one.textContent === 'Hair')"), "Hair is open")
        log_in()
        browser.see("Fold")
        self.assertEqual(names(), [], "a new device begins folded")

    def test_names_are_edited_and_a_transformation_is_deleted_after_a_question(self):
        """IMT20"""
        log_in()
        add_patient("Edith")
        browser.press("Edit")
        browser.type("family", "O’Brien")
        browser.press("Save")
        until(lambda: browser.js("return document.querySelector('h1').textContent") == "Edith O’Brien", "the name is changed")
        browser.press("Delete the transformation")
        browser.see("Delete it with its photos?")
        browser.press("Keep")
        browser.see("Select both photos first.")
        browser.press("Delete the transformation")
        browser.press("Delete")
        browser.miss("Select both photos first.")
        self.assertIn("delete", [one["action"] for one in phone.audit()])

    def test_erasing_asks_and_the_log_says_who(self):
        log_in()
        add_patient("Gone")
        browser.press("Erase the patient")
        browser.see("Backups may still hold them")
        browser.press("Keep")
        browser.press("Erase the patient")
        browser.press("Erase")
        browser.see("Erased, with 0 photos")
        browser.go("log")
        browser.see("web:Ada")
        self.assertTrue(any(one["action"] == "erase" and one["who"] == "web:Ada" for one in phone.audit()))

    def test_the_page_speaks_french_and_fits_a_phone(self):
        log_in()
        browser.press("Français")
        browser.see("Ajouter un patient")
        browser.press("Ajouter un patient")
        browser.type("given", " ")
        browser.press("Ajouter")
        browser.see("le prénom est vide")
        self.assertLessEqual(browser.js("return document.documentElement.scrollWidth"), 390)
        self.assertEqual(browser.violations(), [])
        browser.press("English")

    def test_an_account_with_the_list_alone_sees_no_photo(self):
        log_in()
        phone.command("add", "Secret")
        phone.command("transformation", "Secret", "Nose")
        phone.command("import", "Secret", "Nose", "before", phone.face("secret"))
        log_in("Lee")
        browser.js("[...document.querySelectorAll('.patients a')].find((one) => one.textContent.startsWith('Secret')).click()")
        browser.see("Nose")
        self.assertEqual(browser.all("img.thumb"), [])
        status = browser.ask(
            "const found = await (await fetch(`/api/v1/patients/${location.hash.split('/')[1]}`)).json();"
            "return [JSON.stringify(found).includes('photo\"'), (await fetch('/api/v1/patients', {method: 'POST',"
            "headers: {'Content-Type': 'application/json'}, body: '{}'})).status]")
        self.assertEqual(status, [False, 403])

    def test_a_stranger_gets_nothing_and_can_send_nothing_large(self):
        for method, path in (("GET", "/api/v1/patients"), ("POST", f"/api/v1/transformations/{'0' * 32}/photos?side=before")):
            request = urllib.request.Request(
                phone.base + path, method=method, data=b"\xff\xd8" + b"x" * 300_000 if method == "POST" else None,
                headers={"Content-Type": "image/jpeg", "Origin": phone.base})
            with self.assertRaises((urllib.error.HTTPError, ConnectionError, urllib.error.URLError)) as caught:
                urllib.request.urlopen(request, timeout=10)
            if isinstance(caught.exception, urllib.error.HTTPError):
                self.assertIn(caught.exception.code, (401, 413))


if __name__ == "__main__":
    unittest.main(verbosity=2)

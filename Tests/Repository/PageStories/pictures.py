"""Makes the pictures of the page for README.md: pictures.py FOLDER."""
import math
import sys
import time

from browser import Browser
from lab import Lab, until

STEP = 600


def life(isHall):
    """Three weeks of a pool: the sun warms it and burns its chlorine, which a doser replaces."""
    rows = []
    chlorine, ph = 1.9, 7.12
    for age in range(21 * 86400, 0, -STEP):
        sun = max(0, math.sin((age / 3600 + 2) / 12 * math.pi))
        chlorine *= 1 - 0.002 - (0.001 if isHall else 0.006) * sun
        if chlorine < 1.15:
            chlorine += 0.9
        ph += 0.0011 if ph < 7.5 else -0.25
        noise = math.sin(age) + math.sin(age / 7)
        rows.append((age, {
            "temperature": round((28.2 if isHall else 25.6) + 1.1 * math.sin((age / 3600 - 2) / 12 * math.pi) + 0.03 * noise, 2),
            "ph": round(ph + 0.01 * noise, 2), "chlorine": round(chlorine + 0.02 * noise, 2),
            "orp": round(700 + 70 * math.log(chlorine) - 60 * (ph - 7.2) + 3 * noise)}))
    # The probe was silent for a while.
    return [row for row in rows if isHall or not 50000 < row[0] < 58000]


def main(folder):
    lab = Lab()
    try:
        lab.furnish()
        lab.start_hub()
        garden, hall = life(False), life(True)
        lab.publish("garden", [*garden, (8, garden[-1][1])])
        lab.publish("hall", [*hall, (9, {**hall[-1][1], "ph": 7.78}), (8, {**hall[-1][1], "ph": 7.79})])
        lab.command("calibrate", "add", "Lagoon", "ph", "--point", "6.95:7.0", "--point", "9.9:10.0")
        dosed = next(age for (_, before), (age, after) in zip(garden[-150:], garden[-149:]) if after["chlorine"] > before["chlorine"] + 0.5)
        moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - dosed - STEP))
        lab.command("dose", "add", "Garden", "calcium-hypochlorite", "60g", "--at", moment)
        lab.start_page()
        phone = Browser(lab, width=390, height=900)
        try:
            phone.log_in()
            phone.see("7.79")
            phone.press("Lagoon")
            until(lambda: len(phone.all("svg.plot")) == 4 and len(phone.all(".forecast")) == 4, "the charts are drawn")
            phone.picture(f"{folder}/page-phone.png", 900)
            phone.look(1280, 940, dark=True)
            until(lambda: phone.js("return document.querySelector('svg.plot').viewBox.baseVal.width > 400"), "the charts are wide")
            phone.picture(f"{folder}/page-desktop-dark.png", 940)
        finally:
            phone.close()
    finally:
        lab.close()


main(sys.argv[1])

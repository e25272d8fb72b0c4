"""Draws a screen that `tmux capture-pane -p -e` wrote: terminal-picture.py SCREEN PICTURE COLUMNSxROWS; or lays pictures side by
side: terminal-picture.py --beside PICTURE LEFT RIGHT."""
import re
import sys

from PIL import Image, ImageDraw, ImageFont

CELL = (9, 18)
# Drawn larger and made smaller, so that letters and dots have smooth edges.
SCALE = 3
BACKGROUND, FOREGROUND = (0, 0, 0), (201, 209, 217)
BASIC = [(30, 36, 44), (229, 72, 77), (63, 185, 80), (210, 153, 34), (79, 142, 247), (198, 120, 221), (57, 197, 207), FOREGROUND]
FONTS = "/usr/share/fonts/truetype/dejavu/DejaVuSansMono"
# The places of the eight dots of braille, column and row, from the lowest bit on.
DOTS = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3)]


def palette(number):
    if number < 16:
        return BASIC[number % 8]
    if number < 232:
        steps = [0, 95, 135, 175, 215, 255]
        number -= 16
        return steps[number // 36], steps[number // 6 % 6], steps[number % 6]
    return (8 + (number - 232) * 10,) * 3


def apply(style, codes):
    codes = [int(code or 0) for code in codes.replace(":", ";").split(";")]
    while codes:
        code = codes.pop(0)
        if code == 0:
            style.update(fg=FOREGROUND, bg=BACKGROUND, bold=False, reverse=False)
        elif code in (1, 22):
            style["bold"] = code == 1
        elif code in (7, 27):
            style["reverse"] = code == 7
        elif code in (38, 48):
            name = "fg" if code == 38 else "bg"
            if codes.pop(0) == 5:
                style[name] = palette(codes.pop(0))
            else:
                style[name] = tuple(codes[:3])
                del codes[:3]
        elif code in (39, 49):
            style["fg" if code == 39 else "bg"] = FOREGROUND if code == 39 else BACKGROUND
        elif code % 10 < 8 and 30 <= code % 60 + (30 if code >= 90 else 0) <= 47 and code >= 30:
            style["fg" if code // 10 in (3, 9) else "bg"] = BASIC[code % 10]


def screen(source, target, columns, rows):
    width, height = CELL[0] * SCALE, CELL[1] * SCALE
    image = Image.new("RGB", (columns * width, rows * height), BACKGROUND)
    draw = ImageDraw.Draw(image)
    fonts = {bold: ImageFont.truetype(f"{FONTS}{'-Bold' if bold else ''}.ttf", int(width / 0.602)) for bold in (False, True)}
    style = {}
    apply(style, "0")
    for row, line in enumerate(open(source, encoding="utf-8").read().split("\n")[:rows]):
        column = 0
        for escape, letter in re.findall(r"\x1b\[([\d;:]*)m|([^\x1b\x0e\x0f])", line):
            if not letter:
                apply(style, escape)
                continue
            front, back = (style["bg"], style["fg"]) if style["reverse"] else (style["fg"], style["bg"])
            x, y = column * width, row * height
            draw.rectangle([x, y, x + width - 1, y + height - 1], fill=back)
            cell(draw, letter, x, y, width, height, front, fonts[style["bold"]])
            column += 1
    image.resize((columns * CELL[0], rows * CELL[1]), Image.LANCZOS).quantize(256).save(target, optimize=True)
    print(target)


def cell(draw, letter, x, y, width, height, color, font):
    code = ord(letter)
    if 0x2800 <= code <= 0x28FF:
        for bit, (column, line) in enumerate(DOTS):
            if code >> bit & 1:
                cx, cy = x + (column + 0.5) * width / 2, y + (line + 0.5) * height / 4
                radius = width / 5.5
                draw.ellipse([cx - radius, cy - radius, cx + radius, cy + radius], fill=color)
    elif 0x2581 <= code <= 0x2588:
        draw.rectangle([x, y + height - height * (code - 0x2580) // 8, x + width - 1, y + height - 1], fill=color)
    elif code == 0x2580:
        draw.rectangle([x, y, x + width - 1, y + height // 2 - 1], fill=color)
    else:
        # Frames join at the middle of a cell, whatever the height of the font's line.
        draw.text((x, y + height // 2), letter, font=font, fill=color, anchor="lm")


def beside(target, *sources):
    images = [Image.open(source).convert("RGB") for source in sources]
    gap = 2 * CELL[0]
    whole = Image.new("RGB", (sum(one.width for one in images) + gap * (len(images) - 1), max(one.height for one in images)), (5, 8, 13))
    x = 0
    for one in images:
        whole.paste(one, (x, 0))
        x += one.width + gap
    whole.quantize(256).save(target, optimize=True)
    print(target)


if sys.argv[1] == "--beside":
    beside(*sys.argv[2:])
else:
    screen(sys.argv[1], sys.argv[2], *map(int, sys.argv[3].split("x")))

"""Asks, as a guest of one pool, for everything of another one: no answer may be a success or name it."""
import json
import sys
import urllib.error
import urllib.parse
import urllib.request

base, owner, guest = sys.argv[1:]


def ask(token, method, path, body=None):
    request = urllib.request.Request(base + path, method=method, headers={"Authorization": "Bearer " + token})
    if body is not None:
        request.add_header("Content-Type", "application/json")
        request.add_header("If-Match", "*")
        request.data = json.dumps(body).encode()
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


document = json.loads(ask(owner, "GET", "/api/v1/openapi.json")[1])
pools = {pool["name"]: pool for pool in json.loads(ask(owner, "GET", "/api/v1/pools")[1])}
hall = next(pool for name, pool in pools.items() if not name.startswith("Garden") and pool["deviceIDs"])
secrets = [hall["id"], hall["name"], *hall["deviceIDs"], *hall["devices"]]
server = json.loads(ask(owner, "GET", "/api/v1/servers")[1])[0]
secrets.append(server["id"])
subjects = {"pool": hall["id"], "device": hall["deviceIDs"][0], "server": server["id"], "channel": "ntfy"}
# What is asked for behind the `?`, by the names of the parameters in the document.
parameters = {**subjects, "quantity": "ph"}
bodies = {
    "addDose": {"poolID": hall["id"], "product": "dichlor", "amount": 1, "unit": "g"},
    "editPool": {"name": "Mine"},
    "editDevice": {"name": "Mine"},
    "calibrate": {"quantity": "ph", "offset": 0.1},
    "addShare": {"poolID": hall["id"]},
}
faults = 0
for path, methods in document["paths"].items():
    for method, operation in methods.items():
        if operation["operationId"] == "events":
            continue
        names = [part[1:-1] for part in path.split("/") if part.startswith("{")]
        target = path
        for name in names:
            target = target.replace("{" + name + "}", subjects.get(name, "0" * 16))
        name = operation["operationId"]
        known = [one["name"] for one in operation.get("parameters", []) if one["in"] == "query"]
        query = {one: parameters[one] for one in known if one in parameters}
        if query:
            target += "?" + urllib.parse.urlencode(query)
        body = bodies.get(name, {}) if "requestBody" in operation else None
        status, text = ask(guest, method.upper(), target, body)
        asked = target + json.dumps(body)
        isHall = hall["id"] in asked or subjects["device"] in asked
        # A list of which the guest sees nothing is empty.
        if isHall and status < 300 and text != "[]" or any(secret in text for secret in secrets if secret not in asked):
            print(f"a guest of another pool got {status} from {method.upper()} {target}: {text[:300]}")
            faults += 1
        if "servers" in operation["tags"] and status != 403:
            print(f"a guest got {status} from {method.upper()} {target}, which is for owners")
            faults += 1
        if isHall and method == "get" and ask(owner, "GET", target)[0] != 200:
            # Then the refusal of the guest would say nothing.
            print(f"the owner gets no {target}")
            faults += 1
print(f"web-api: a guest of one pool asked for {len(document['paths'])} paths of another, {faults} showed something")
sys.exit(faults > 0)

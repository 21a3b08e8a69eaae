"""Tests of an app in Python against the real User Administration Service."""

import base64
import json
import os
import subprocess
import time
from datetime import datetime, timedelta, timezone

import pytest
import requests

EMULATOR = os.environ.get("USER_ADMIN_EMULATOR", "node_modules/.bin/user-admin-emulator")


# What each test begins with: records in the form of an import.
DIRECTORY = [
    {"permission": {"id": "users.administer", "grants": "administrator"}},
    {"permission": {"id": "content.read", "grants": "member"}},
    {"workspace": {"id": "atlas", "name": "Atlas", "permissions": ["content.read"]}},
    {"user": {"id": "ada", "permissions": ["users.administer"]}},
    {"user": {"id": "cyd", "workspaces": ["atlas"]}},
    {"user": {"id": "dee", "email": "dee@example.com"}},
]


class Emulator:
    def __init__(self, url, token, control, issuer, jwksUri):
        self.url, self.token, self.control = url, token, control
        self.issuer, self.key_set = issuer, jwksUri

    def ask(self, control, **body):
        answer = requests.post(self.control + control, json=body, timeout=30)
        assert answer.ok, answer.text
        return answer.json() if answer.content else None

    def events(self, kind, wait=5):
        asked = {"type": kind, "wait": wait}
        return requests.get(self.control + "/events", params=asked, timeout=30).json()["events"]

    def token_for(self, user, **more):
        return self.ask("/tokens", sub=user, **more)["token"]

    def call(self, method, path, body=None, token=None):
        headers = {"authorization": f"Bearer {token or self.token}"}
        return requests.request(method, self.url + path, json=body, headers=headers, timeout=30)


@pytest.fixture(scope="session")
def emulator():
    # The emulator ends when this pipe is closed, at the latest with the process of the tests.
    process = subprocess.Popen([EMULATOR, "--tokens", "RS256"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    yield Emulator(**json.loads(process.stdout.readline()))
    process.stdin.close()
    assert process.wait(10) == 0


@pytest.fixture
def users(emulator):
    emulator.ask("/reset", directory=DIRECTORY)
    return emulator


def onboard(users, person, workspace):
    """What the app under test does. It tries again while the service is away."""
    body = {"userIds": [person], "workspaces": [workspace], "reason": "Onboarding"}
    for _ in range(3):
        answer = users.call("POST", "/api/users/workspace-assign", body)
        if answer.status_code != 503:
            break
        time.sleep(int(answer.headers["retry-after"]))
    return answer


def test_onboarding_gives_a_place_and_tells_it(users):
    assert onboard(users, "dee", "atlas").status_code == 200
    (event,) = users.events("user.workspaces.assigned")
    assert event["subject"] == "dee"
    assert event["data"]["reason"] == "Onboarding"


def test_a_member_may_not_administer(users):
    answer = users.call("GET", "/api/users", token=users.token_for("cyd"))
    assert answer.status_code == 403
    assert answer.json()["message"] == "Only an administrator can do this."


def test_access_ends_by_itself(users):
    until = datetime.now(timezone.utc) + timedelta(days=30)
    body = {"userIds": ["dee"], "workspaces": ["atlas"], "until": until.isoformat()}
    assert users.call("POST", "/api/users/workspace-assign", body).ok
    users.ask("/clock", advance=31 * 86_400)
    assert users.call("GET", "/api/users/dee/memberships").json()["memberships"] == []


def test_onboarding_survives_an_outage(users):
    users.ask("/fail-next", status=503, times=2, path="/api/users/workspace-assign")
    assert onboard(users, "dee", "atlas").status_code == 200


def test_tokens_are_those_of_production(users):
    provider = requests.get(f"{users.issuer}/.well-known/openid-configuration", timeout=30).json()
    assert provider["jwks_uri"] == users.key_set
    header, claims = (part_of(users.token_for("ada"), index) for index in (0, 1))
    assert header["kid"] in [key["kid"] for key in requests.get(users.key_set, timeout=30).json()["keys"]]
    assert claims["iss"] == users.issuer
    expired = users.token_for("ada", expiresIn=-60)
    assert users.call("GET", "/api/me", token=expired).status_code == 401


def test_a_suspended_person_is_refused_at_once(users):
    token = users.token_for("cyd")
    assert users.call("GET", "/api/me", token=token).json()["user"]["type"] == "member"
    body = {"userIds": ["cyd"], "status": "inactive", "reason": "On leave"}
    assert users.call("POST", "/api/users/status-assign", body).ok
    assert users.call("GET", "/api/me", token=token).status_code == 401


def part_of(token, index):
    part = token.split(".")[index]
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))

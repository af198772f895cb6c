"""A headless Chromium for the tests of pages, driven over the DevTools protocol."""
import base64
import io
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import urllib.request

from command import PATIENCE


def missing():
    """What is not installed of chromium, websocket and PIL, or None."""
    if not shutil.which("chromium"):
        return "chromium"
    for package, module in (("python3-websocket", "websocket"), ("python3-pil", "PIL")):
        try:
            __import__(module)
        except ImportError:
            return package
    return None


class Chromium:
    """One page in a browser of its own; WebGL is computed in software (SwiftShader)."""

    def __init__(self, width=1000, height=700, seconds=PATIENCE):
        import websocket
        self.profile = tempfile.mkdtemp(prefix="pluvia-chromium-")
        self.process = subprocess.Popen(
            ["chromium", "--headless=new", "--no-sandbox", "--use-gl=angle",
             "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--no-first-run",
             "--disable-dev-shm-usage", "--remote-debugging-port=0", "--remote-allow-origins=*",
             f"--user-data-dir={self.profile}", f"--window-size={width},{height}", "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        self.count = 0
        self.errors = []  # what the page wrote to its console as an error, and exceptions
        port = self.wait_for_port(seconds)
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/json") as answer:
            page = next(p for p in json.load(answer) if p["type"] == "page")
        self.socket = websocket.create_connection(page["webSocketDebuggerUrl"], timeout=seconds,
                                                  suppress_origin=True)
        for domain in ("Page", "Runtime", "DOM"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)

    def wait_for_port(self, seconds):
        file = pathlib.Path(self.profile, "DevToolsActivePort")
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.process.poll() is None:
            if file.exists() and "\n" in file.read_text():
                return int(file.read_text().split()[0])
            time.sleep(0.1)
        raise RuntimeError("chromium does not start")

    def close(self):
        self.process.terminate()
        try:
            self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, 9)  # start_new_session: a group of its own
        shutil.rmtree(self.profile, ignore_errors=True)

    def call(self, method, **params):
        self.count += 1
        self.socket.send(json.dumps({"id": self.count, "method": method, "params": params}))
        while True:
            message = json.loads(self.socket.recv())
            if message.get("method") == "Runtime.exceptionThrown":
                self.errors.append(message["params"]["exceptionDetails"])
            if message.get("method") == "Runtime.consoleAPICalled" and \
                    message["params"]["type"] == "error":
                self.errors.append(message["params"]["args"])
            if message.get("id") == self.count:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]

    def open(self, address):
        self.call("Page.navigate", url=address)

    def run(self, script):
        """The value of an expression in the page; a promise is waited for."""
        found = self.call("Runtime.evaluate", expression=script, returnByValue=True,
                          awaitPromise=True, userGesture=True)
        if "exceptionDetails" in found:
            raise RuntimeError(f"{script}: {found['exceptionDetails']}")
        return found["result"].get("value")

    def wait(self, condition, seconds=PATIENCE):
        """Until the expression `condition` is true in the page."""
        end = time.monotonic() + seconds
        while not self.run(f"Boolean({condition})"):
            if time.monotonic() > end:
                raise TimeoutError(f"{condition} does not come true; errors: {self.errors}")
            time.sleep(0.05)

    def choose_file(self, selector, path):
        root = self.call("DOM.getDocument")["root"]["nodeId"]
        node = self.call("DOM.querySelector", nodeId=root, selector=selector)["nodeId"]
        self.call("DOM.setFileInputFiles", nodeId=node, files=[os.path.abspath(path)])

    def key(self, key, code, text=""):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=code,
                      **({"text": text} if text and kind == "keyDown" else {}))

    def click(self, x, y):
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def picture(self):
        """What is on the screen, as a PIL image."""
        from PIL import Image
        data = base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])
        return Image.open(io.BytesIO(data)).convert("RGB")

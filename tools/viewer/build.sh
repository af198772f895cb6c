#!/usr/bin/env bash
# Makes dist/index.html from src/ with the packages of package-lock.json. Needs node 18, npm and the
# network for the first time.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
[[ -d node_modules ]] && npm ls >/dev/null 2>&1 || npm ci --no-fund --no-audit
node build.mjs

#!/usr/bin/env bash
# serve.sh [FILE.h5md]: opens the viewer in the browser, with FILE, at http://127.0.0.1:8765 (or
# PORT=...). Only this computer can see it. Ctrl-C ends it.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
port=${PORT:-8765}
address=http://127.0.0.1:$port/

if (($# > 1)) || [[ ${1-} == -* ]]; then
    echo "usage: serve.sh [FILE.h5md]" >&2
    exit 2
fi
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
ln -s "$here/dist/index.html" "$folder/index.html"
if (($# == 1)); then
    [[ -r $1 ]] || { echo "serve.sh: cannot read $1" >&2; exit 2; }
    mkdir "$folder/data"
    ln -s "$(realpath "$1")" "$folder/data/"
    name=$(python3 -c 'import os, sys, urllib.parse as u
print(u.quote_plus(u.quote(os.path.basename(os.path.realpath(sys.argv[1])))))' "$1")
    address+="?file=data/$name"
fi
echo "$address (Ctrl-C ends it)"
(sleep 1; [[ -n ${NO_BROWSER-} ]] || python3 -m webbrowser "$address" >/dev/null 2>&1 || true) &
python3 -m http.server "$port" --bind 127.0.0.1 --directory "$folder" 2>/dev/null

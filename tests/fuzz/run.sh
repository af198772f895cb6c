#!/usr/bin/env bash
# run.sh SEEDS FUZZER KIND SECONDS: fuzzes over a fresh corpus that SEEDS writes. What breaks it stays
# in the folder where this was called.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$1" "$folder"
"$2" -max_total_time="$4" -timeout=100 -max_len=8192 -print_final_stats=1 "$folder/$3"

#!/usr/bin/env bash
# Runs three ranks of which one ends before a reduction of all. The launcher must end, too, with an error.
# usage: dead_rank.sh LAUNCHER... PROGRAM HOW...
set -uo pipefail

# What hangs does so forever: long enough for a busy machine.
timeout -k 10 120 "$@"
status=$?
echo "the launcher ended with $status"
((status != 0 && status != 124 && status != 137))

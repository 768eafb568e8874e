#!/usr/bin/env bash
# Gradescope runs this once, when it builds the image: the course, with a torch for CPUs, and the sandbox's library.
set -euo pipefail
apt-get update -qq
apt-get install -y -qq --no-install-recommends python3 python3-venv python3-dev gcc libseccomp2
python3 -m venv /autograder/venv
/autograder/venv/bin/pip install -q torch --index-url https://download.pytorch.org/whl/cpu
/autograder/venv/bin/pip install -q -e /autograder/source

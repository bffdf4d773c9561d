#!/usr/bin/env bash
# Installs the browser for test/browser (Debian; as root). Without it, those tests are skipped by name.
set -euo pipefail
command -v chromium >/dev/null && exit 0
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium

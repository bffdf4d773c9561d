#!/usr/bin/env bash
# Installs the browser that test/browser drives (Debian; as root). Tests that need it are skipped by name without it.
set -euo pipefail
command -v chromium >/dev/null && exit 0
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium

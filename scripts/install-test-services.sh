#!/usr/bin/env bash
# Installs programs that some tests of the service need (Debian; as root). Tests whose program is missing are skipped by
# name.
set -euo pipefail
missing=0
for program in redis-server ipfs_cid promtool sqlite3 rclone; do command -v "$program" >/dev/null || missing=1; done
[ "$missing" = 0 ] && [ -x /usr/sbin/nginx ] && exit 0
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends redis-server ipfs-cid prometheus sqlite3 rclone nginx

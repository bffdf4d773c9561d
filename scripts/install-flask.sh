#!/usr/bin/env bash
# Downloads MetaMask's own release of MetaMask Flask for test/metamask, checks it against the digest that GitHub publishes
# with the release, and unpacks it. Prints the folder, for METAMASK_DIR:
#
#   METAMASK_DIR=$(scripts/install-flask.sh) npm run test:metamask
#
# FLASK_VERSION, such as 13.36.0, selects another of the last 30 releases. FLASK_SHA256 is the digest to expect instead of
# GitHub's, and FLASK_CACHE another folder to keep it in.
set -euo pipefail
cd "$(dirname "$0")/.."

releases='https://api.github.com/repos/MetaMask/metamask-extension/releases?per_page=30'
cache=${FLASK_CACHE:-$PWD/node_modules/.cache/metamask-flask}
mkdir -p "$cache"

release=$cache/release.json
curl -sSfL --retry 3 -H 'Accept: application/vnd.github+json' "$releases" -o "$release"
# The newest release with Flask for Chromium, or the one of FLASK_VERSION: its name, URL and digest.
asset=$(node -e '
  const [file, version = "[\\d.]+"] = process.argv.slice(1).filter((text) => text !== "");
  const wanted = new RegExp(`^metamask-flask-chrome-${version}-flask\\.\\d+\\.zip$`, "u");
  const assets = JSON.parse(require("node:fs").readFileSync(file, "utf8")).flatMap(({ assets }) => assets);
  const found = assets.find(({ name }) => wanted.test(name));
  if (found === undefined) {
    console.error("None of the last 30 releases of MetaMask has this version of Flask for Chromium.");
    process.exit(1);
  }
  console.log(found.name, found.browser_download_url, String(found.digest).replace(/^sha256:/u, ""));
' "$release" "${FLASK_VERSION:-}")
read -r name url digest <<<"$asset"

expected=${FLASK_SHA256:-$digest}
if [[ ! "$expected" =~ ^[0-9a-f]{64}$ ]]; then
  echo "GitHub publishes no SHA-256 digest of $name. Set FLASK_SHA256 to the digest that you trust." >&2
  exit 1
fi

archive=$cache/$name
folder=$cache/${name%.zip}
is_genuine() { echo "$expected  $archive" | sha256sum --check --status 2>/dev/null; }
if ! is_genuine; then
  curl -sSfL --retry 3 "$url" -o "$archive"
  if ! is_genuine; then
    rm -f "$archive"
    echo "$name does not have the SHA-256 digest $expected." >&2
    exit 1
  fi
fi

# Python is on every runner; unzip is not.
rm -rf "$folder"
python3 -m zipfile -e "$archive" "$folder"
echo "$folder"

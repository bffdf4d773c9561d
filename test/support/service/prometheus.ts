import { spawnSync } from 'node:child_process';

/** Why tests with Prometheus are skipped, or undefined if they run. */
export const noPrometheus =
  spawnSync('promtool', ['--version']).status === 0
    ? undefined
    : 'skipped: prometheus is not installed, see scripts/install-test-services.sh';

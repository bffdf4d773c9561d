import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { dump, load } from 'js-yaml';

import { writeFile } from '../../support/service/folder';
import { noPrometheus } from '../../support/service/prometheus';

const GRAFANA = resolve(__dirname, '../../../deploy/grafana');
const RULES = join(GRAFANA, 'alerts.yaml');

type Rule = { alert: string; labels: { severity: string }; annotations: { summary: string } };
const rules = (load(readFileSync(RULES, 'utf8')) as { groups: [{ rules: Rule[] }] }).groups[0].rules;

const INSTANCE = 'instance="a:9090",job="keystead"';
/** Minutes before and after a fault begins. A minute has one sample, and one request. */
const [BEFORE, AFTER] = [60, 60];
const ALL = BEFORE + AFTER;

/** A site with one request a minute on which all is well: values as promtool writes them. */
const well = {
  [`up{${INSTANCE}}`]: `1x${ALL}`,
  [`process_start_time_seconds{${INSTANCE}}`]: `1000x${ALL}`,
  [`keystead_ready{part="chain",${INSTANCE}}`]: `1x${ALL}`,
  [`keystead_ready{part="storage",${INSTANCE}}`]: `1x${ALL}`,
  [`keystead_dependency_up{dependency="redis",use="keys",${INSTANCE}}`]: `1x${ALL}`,
  [`keystead_rpc_requests_total{network="mainnet",outcome="ok",${INSTANCE}}`]: `0+1x${ALL}`,
  [`keystead_rpc_requests_total{network="mainnet",outcome="-32603",${INSTANCE}}`]: `0x${ALL}`,
  [`keystead_rpc_request_seconds_bucket{network="mainnet",le="0.1",${INSTANCE}}`]: `0+1x${ALL}`,
  [`keystead_rpc_request_seconds_bucket{network="mainnet",le="5",${INSTANCE}}`]: `0+1x${ALL}`,
  [`keystead_rpc_request_seconds_bucket{network="mainnet",le="+Inf",${INSTANCE}}`]: `0+1x${ALL}`,
  [`keystead_rpc_upstream_seconds_count{network="mainnet",target="upstream",outcome="ok",${INSTANCE}}`]: `0+1x${ALL}`,
  [`keystead_rpc_upstream_seconds_count{network="mainnet",target="upstream",outcome="timeout",${INSTANCE}}`]: `0x${ALL}`,
  [`keystead_rpc_node_up{network="mainnet",node="one",${INSTANCE}}`]: `1x${ALL}`,
  [`keystead_rpc_node_up{network="mainnet",node="two",${INSTANCE}}`]: `1x${ALL}`,
  [`keystead_rpc_node_head_block{network="mainnet",node="one",${INSTANCE}}`]: `1000+5x${ALL}`,
  [`keystead_rpc_node_head_block{network="mainnet",node="two",${INSTANCE}}`]: `999+5x${ALL}`,
  [`keystead_rpc_refused_total{reason="401",${INSTANCE}}`]: `0x${ALL}`,
  [`keystead_rpc_refused_total{reason="429",${INSTANCE}}`]: `0x${ALL}`,
  [`keystead_rpc_refused_total{reason="503",${INSTANCE}}`]: `0x${ALL}`,
  [`keystead_storage_requests_total{listener="api",status="200",${INSTANCE}}`]: `0+1x${ALL}`,
  [`keystead_storage_errors_total{listener="api",kind="internal",${INSTANCE}}`]: `0x${ALL}`,
  [`keystead_storage_collections_total{outcome="failed",${INSTANCE}}`]: `0x${ALL}`,
  [`keystead_disk_available_bytes{${INSTANCE}}`]: `50x${ALL}`,
  [`keystead_disk_size_bytes{${INSTANCE}}`]: `100x${ALL}`,
};

/** A busy site on which a few requests fail, as some always do. */
const busy = {
  ...well,
  [`keystead_rpc_requests_total{network="mainnet",outcome="ok",${INSTANCE}}`]: `0+60000x${ALL}`,
  [`keystead_rpc_requests_total{network="mainnet",outcome="-32603",${INSTANCE}}`]: `0+600x${ALL}`,
  [`keystead_rpc_upstream_seconds_count{network="mainnet",target="upstream",outcome="ok",${INSTANCE}}`]: `0+60000x${ALL}`,
  [`keystead_rpc_upstream_seconds_count{network="mainnet",target="upstream",outcome="timeout",${INSTANCE}}`]: `0+600x${ALL}`,
  [`keystead_rpc_refused_total{reason="401",${INSTANCE}}`]: `0+1200x${ALL}`,
  [`keystead_rpc_refused_total{reason="429",${INSTANCE}}`]: `0+1200x${ALL}`,
  [`keystead_rpc_refused_total{reason="503",${INSTANCE}}`]: `0+60x${ALL}`,
  [`keystead_storage_requests_total{listener="api",status="200",${INSTANCE}}`]: `0+6000x${ALL}`,
  [`keystead_storage_errors_total{listener="api",kind="internal",${INSTANCE}}`]: `0+60x${ALL}`,
};

/** A small site on which one request of each kind fails, and one request a day is turned away. */
const onceFailed = {
  ...well,
  [`keystead_rpc_requests_total{network="mainnet",outcome="-32603",${INSTANCE}}`]: `0x${BEFORE} 1x${AFTER}`,
  [`keystead_rpc_refused_total{reason="401",${INSTANCE}}`]: `0x${BEFORE} 1x${AFTER}`,
  [`keystead_rpc_refused_total{reason="429",${INSTANCE}}`]: `0x${BEFORE} 1x${AFTER}`,
  [`keystead_rpc_refused_total{reason="503",${INSTANCE}}`]: `0x${BEFORE} 1x${AFTER}`,
  [`keystead_storage_errors_total{listener="api",kind="internal",${INSTANCE}}`]: `0x${BEFORE} 1x${AFTER}`,
  [`keystead_rpc_node_up{network="mainnet",node="two",${INSTANCE}}`]: `1x${BEFORE} 0 0 1x${AFTER - 2}`,
};

const starts = `0x${BEFORE} 1+1x${AFTER}`;
const becomes = (before: number, after: number) => `${before}x${BEFORE} ${after}x${AFTER}`;
const ends = (each: number) => `0+${each}x${BEFORE} ${each * BEFORE}x${AFTER}`;
const here = { instance: 'a:9090' };
const job = { ...here, job: 'keystead' };
const ok = `keystead_rpc_requests_total{network="mainnet",outcome="ok",${INSTANCE}}`;

/** What rings each rule: the series that differ from those of the small site, and the labels of the alert. */
const faults: Record<string, [series: Record<string, string>, labels: Record<string, string>]> = {
  KeysteadDown: [{ [`up{${INSTANCE}}`]: becomes(1, 0) }, job],
  KeysteadAbsent: [{ [`up{${INSTANCE}}`]: `1x${BEFORE} _x${AFTER}` }, { job: 'keystead' }],
  KeysteadNotReady: [{ [`keystead_ready{part="storage",${INSTANCE}}`]: becomes(1, 0) }, { ...job, part: 'storage' }],
  KeysteadDependencyDown: [
    { [`keystead_dependency_up{dependency="redis",use="keys",${INSTANCE}}`]: becomes(1, 0) },
    { ...job, dependency: 'redis', use: 'keys' },
  ],
  KeysteadRestarts: [
    {
      [`process_start_time_seconds{${INSTANCE}}`]: `1000x${BEFORE} ${Array.from({ length: 30 }, (_, i) => 2000 + i).join(' ')}`,
    },
    job,
  ],
  KeysteadErrors: [
    {
      [ok]: ends(1),
      [`keystead_rpc_requests_total{network="mainnet",outcome="-32603",${INSTANCE}}`]: starts,
    },
    { network: 'mainnet' },
  ],
  KeysteadSlow: [
    { [`keystead_rpc_request_seconds_bucket{network="mainnet",le="0.1",${INSTANCE}}`]: ends(1) },
    { network: 'mainnet' },
  ],
  KeysteadUpstreamFailing: [
    {
      [`keystead_rpc_upstream_seconds_count{network="mainnet",target="upstream",outcome="timeout",${INSTANCE}}`]:
        starts,
    },
    { network: 'mainnet', target: 'upstream' },
  ],
  KeysteadNetworkDown: [
    {
      [`keystead_rpc_node_up{network="mainnet",node="one",${INSTANCE}}`]: becomes(1, 0),
      [`keystead_rpc_node_up{network="mainnet",node="two",${INSTANCE}}`]: becomes(1, 0),
    },
    { network: 'mainnet' },
  ],
  KeysteadNodeDown: [
    { [`keystead_rpc_node_up{network="mainnet",node="two",${INSTANCE}}`]: becomes(1, 0) },
    { network: 'mainnet', node: 'two' },
  ],
  KeysteadNodeLags: [
    { [`keystead_rpc_node_head_block{network="mainnet",node="two",${INSTANCE}}`]: `999+5x${BEFORE} 1299x${AFTER}` },
    { network: 'mainnet', node: 'two' },
  ],
  KeysteadUnavailable: [{ [ok]: ends(1), [`keystead_rpc_refused_total{reason="503",${INSTANCE}}`]: starts }, here],
  KeysteadTurnsAway: [
    { [ok]: ends(1), [`keystead_rpc_refused_total{reason="401",${INSTANCE}}`]: starts },
    { ...here, reason: '401' },
  ],
  KeysteadLimits: [{ [`keystead_rpc_refused_total{reason="429",${INSTANCE}}`]: starts }, here],
  KeysteadStorageFails: [
    { [`keystead_storage_errors_total{listener="api",kind="internal",${INSTANCE}}`]: starts },
    here,
  ],
  KeysteadCollectionFails: [
    { [`keystead_storage_collections_total{outcome="failed",${INSTANCE}}`]: becomes(0, 1) },
    { ...job, outcome: 'failed' },
  ],
  KeysteadDiskFills: [{ [`keystead_disk_available_bytes{${INSTANCE}}`]: becomes(50, 5) }, job],
};

const inputOf = (series: Record<string, string>) =>
  Object.entries(series).map(([name, values]) => ({ series: name, values }));

/** What a rule says about these labels. */
function alertOf({ labels: { severity }, annotations }: Rule, labels: Record<string, string>) {
  const summary = annotations.summary.replace(/\{\{ \$labels\.(\w+) \}\}/gu, (_, name: string) => labels[name] ?? '');
  return { exp_labels: { ...labels, severity }, exp_annotations: { summary } };
}

type Case = {
  series: Record<string, string>;
  expected: { minute: number; rule: Rule; labels?: Record<string, string> }[];
};

/** Runs the rules over series, as Prometheus does. @returns What is wrong; empty if all is as expected. */
function check(cases: readonly Case[]): string {
  const tests = cases.map(({ series, expected }) => ({
    interval: '1m',
    input_series: inputOf(series),
    alert_rule_test: expected.map(({ minute, rule, labels }) => ({
      eval_time: `${minute}m`,
      alertname: rule.alert,
      exp_alerts: labels === undefined ? [] : [alertOf(rule, labels)],
    })),
  }));
  const file = writeFile('alerts.test.yaml', dump({ rule_files: [RULES], evaluation_interval: '1m', tests }));
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' });
  return status === 0 ? '' : `${stdout}${stderr}`;
}

const maybe = noPrometheus === undefined ? describe : describe.skip;

maybe(`the alert rules in Prometheus${noPrometheus === undefined ? '' : ` (${noPrometheus})`}`, () => {
  it('has a fault for each rule', () => {
    expect(Object.keys(faults).sort()).toEqual(rules.map(({ alert }) => alert).sort());
  });

  it.each([
    ['a small site on which all is well', well],
    ['a busy site on which a few requests fail', busy],
    ['a small site on which one request of each kind fails', onceFailed],
  ])('are silent on %s', (_name, series) => {
    const minutes = [5, 30, BEFORE + 2, BEFORE + 6, BEFORE + 12, BEFORE + 20, ALL - 5];
    expect(check([{ series, expected: minutes.flatMap((minute) => rules.map((rule) => ({ minute, rule }))) }])).toBe(
      '',
    );
  });

  it.each(rules.map((rule) => [rule.alert, rule] as const))('%s rings, once there is a reason', (alert, rule) => {
    const [fault, labels] = faults[alert] as (typeof faults)[string];
    const expected = [
      { minute: BEFORE - 1, rule },
      { minute: BEFORE + 25, rule, labels },
    ];
    expect(check([{ series: { ...well, ...fault }, expected }])).toBe('');
  });

  it('the scrape configuration is valid, and names the job of the rules', () => {
    const file = join(GRAFANA, 'prometheus.yml');
    const checked = spawnSync('promtool', ['check', 'config', file], { encoding: 'utf8' });
    expect({ status: checked.status, stderr: checked.stderr }).toMatchObject({ status: 0 });
    const { scrape_configs: jobs } = load(readFileSync(file, 'utf8')) as { scrape_configs: { job_name: string }[] };
    expect(jobs.map(({ job_name: name }) => name)).toEqual(['keystead']);
    for (const [, name] of readFileSync(RULES, 'utf8').matchAll(/job="([^"]*)"/gu)) expect(name).toBe('keystead');
  });
});

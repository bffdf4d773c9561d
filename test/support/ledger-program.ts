import { existsSync, readFileSync } from 'node:fs';
import { argv, stdout } from 'node:process';

import { ledgerSource } from '../../src/clients/ledger-node';
import { NodeClient } from '../../src/clients/node';
import { type Hex } from '../../src/core/eth/bytes';
import { candidatesIn, lastSpent } from '../../src/core/ledger/candidates';
import { historyOf } from '../../src/core/ledger/history';
import { holdingCandidates, usedTokens } from '../../src/core/ledger/holdings';
import { unpackLogs } from '../../src/core/ledger/packed-logs';
import { scan, type ScanProgress } from '../../src/core/ledger/scan';

/** Makes the whole ledger of an account from a node, in a process of its own: `ledger-program.mjs <url> <account>`. */

/**
 * The most memory that this process had, in kB. Linux counts what the parent had when it started this one in `maxRSS`,
 * too, so its own mark is read there.
 */
function peakMemory(): number {
  const status = '/proc/self/status';
  const own = existsSync(status) ? /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(status, 'utf8')) : null;
  return own === null ? process.resourceUsage().maxRSS : Number(own[1]);
}

const [, , url = '', address = '0x'] = argv;
const account = address as Hex;
let last: ScanProgress | undefined;
for await (const progress of scan(account, ledgerSource(new NodeClient({ url, timeout: 120_000 })))) last = progress;
const state = last?.state();
if (state === undefined) throw new Error('a scan reports its progress');
const logs = unpackLogs(state.logs);
const history = historyOf(logs, account, usedTokens(logs, account));
const made = {
  found: last?.found,
  refusal: last?.refusal,
  searched: state.searched.map(({ from, to }) => `${from} to ${to}`),
  history: [history.length, Number(history[0]?.block)],
  permissions: candidatesIn(logs, account).length,
  holdings: holdingCandidates(logs, account).length,
  spent: lastSpent(logs, account).size,
};
const { userCPUTime, systemCPUTime } = process.resourceUsage();
stdout.write(JSON.stringify({ ...made, kilobytes: peakMemory(), seconds: (userCPUTime + systemCPUTime) / 1e6 }));

/** @jest-environment ./test/environments/node.mjs */
import { type Json } from '@metamask/snaps-sdk';
import { toHex } from 'viem';

import { ME } from '../support/explaining';
import { alarmsOf, elsewhere, mutantsOf, type Payload, registryPayloads, says } from '../support/mutation-exam';
import { perRun } from '../support/nightly';
import { openPart } from '../support/open-part';
import { SnapInProcess } from '../support/wallet/in-process';
import { WalletDouble } from '../support/wallet/wallet-double';

const SITE = 'https://dapp.example';

/** The built snap on the wallet double: in the Snaps runtime, thousands of insights take four times as long. */
const snap = new SnapInProcess(new WalletDouble(), 'built');

/** The open part of the insight into a request; undefined if there is none. */
async function screenOf(payload: Payload): Promise<string[] | undefined> {
  const insight =
    'typed' in payload
      ? await snap.insight('onSignature', {
          signature: { from: ME, data: payload.typed as never, signatureMethod: 'eth_signTypedData_v4' },
          signatureOrigin: SITE,
        })
      : await snap.insight('onTransaction', {
          transaction: {
            from: ME,
            to: payload.to,
            value: toHex(payload.value),
            data: payload.data,
            gas: '0x186a0',
            nonce: '0x0',
            maxFeePerGas: '0x77359400',
            maxPriorityFeePerGas: '0x3b9aca00',
          },
          chainId: `eip155:${payload.chainId}`,
          transactionOrigin: SITE,
        });
  return insight === null ? undefined : openPart((insight as { content: Json }).content);
}

type Count = { said: number; all: number };
type Result = {
  readonly address: Count;
  readonly amount: Count;
  /** Changed nonces and salts that raise nothing new. */
  readonly bookkeeping: Count;
  /** The same by protocol, which names begin with. */
  readonly protocols: Map<string, { readonly address: Count; readonly amount: Count }>;
  readonly missed: string[];
  readonly letters: number[];
  readonly alarmed: string[];
};

async function examine(payloads: readonly Payload[]): Promise<Result> {
  const count = (): Count => ({ said: 0, all: 0 });
  const result: Result = {
    address: count(),
    amount: count(),
    bookkeeping: count(),
    protocols: new Map(),
    missed: [],
    letters: [],
    alarmed: [],
  };
  for (const payload of payloads) {
    const before = (await screenOf(payload)) ?? [];
    result.letters.push(before.join('').length);
    if (alarmsOf(before).size > 0) result.alarmed.push(payload.name);
    const protocol = /^[^./ ]+/u.exec(payload.name)?.[0] ?? '';
    const counts = result.protocols.get(protocol) ?? { address: count(), amount: count() };
    result.protocols.set(protocol, counts);
    for (const mutant of mutantsOf(payload)) {
      const rows = (await screenOf(mutant.payload)) ?? [];
      const isSaid =
        mutant.kind === 'bookkeeping'
          ? [...alarmsOf(rows)].every((alarm) => alarmsOf(before).has(alarm))
          : says(mutant, rows, before);
      const both = mutant.kind === 'bookkeeping' ? [] : [counts[mutant.kind]];
      for (const one of [result[mutant.kind], ...both]) {
        one.all++;
        if (isSaid) one.said++;
      }
      if (!isSaid) result.missed.push(`${payload.name}: ${mutant.kind} at ${mutant.at}`);
    }
  }
  return result;
}

/** A table of the shares by protocol, for the docs (`MUTATIONS_TABLE=1`). */
const tableOf = ({ protocols }: Result): string =>
  [...protocols]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([name, { address, amount }]) => {
      const cell = ({ said, all }: Count): string => (all === 0 ? '-' : `${said} of ${all}`);
      return `| ${name} | ${cell(address)} | ${cell(amount)} |`;
    })
    .join('\n');

const percent = ({ said, all }: Count): number => (100 * said) / all;
const shown = (count: Count): string => `${count.said} of ${count.all} (${percent(count).toFixed(1)} %)`;

function report(what: string, result: Result) {
  const { address, amount, bookkeeping, missed, letters, alarmed } = result;
  const sorted = [...letters].sort((a, b) => a - b);
  const [median = 0, most = 0] = [sorted[sorted.length >> 1], sorted[Math.floor(sorted.length * 0.95)]];
  process.stdout.write(
    `${what}: ${letters.length} requests, addresses said ${shown(address)}, amounts ${shown(amount)}; ${alarmed.length} alarm; letters ${median} (median), ${most} (95th percentile)\n`,
  );
  if (process.env['MUTATIONS_TABLE'] !== undefined) process.stdout.write(`${tableOf(result)}\n`);
  if (process.env['MUTATIONS_MISSED'] !== undefined)
    process.stdout.write(`${missed.join('\n')}\n${alarmed.join('\n')}\n`);
  return {
    addresses: percent(address),
    amounts: percent(amount),
    calm: bookkeeping.all - bookkeeping.said,
    alarms: alarmed.length / letters.length,
    median,
    most,
  };
}

function assertSaid(what: string, result: Result): ReturnType<typeof report> {
  const reported = report(what, result);
  const { addresses, amounts, calm } = reported;
  expect(addresses).toBeGreaterThanOrEqual(97);
  expect(amounts).toBeGreaterThanOrEqual(98);
  expect(calm).toBe(0);
  return reported;
}

/** Every so many payloads are examined; all in the nightly run. */
const STEP = perRun(3, 1);

describe('whoever changes one signed value in a request of the registry changes the open part of the screen', () => {
  it('as they are, and calm', async () => {
    const result = await examine(registryPayloads().filter((_, at) => at % STEP === 0));
    const { alarms, median, most } = assertSaid('as they are', result);
    expect(alarms).toBeLessThanOrEqual(0.1);
    expect(median).toBeLessThanOrEqual(500);
    expect(most).toBeLessThanOrEqual(1000);
  });

  it('from a contract that nobody knows', async () => {
    const moved = registryPayloads().map(elsewhere);
    assertSaid('from unknown contracts', await examine(moved.filter((_, at) => at % STEP === 0)));
  });
});

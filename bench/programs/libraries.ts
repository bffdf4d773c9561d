import { fromHex, type Hex, toHex } from '../../src/core/eth/bytes';
import { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';
import { personalMessageDigest } from '../../src/core/eth/message';
import { publicKeyOf, signDigest, type Signature } from '../../src/core/eth/secp256k1';
import { addressOfPublicKey } from '../../src/core/eth/checksum';
import { transactionDigest } from '../../src/core/eth/transaction';
import { typedDataDigest } from '../../src/core/eth/typed-data';
import { toTransaction } from '../../src/core/schemas/transaction';
import { KEY, listOf, MESSAGE, permit, transaction } from '../payloads';
import { endSteps, step } from '../progress';
import { summary, type Summary } from '../report/statistics';
import { roundOrders } from '../runtime/order';
import { finish, input } from './answer';
import { type Job, type Signer, signers } from './signers.mjs';

const JOBS: readonly Job[] = ['digest', 'message', 'permit', 'list', 'transaction'];
const OURS = 'keystead';

const { rounds, milliseconds, seed } = input<{ rounds: number; milliseconds: number; seed: number }>();
const privateKey = fromHex(`0x${KEY}`);
const address = addressOfPublicKey(publicKeyOf(privateKey));
const digest = keccak256(fromHex(MESSAGE as Hex));
const [typed, list, tx] = [permit(address), listOf(1000), transaction(address)];

const written = ({ r, s, yParity }: Signature): string => `${toHex(r).slice(2)}${toHex(s).slice(2)}0${yParity}`;
const signed = (bytes: Uint8Array): string => written(signDigest(bytes, privateKey));
/** Our pure modules: the code that the snap runs between validating a request and verifying the signature. */
const ours: Signer = {
  digest: () => signed(digest),
  message: () => signed(personalMessageDigest(fromHex(MESSAGE as Hex))),
  permit: () => signed(typedDataDigest(typed)),
  list: () => signed(typedDataDigest(list)),
  transaction: () => signed(transactionDigest(toTransaction(tx as Parameters<typeof toTransaction>[0]))),
};

const all: Record<string, Signer> = {
  [OURS]: ours,
  ...signers({ key: KEY, digest, message: MESSAGE, permit: typed, list, tx }),
};

/** A library that signs differently is not measured, since its work would differ. */
async function agreeing(job: Job): Promise<Record<string, NonNullable<Signer[Job]>>> {
  const expected = await ours[job]?.();
  const found: Record<string, NonNullable<Signer[Job]>> = {};
  for (const [name, signer] of Object.entries(all)) {
    const work = signer[job];
    if (work === undefined) continue;
    const made = await Promise.resolve()
      .then(work)
      .catch(() => 'refused');
    if (made === expected) found[name] = work;
    else left.push(`${name}: ${job} ${made === 'refused' ? 'refused' : 'differs'}`);
  }
  return found;
}

/** Signatures per second of processor time, over some milliseconds. */
async function rate(work: NonNullable<Signer[Job]>): Promise<number> {
  const start = process.cpuUsage();
  let [done, spent] = [0, 0];
  while (spent < milliseconds * 1000) {
    await work();
    done++;
    const { user, system } = process.cpuUsage(start);
    spent = user + system;
  }
  return (done * 1e6) / spent;
}

const left: string[] = [];
const rates: Record<string, Record<string, Summary>> = {};
for (const [at, job] of JOBS.entries()) {
  step(job, [at, JOBS.length]);
  const contestants = await agreeing(job);
  const measured: Record<string, number[]> = {};
  const orderOf = roundOrders(Object.keys(contestants), seed);
  // The first round warms up and does not count.
  for (let round = 0; round <= rounds; round++) {
    for (const name of orderOf(round)) {
      const work = contestants[name];
      if (work === undefined) continue;
      const each = await rate(work);
      if (round > 0) (measured[name] ??= []).push(each);
    }
  }
  for (const name of Object.keys(contestants)) (rates[name] ??= {})[job] = summary(measured[name] ?? []);
}

/**
 * The rate of each of our jobs relative to a bare signature, each measured right after the other, since the machine's
 * speed drifts within minutes.
 */
const shares: Record<string, Summary> = {};
for (const [at, job] of JOBS.entries()) {
  step(`${job}, beside a bare signature`, [at, JOBS.length]);
  const [bare, work] = [ours.digest, ours[job]];
  if (bare === undefined || work === undefined) continue;
  const measured: number[] = [];
  for (let round = -1; round < 2 * rounds; round++) {
    const alone = await rate(bare);
    const share = (await rate(work)) / alone;
    if (round >= 0) measured.push(share);
  }
  shares[job] = summary(measured);
}

const hashes: Record<string, Summary> = {};
for (const size of [32, 192, 100_000]) {
  const bytes = new Uint8Array(size).fill(7);
  const measured: number[] = [];
  for (let round = 0; round < rounds; round++) measured.push(await rate(() => String(keccak256(bytes)[0])));
  hashes[size] = summary(measured);
}
endSteps();
finish({ version: process.versions.node, rates, shares, left, hashes });

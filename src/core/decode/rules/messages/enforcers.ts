import { type Hex } from '../../../eth/bytes';
import { type Asset } from '../../effects/outcome';
import { type Line } from '../../explanation';
import { rowAmount } from '../../words/amounts';
import { text } from '../../words/lines';
import { namedAddress } from '../../words/names';
import { addressOf, digitsOf, type Struct, type TypedScene } from './rule';

/** What may be taken of an asset. */
export type Spending = {
  readonly asset: Asset;
  /** The most at once, or in each period, or each second. */
  readonly amount: bigint;
  /** In seconds. It may be taken again in each. */
  readonly period?: bigint;
  readonly start?: bigint;
  /** What may be taken at the start, and in all, of a stream. */
  readonly stream?: { readonly initial: bigint; readonly most: bigint };
};

/** What one caveat says. All of them hold. */
export type Limit = {
  readonly spending?: Spending;
  /** Calls have no data, or send no coins, or only take back approvals. */
  readonly closes?: 'data' | 'coins' | 'all';
  readonly after?: bigint;
  readonly before?: bigint;
  readonly redeemers?: readonly Hex[];
  readonly lines?: readonly Line[];
};

const WORD = 64;
const ADDRESS = 40;

/** So many numbers. */
type Numbers = {
  readonly 1: readonly [bigint];
  readonly 3: readonly [bigint, bigint, bigint];
  readonly 4: readonly [bigint, bigint, bigint, bigint];
};

/** Numbers of 32 bytes, one after another; undefined if there are more or fewer. */
function words<Count extends keyof Numbers>(digits: string, count: Count): Numbers[Count] | undefined {
  if (digits.length !== count * WORD) return undefined;
  const numbers = Array.from({ length: count }, (_, at) => BigInt(`0x${digits.slice(at * WORD, (at + 1) * WORD)}`));
  return numbers as readonly bigint[] as Numbers[Count];
}

/** Addresses of 20 bytes, one after another. */
function addresses(digits: string): Hex[] | undefined {
  if (digits.length === 0 || digits.length % ADDRESS !== 0) return undefined;
  return (digits.match(/.{40}/gu) ?? []).map((one): Hex => `0x${one}`);
}

export const NATIVE: Asset = { kind: 'native' };

/** The terms of an enforcer for a token: its address, then the terms of the one for coins. */
const ofToken =
  (read: (digits: string, asset: Asset) => Limit | undefined) =>
  (digits: string): Limit | undefined =>
    read(digits.slice(ADDRESS), { kind: 'erc20', token: `0x${digits.slice(0, ADDRESS)}` });

function periodic(digits: string, asset: Asset): Limit | undefined {
  const numbers = words(digits, 3);
  if (numbers === undefined) return undefined;
  const [amount, period, start] = numbers;
  return { spending: { asset, amount, period, start } };
}

function streamed(digits: string, asset: Asset): Limit | undefined {
  const numbers = words(digits, 4);
  if (numbers === undefined) return undefined;
  const [initial, most, amount, start] = numbers;
  return { spending: { asset, amount, start, stream: { initial, most } } };
}

function once(digits: string, asset: Asset): Limit | undefined {
  const [amount] = words(digits, 1) ?? [];
  return amount === undefined ? undefined : { spending: { asset, amount } };
}

/** Zero stands for no bound. */
function times(digits: string): Limit | undefined {
  if (digits.length !== WORD) return undefined;
  const [after, before] = [BigInt(`0x${digits.slice(0, WORD / 2)}`), BigInt(`0x${digits.slice(WORD / 2)}`)];
  return { ...(after > 0n && { after }), ...(before > 0n && { before }) };
}

/** The payee of `transfer`, where the data of the call has to have it. */
function data(digits: string, { view }: TypedScene): Limit | undefined {
  if (digits.length <= WORD) return undefined;
  const start = BigInt(`0x${digits.slice(0, WORD)}`);
  const value = digits.slice(WORD);
  return start === 4n && /^0{24}[0-9a-f]{40}$/u.test(value)
    ? { lines: [namedAddress('Paid to', `0x${value.slice(24)}`, view)] }
    : { lines: [text('Data of the calls', `has to be 0x${value} from byte ${start} on`)] };
}

/** MetaMask's enforcers 1.3.0, by lower-case address. */
const ENFORCERS: Readonly<Record<string, (digits: string, scene: TypedScene) => Limit | undefined>> = {
  '0x9bc0faf4aca5ae429f4c06aeeac517520cb16bd9': (digits) => periodic(digits, NATIVE),
  '0x474e3ae7e169e940607cc624da8a15eb120139ab': ofToken(periodic),
  '0xd10b97905a320b13a0608f7e9cc506b56747df19': (digits) => streamed(digits, NATIVE),
  '0x56c97ae02f233b29fa03502ecc0457266d9be00e': ofToken(streamed),
  '0xf71af580b9c3078fbc2bbf16fbb8eed82b330320': (digits) => once(digits, NATIVE),
  '0xf100b0819427117ecf76ed94b358b1a5b5c6d2fc': ofToken(once),
  // ApprovalRevocation: kinds of approvals, as bits.
  '0xe264f1f09a19505a1ca1a86d5b01e8bfdb64324a': () => ({
    closes: 'all',
    lines: [text('May do', 'take back approvals')],
  }),
  // ExactCalldata.
  '0x99f2e9bf15ce5ec84685604836f71ab835dbbded': (digits) =>
    digits === '' ? { closes: 'data' } : { lines: [text('Data of the calls', `has to be 0x${digits}`)] },
  // ValueLte.
  '0x92bf12322527caa612fd31a0e810472bbb106a8f': (digits, scene) => {
    const [most] = words(digits, 1) ?? [];
    if (most === undefined) return undefined;
    return most === 0n
      ? { closes: 'coins' }
      : { lines: [text('Each call sends', `at most ${rowAmount({ asset: NATIVE, amount: most }, scene)}`)] };
  },
  '0x1046bb45c8d673d4ea75321280db34899413c069': times,
  // Nonce: one transaction takes back all delegations with the same.
  '0xde4f2fac4b3d87a1d9953ca5fc09fca7f366254f': (digits) => (words(digits, 1) === undefined ? undefined : {}),
  '0xe144b0b2618071b4e56f746313528a669c7e65c5': (digits) => {
    const redeemers = addresses(digits);
    return redeemers && { redeemers };
  },
  // AllowedTargets, AllowedCalldata, AllowedMethods, LimitedCalls.
  '0x7f20f61b1f09b08d970938f6fa563634d65c4eeb': (digits, { view }) => {
    const targets = addresses(digits);
    return targets && { lines: targets.map((target) => namedAddress('May call', target, view)) };
  },
  '0xc2b0d624c1c4319760c96503ba27c347f3260f55': data,
  '0x2c21fd0cb9dc8445cb3fb0dc5e7bb0aca01842b5': (digits) =>
    digits.length > 0 && digits.length % 8 === 0
      ? { lines: [text('May call the functions', (digits.match(/.{8}/gu) ?? []).map((one) => `0x${one}`).join(', '))] }
      : undefined,
  '0x04658b29f6b82ed55274221a06fc97d318e25416': (digits) => {
    const [count] = words(digits, 1) ?? [];
    return count === undefined ? undefined : { lines: [text('Uses', `at most ${count}`)] };
  },
};

/** The limits of a delegation; undefined if Keystead does not know one of them. */
export function limitsOf(caveats: readonly Struct[], scene: TypedScene): Limit[] | undefined {
  const limits: Limit[] = [];
  for (const caveat of caveats) {
    const enforcer = addressOf(caveat, 'enforcer').toLowerCase();
    const terms = digitsOf(caveat, 'terms');
    const read = Object.hasOwn(ENFORCERS, enforcer) ? ENFORCERS[enforcer] : undefined;
    const limit = read?.(terms, scene);
    if (limit === undefined) return undefined;
    limits.push(limit);
  }
  // The rows say all of them, so they are not listed word by word.
  for (const caveat of caveats) scene.findings.signed.markRead(digitsOf(caveat, 'terms'));
  return limits;
}

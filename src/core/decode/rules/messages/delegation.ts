import { isIn, isSameAddress } from '../../../eth/address';
import { type Hex } from '../../../eth/bytes';
import { counted } from '../../../eth/units';
import { type Effect } from '../../effects/effect';
import { type Asset } from '../../effects/outcome';
import { type Line } from '../../explanation';
import { isBeyondSupply, rowAmount } from '../../words/amounts';
import { address, text } from '../../words/lines';
import { namedAddress, nameOf } from '../../words/names';
import { isNever, periodWords, utcTime } from '../../words/time';
import { addressOf, digitsOf, type Struct, type TypedReading, type TypedRule, type TypedScene, uintOf } from './rule';

/**
 * Delegations (ERC-7710) of MetaMask's delegation framework, and Coinbase's spend permissions: somebody may act for an
 * account, within limits.
 */

/** MetaMask's DelegationManager 1.3.0, on every network. Others need not ask the enforcers. */
const MANAGER = '0xdb9B1e94B5b69Df7e401DDbedE43491141047dB3';
const SPEND_MANAGER = '0xf85210B21cC50302F477BA56686d2019dC9b67Ad';
/** A delegation of one's own, not of what somebody else delegated. */
const ROOT = (1n << 256n) - 1n;
/** Stands for anybody. */
const ANYBODY = '0x0000000000000000000000000000000000000a11';

/** What may be taken of an asset. */
type Spending = {
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
type Limit = {
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

/** Numbers of 32 bytes, one after another; undefined if there are more or fewer. */
function words(digits: string, count: number): bigint[] | undefined {
  if (digits.length !== count * WORD) return undefined;
  return Array.from({ length: count }, (_, at) => BigInt(`0x${digits.slice(at * WORD, (at + 1) * WORD)}`));
}

/** Addresses of 20 bytes, one after another. */
function addresses(digits: string): Hex[] | undefined {
  if (digits.length === 0 || digits.length % ADDRESS !== 0) return undefined;
  return (digits.match(/.{40}/gu) ?? []).map((one): Hex => `0x${one}`);
}

const NATIVE: Asset = { kind: 'native' };

/** The terms of an enforcer for a token: its address, then the terms of the one for coins. */
const ofToken =
  (read: (digits: string, asset: Asset) => Limit | undefined) =>
  (digits: string): Limit | undefined =>
    read(digits.slice(ADDRESS), { kind: 'erc20', token: `0x${digits.slice(0, ADDRESS)}` });

function periodic(digits: string, asset: Asset): Limit | undefined {
  const [amount, period, start] = words(digits, 3) ?? [];
  return amount === undefined || period === undefined || start === undefined
    ? undefined
    : { spending: { asset, amount, period, start } };
}

function streamed(digits: string, asset: Asset): Limit | undefined {
  const [initial, most, amount, start] = words(digits, 4) ?? [];
  return initial === undefined || most === undefined || amount === undefined || start === undefined
    ? undefined
    : { spending: { asset, amount, start, stream: { initial, most } } };
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
function limitsOf(caveats: readonly Struct[], scene: TypedScene): Limit[] | undefined {
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

/** The most that may be taken in all until an end; undefined if there is no bound. */
function totalOf({ amount, period, start = 0n, stream }: Spending, end: bigint | undefined): bigint | undefined {
  if (stream !== undefined) {
    const flowed = end === undefined ? undefined : stream.initial + amount * (end > start ? end - start : 0n);
    return flowed === undefined || flowed > stream.most ? stream.most : flowed;
  }
  if (period === undefined) return amount;
  if (end === undefined || period === 0n) return undefined;
  return amount * (end > start ? (end - start + period - 1n) / period : 0n);
}

const assetToken = (asset: Asset): Hex | undefined => (asset.kind === 'native' ? undefined : asset.token);

/** "up to 5 USDC every day". */
function spendingWords({ asset, amount, period, stream }: Spending, scene: TypedScene): string {
  const most = isBeyondSupply(amount, assetToken(asset), scene)
    ? scene.findings.signed.wrote(
        amount,
        `an unlimited amount of ${asset.kind === 'erc20' ? nameOf(asset.token, scene.view) : 'coins'}`,
      )
    : rowAmount({ asset, amount }, scene);
  if (stream !== undefined) {
    const initial = stream.initial === 0n ? '' : `${rowAmount({ asset, amount: stream.initial }, scene)} at once and `;
    return `${initial}${most} every second`;
  }
  const often = period === undefined ? '' : ` ${scene.findings.signed.wrote(period, periodWords(period))}`;
  return `up to ${most}${often}`;
}

/** The validity of a permission, and who has it. */
type Holder = {
  readonly by: Hex | undefined;
  readonly of: Hex;
  readonly after?: bigint | undefined;
  readonly before?: bigint | undefined;
};

/** What somebody may take, until when, and how much that is in all. */
function spendingReading(all: readonly Spending[], { by, of, after, before }: Holder, scene: TypedScene): TypedReading {
  const { view } = scene;
  const end = before !== undefined && !isNever(before, view.now) ? before : undefined;
  const totals = all.map((spending) => ({ spending, total: totalOf(spending, end) }));
  const what = all.map((spending) => spendingWords(spending, scene)).join(' and ');
  const who = by === undefined ? 'anybody' : nameOf(by, view);
  const isGrave =
    by === undefined ||
    end === undefined ||
    all.some(({ period }) => period !== undefined) ||
    totals.some(
      ({ spending: { asset }, total }) => total === undefined || isBeyondSupply(total, assetToken(asset), scene),
    );
  const until = end === undefined ? 'without an end' : `until ${utcTime(end)}`;
  const sentence = `take ${what} from ${nameOf(of, view)}, ${until}`;
  return {
    title: `Let ${who} take ${what}`,
    effects: [
      isGrave
        ? {
            kind: 'control',
            by,
            does: (name) => `lets ${by === undefined ? 'anybody' : name(by)} ${sentence}, without asking you again`,
          }
        : { kind: 'note', text: `This lets ${who} ${sentence}, without asking you again.` },
    ],
    open: [
      ...(by === undefined || !isGrave
        ? [by === undefined ? text('May take it', 'anybody') : namedAddress('May take it', by, view)]
        : []),
      ...totals.flatMap(({ spending, total }) => [
        text('You allow', spendingWords(spending, scene)),
        text('In all', total === undefined ? 'no limit' : rowAmount({ asset: spending.asset, amount: total }, scene)),
        ...(spending.start === undefined || spending.start === 0n
          ? []
          : [text('From', scene.findings.signed.wrote(spending.start, utcTime(spending.start)))]),
      ]),
      ...(after === undefined ? [] : [text('Not before', scene.findings.signed.wrote(after, utcTime(after)))]),
      text(
        'Until',
        before === undefined
          ? 'no end'
          : scene.findings.signed.wrote(before, end === undefined ? 'never' : utcTime(end)),
      ),
    ],
    isListed: true,
  };
}

/** @returns Whether all that the calls can do is to take what is listed. */
function isBounded(limits: readonly Limit[]): boolean {
  const closes = new Set(limits.map(({ closes: closed }) => closed));
  if (closes.has('all')) return true;
  const spent = limits.flatMap(({ spending }) => spending ?? []);
  const isToken = spent.some(({ asset }) => asset.kind === 'erc20');
  const isCoin = spent.some(({ asset }) => asset.kind === 'native');
  // Limits of coins say nothing of the data of a call, and limits of tokens nothing of the coins it sends.
  return (isToken && (isCoin || closes.has('coins'))) || (isCoin && closes.has('data'));
}

function delegation(message: Struct, scene: TypedScene): TypedReading {
  const { contract, view } = scene;
  const caveats = message.caveats as readonly Struct[];
  const [delegate, of] = [addressOf(message, 'delegate'), addressOf(message, 'delegator')];
  const isKnown = contract !== undefined && isSameAddress(contract, MANAGER);
  const limits = isKnown && caveats.length > 0 ? limitsOf(caveats, scene) : undefined;
  const parties = [address('Account', of), address('Delegate', delegate)];
  if (limits === undefined)
    return {
      title: 'Delegate an account',
      effects: [{ kind: 'limits-unread', by: delegate, of, count: caveats.length }],
      lines: [
        ...parties,
        text('Limits', caveats.length === 0 ? 'none, everything is allowed' : `${caveats.length}, not decoded`),
      ],
    };
  const redeemers = limits.flatMap((limit) => limit.redeemers ?? []);
  const by = isSameAddress(delegate, ANYBODY) ? redeemers[0] : delegate;
  const latest = (all: readonly bigint[], isEarlier: (a: bigint, b: bigint) => boolean): bigint | undefined =>
    all.reduce<bigint | undefined>((best, one) => (best === undefined || isEarlier(one, best) ? one : best), undefined);
  const after = latest(
    limits.flatMap((limit) => limit.after ?? []),
    (a, b) => a > b,
  );
  const before = latest(
    limits.flatMap((limit) => limit.before ?? []),
    (a, b) => a < b,
  );
  const open = [
    ...redeemers.map((redeemer) => namedAddress('Redeemer', redeemer, view)),
    ...limits.flatMap(({ lines = [] }) => lines),
    ...(uintOf(message, 'authority') === ROOT ? [] : [text('Passes on', 'what somebody else delegated')]),
  ];
  const spent = limits.flatMap(({ spending }) => spending ?? []);
  const onlyTakesBack = limits.some(({ closes }) => closes === 'all');
  if (isBounded(limits) && !onlyTakesBack) {
    const read = spendingReading(spent, { by, of, after, before }, scene);
    return { ...read, open: [...(read.open ?? []), ...open], lines: parties };
  }
  const until = before === undefined ? 'without an end' : `until ${utcTime(before)}`;
  const effects: Effect[] = onlyTakesBack
    ? [
        {
          kind: 'note',
          text: `This lets ${nameOf(delegate, view)} take back approvals of ${nameOf(of, view)}, ${until}.`,
        },
      ]
    : [
        {
          kind: 'control',
          by,
          does: (name) =>
            `lets ${by === undefined ? 'anybody' : name(by)} make calls from ${name(of)} that Keystead cannot bound, ${until}`,
        },
      ];
  return {
    title: onlyTakesBack ? 'Let somebody take back approvals' : 'Delegate an account',
    effects,
    open: [
      ...(onlyTakesBack ? [namedAddress('Delegate', delegate, view)] : []),
      ...spent.map((spending) => text('Limit', spendingWords(spending, scene))),
      ...open,
      text('Until', before === undefined ? 'no end' : scene.findings.signed.wrote(before, utcTime(before))),
    ],
    lines: [...parties, text('Limits', counted(caveats.length, 'limit'))],
    isListed: true,
  };
}

/** Coinbase writes the coin as 0xeeee…. */
const COIN = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';

/** Coinbase's spend permission: an amount in each period. */
function spendPermission(message: Struct, scene: TypedScene): TypedReading {
  const token = addressOf(message, 'token');
  const spending: Spending = {
    asset: isSameAddress(token, COIN) ? NATIVE : { kind: 'erc20', token },
    amount: uintOf(message, 'allowance'),
    period: uintOf(message, 'period'),
    start: uintOf(message, 'start'),
  };
  const { contract } = scene;
  const isOther = contract === undefined || !isIn([SPEND_MANAGER], contract);
  const read = spendingReading(
    [spending],
    { by: addressOf(message, 'spender'), of: addressOf(message, 'account'), before: uintOf(message, 'end') },
    scene,
  );
  return {
    ...read,
    effects: [
      ...(read.effects ?? []),
      ...(isOther
        ? [{ kind: 'note', text: 'This looks like a spend permission, but it is for another contract.' } as const]
        : []),
    ],
    lines: [address('Account', addressOf(message, 'account')), address('Spender', addressOf(message, 'spender'))],
  };
}

export const DELEGATION_RULES: readonly TypedRule[] = [
  {
    type:
      'Delegation(address delegate,address delegator,bytes32 authority,Caveat[] caveats,uint256 salt)' +
      'Caveat(address enforcer,bytes terms)',
    read: delegation,
  },
  {
    type: 'SpendPermission(address account,address spender,address token,uint160 allowance,uint48 period,uint48 start,uint48 end,uint256 salt,bytes extraData)',
    read: spendPermission,
  },
];

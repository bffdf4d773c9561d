import { isIn, isSameAddress } from '../../../eth/address';
import { type Hex } from '../../../eth/bytes';
import { counted } from '../../../eth/units';
import { type Effect } from '../../effects/effect';
import { type Asset } from '../../effects/outcome';
import { isBeyondSupply, rowAmount } from '../../words/amounts';
import { address, text } from '../../words/lines';
import { namedAddress, nameOf } from '../../words/names';
import { isNever, periodWords, utcTime } from '../../words/time';
import { type Limit, limitsOf, NATIVE, type Spending } from './enforcers';
import { addressOf, type Struct, type TypedReading, type TypedRule, type TypedScene, uintOf } from './rule';

/**
 * Delegations (ERC-7710) of MetaMask's delegation framework, and Coinbase's spend permissions: somebody may act for an
 * account, within limits.
 */

/** MetaMask's DelegationManager 1.3.0, on every network. Others need not ask the enforcers. */
const MANAGER = '0xdb9B1e94B5b69Df7e401DDbedE43491141047dB3';
const SPEND_MANAGER = '0xf85210B21cC50302F477BA56686d2019dC9b67Ad';
/** The authority of a delegation that passes nothing on: the account delegates its own power. */
const ROOT = (1n << 256n) - 1n;
/** Stands for anybody. */
const ANYBODY = '0x0000000000000000000000000000000000000a11';

/** The most that may be taken in all until an end; undefined if there is no bound. */
function totalOf({ amount, period, start = 0n, stream }: Spending, end: bigint | undefined): bigint | undefined {
  const seconds = end === undefined ? undefined : end > start ? end - start : 0n;
  if (stream !== undefined) {
    const flowed = seconds === undefined ? undefined : stream.initial + amount * seconds;
    return flowed === undefined || flowed > stream.most ? stream.most : flowed;
  }
  if (period === undefined) return amount;
  if (seconds === undefined || period === 0n) return undefined;
  return amount * ((seconds + period - 1n) / period);
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
    effects: isGrave
      ? [
          {
            kind: 'control',
            by,
            does: (name) => `lets ${by === undefined ? 'anybody' : name(by)} ${sentence}, without asking you again`,
          },
        ]
      : [
          { kind: 'note', text: `This lets ${who} ${sentence}, without asking you again.` },
          { kind: 'signature', end },
        ],
    until: end,
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
    ...(uintOf(message, 'authority') === ROOT
      ? []
      : [text('Passes on', 'the power that another account delegated to it')]),
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
    title: onlyTakesBack ? 'Let others take back approvals' : 'Delegate an account',
    effects,
    open: [
      ...(onlyTakesBack ? [namedAddress('Delegate', delegate, view)] : []),
      ...spent.map((spending) => text('Limit', spendingWords(spending, scene))),
      ...open,
      text('Until', before === undefined ? 'no end' : scene.findings.signed.wrote(before, utcTime(before))),
    ],
    lines: [...parties, text('Limits', counted(caveats.length, 'limit'))],
    until: before,
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
    ...(isOther && { until: undefined }),
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

import { encodeAbiParameters, encodeEventTopics, type Hex, pad, parseAbi, toEventSelector } from 'viem';

import {
  assetEvents,
  changesOf,
  NATIVE_TRANSFERS,
  PERMIT2,
  SYSTEM_TRANSFERS,
  TRANSFER_TOPIC,
} from '../../../../src/core/simulation/asset-logs';
import { type Log } from '../../../../src/core/schemas/receipt';

const ACCOUNT: Hex = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const PERSON: Hex = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045';
const SPENDER: Hex = '0x7a250d5630b4cf539739df2c5dacb4c659f2488d';
const TOKEN: Hex = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48';
const OTHER: Hex = '0xdac17f958d2ee523a2206206994597c13d831ec7';
const ZERO: Hex = `0x${'0'.repeat(40)}`;

const EVENTS = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event Approval(address indexed owner, address indexed spender, uint256 value)',
  'event ApprovalForAll(address indexed owner, address indexed operator, bool approved)',
  'event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)',
  'event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)',
  'event Deposit(address indexed dst, uint256 wad)',
  'event Withdrawal(address indexed src, uint256 wad)',
]);
const NFT_EVENTS = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 indexed id)',
  'event Approval(address indexed owner, address indexed approved, uint256 indexed id)',
]);
const PERMIT2_EVENTS = parseAbi([
  'event Approval(address indexed owner, address indexed token, address indexed spender, uint160 amount, uint48 expiration)',
  'event Permit(address indexed owner, address indexed token, address indexed spender, uint160 amount, uint48 expiration, uint48 nonce)',
]);
type Event = (typeof EVENTS | typeof NFT_EVENTS | typeof PERMIT2_EVENTS)[number];

/** The log of an event, encoded by viem. */
function log(address: Hex, event: Event, ...args: readonly unknown[]): Log {
  const topics = encodeEventTopics({ abi: [event], args: args as never }) as Hex[];
  const unindexed = event.inputs.flatMap((input, at) =>
    'indexed' in input && input.indexed ? [] : [[input, args[at]]],
  );
  const data = encodeAbiParameters(
    unindexed.map(([input]) => input) as never,
    unindexed.map(([, value]) => value) as never,
  );
  return { address, topics: topics.map((topic) => topic), data };
}
const [TRANSFER, APPROVAL, FOR_ALL, SINGLE, BATCH, DEPOSIT, WITHDRAWAL] = EVENTS;
const [NFT_TRANSFER, NFT_APPROVAL] = NFT_EVENTS;
const [PERMIT2_APPROVAL, PERMIT2_PERMIT] = PERMIT2_EVENTS;

const eventsOf = (...logs: Log[]) => assetEvents(logs, ACCOUNT);
const erc20 = (net: bigint, token = TOKEN) => ({ asset: { kind: 'erc20', token }, net });

describe('what logs say about an account', () => {
  it('knows the event of a transfer by its hash', () => {
    expect(TRANSFER_TOPIC).toBe(toEventSelector(TRANSFER));
  });

  it('adds up coins that the node logs', () => {
    const native = (from: Hex, to: Hex, amount: bigint) => log(NATIVE_TRANSFERS, TRANSFER, from, to, amount);
    expect(
      eventsOf(
        native(ACCOUNT, PERSON, 100n),
        native(PERSON, ACCOUNT, 30n),
        native(PERSON, SPENDER, 5n),
        native(ACCOUNT, ACCOUNT, 7n),
      ),
    ).toEqual({ native: -70n, movements: [], grants: [], bystanders: [], isPartial: false });
  });

  describe('coins that the network logs itself (EIP-7708)', () => {
    const at = (place: Hex, from: Hex, to: Hex, amount: bigint) => log(place, TRANSFER, from, to, amount);
    const [OLD, NEW] = [NATIVE_TRANSFERS, SYSTEM_TRANSFERS];
    const nothing = { movements: [], grants: [], bystanders: [], isPartial: false };

    it('are coins and no token, whichever way the address is spelled', () => {
      for (const place of [NEW, `0x${NEW.slice(2).toUpperCase()}`] as const)
        expect(eventsOf(at(place, ACCOUNT, PERSON, 10n ** 18n), at(place, PERSON, SPENDER, 7n))).toEqual({
          ...nothing,
          native: -(10n ** 18n),
        });
    });

    it.each([
      ['in pairs', [OLD, NEW, OLD, NEW, OLD, NEW]],
      ['in pairs, the other way round', [NEW, OLD, NEW, OLD, NEW, OLD]],
      ['one address after the other', [OLD, OLD, OLD, NEW, NEW, NEW]],
      ['at the new address only', [NEW, NEW, NEW]],
      ['at the old address only', [OLD, OLD, OLD]],
    ])('count once if they are logged %s, even transfers that are alike', (_how, places) => {
      const logs = places.map((place) => at(place, ACCOUNT, PERSON, 5n));
      expect(eventsOf(...logs)).toEqual({ ...nothing, native: -15n });
      // Others in between change nothing.
      const mixed = logs.flatMap((one) => [one, at(one.address, PERSON, ACCOUNT, 1n), at(OLD, SPENDER, PERSON, 5n)]);
      expect(eventsOf(...mixed)).toEqual({ ...nothing, native: -12n });
    });

    it('count if only some nodes log them at either address', () => {
      expect(
        eventsOf(at(OLD, ACCOUNT, PERSON, 5n), at(NEW, ACCOUNT, PERSON, 5n), at(NEW, ACCOUNT, SPENDER, 2n)).native,
      ).toBe(-7n);
    });

    it('are not what else is logged there, nor what tokens log at addresses like these', () => {
      const burnt = {
        address: NEW,
        topics: [toEventSelector('Burn(address,uint256)'), pad(ACCOUNT)],
        data: pad('0x5'),
      };
      const approval = log(NEW, APPROVAL, ACCOUNT, SPENDER, 5n);
      const nft = log(NEW, NFT_TRANSFER, ACCOUNT, PERSON, 5n);
      expect(eventsOf(burnt, approval, nft)).toEqual({ ...nothing, native: 0n });
      const alike: Hex = `0x${'f'.repeat(40)}`;
      expect(eventsOf(log(alike, TRANSFER, ACCOUNT, PERSON, 5n))).toMatchObject({
        native: 0n,
        movements: [erc20(-5n, alike)],
      });
    });

    it('pay for wrapped coins once', () => {
      for (const places of [[NEW], [OLD, NEW]]) {
        const paid = places.map((place) => at(place, ACCOUNT, TOKEN, 10n));
        const { native, movements } = eventsOf(...paid, log(TOKEN, DEPOSIT, ACCOUNT, 10n));
        expect([native, movements]).toEqual([-10n, [erc20(10n)]]);
      }
    });
  });

  it('adds up each ERC-20 token, whichever way addresses are spelled', () => {
    const upper = `0x${TOKEN.slice(2).toUpperCase()}` as const;
    const account = `0x${ACCOUNT.slice(2).toUpperCase()}` as const;
    const logs = [
      log(upper, TRANSFER, ACCOUNT, PERSON, 10n),
      log(TOKEN, TRANSFER, PERSON, ACCOUNT, 4n),
      log(OTHER, TRANSFER, ZERO, ACCOUNT, 9n),
      log(OTHER, TRANSFER, ACCOUNT, ACCOUNT, 9n),
    ];
    expect(assetEvents(logs, account).movements).toEqual([erc20(-6n), erc20(9n, OTHER)]);
  });

  it('keeps a token whose amounts cancel, and one that only others send, so that their balances are read', () => {
    const { movements, bystanders } = eventsOf(
      log(TOKEN, TRANSFER, ACCOUNT, PERSON, 10n),
      log(TOKEN, TRANSFER, PERSON, ACCOUNT, 10n),
      log(OTHER, TRANSFER, PERSON, SPENDER, 10n),
      log(TOKEN, TRANSFER, PERSON, SPENDER, 10n),
    );
    expect(movements).toEqual([erc20(0n)]);
    expect(bystanders).toEqual([OTHER]);
  });

  it('tells ERC-721 from ERC-20 by the number of topics', () => {
    expect(
      eventsOf(
        log(TOKEN, NFT_TRANSFER, ACCOUNT, PERSON, 7n),
        log(TOKEN, NFT_TRANSFER, PERSON, ACCOUNT, 8n),
        log(TOKEN, NFT_TRANSFER, PERSON, SPENDER, 9n),
      ).movements,
    ).toEqual([
      { asset: { kind: 'erc721', token: TOKEN, id: 7n }, net: -1n },
      { asset: { kind: 'erc721', token: TOKEN, id: 8n }, net: 1n },
    ]);
  });

  it('reads ERC-1155 transfers of one and of several ids', () => {
    expect(
      eventsOf(
        log(TOKEN, SINGLE, SPENDER, ACCOUNT, PERSON, 1n, 5n),
        log(TOKEN, BATCH, SPENDER, PERSON, ACCOUNT, [1n, 2n, 2n], [1n, 10n, 20n]),
        log(TOKEN, SINGLE, ACCOUNT, PERSON, SPENDER, 3n, 5n),
      ).movements,
    ).toEqual([
      { asset: { kind: 'erc1155', token: TOKEN, id: 1n }, net: -4n },
      { asset: { kind: 'erc1155', token: TOKEN, id: 2n }, net: 30n },
    ]);
  });

  describe('allowances', () => {
    it('are given to spend an amount, to move one NFT, and to move everything', () => {
      expect(
        eventsOf(
          log(TOKEN, APPROVAL, ACCOUNT, SPENDER, 5n),
          log(TOKEN, NFT_APPROVAL, ACCOUNT, SPENDER, 7n),
          log(OTHER, FOR_ALL, ACCOUNT, SPENDER, true),
        ).grants.map(({ allowance }) => allowance),
      ).toEqual([
        { kind: 'amount', token: TOKEN, spender: SPENDER, amount: 5n },
        { kind: 'nft', token: TOKEN, spender: SPENDER, id: 7n },
        { kind: 'everything', token: OTHER, spender: SPENDER },
      ]);
    });

    it.each<[string, Log[]]>([
      ['of nothing', [log(TOKEN, APPROVAL, ACCOUNT, SPENDER, 5n), log(TOKEN, APPROVAL, ACCOUNT, SPENDER, 0n)]],
      ['to the zero address', [log(TOKEN, APPROVAL, ACCOUNT, ZERO, 5n)]],
      ['by somebody else', [log(TOKEN, APPROVAL, PERSON, SPENDER, 5n), log(TOKEN, FOR_ALL, PERSON, SPENDER, true)]],
      ['of an NFT, by somebody else', [log(TOKEN, NFT_APPROVAL, PERSON, SPENDER, 7n)]],
      [
        'to no address',
        [log(TOKEN, APPROVAL, ACCOUNT, SPENDER, 5n), log(TOKEN, NFT_APPROVAL, ACCOUNT, SPENDER, 7n)].map((one) => ({
          ...one,
          topics: one.topics.with(2, pad('0x01', { dir: 'right' })),
        })),
      ],
      ['without an amount', [{ ...log(TOKEN, APPROVAL, ACCOUNT, SPENDER, 5n), data: '0x' }]],
      [
        'of an NFT, to the zero address',
        [log(TOKEN, NFT_APPROVAL, ACCOUNT, SPENDER, 7n), log(TOKEN, NFT_APPROVAL, ACCOUNT, ZERO, 7n)],
      ],
      [
        'of an NFT that then leaves',
        [log(TOKEN, NFT_APPROVAL, ACCOUNT, SPENDER, 7n), log(TOKEN, NFT_TRANSFER, ACCOUNT, PERSON, 7n)],
      ],
      ['taken back', [log(TOKEN, FOR_ALL, ACCOUNT, SPENDER, true), log(TOKEN, FOR_ALL, ACCOUNT, SPENDER, false)]],
    ])('are none: %s', (_name, logs) => {
      expect(eventsOf(...logs).grants).toEqual([]);
    });

    it('count as they were given last', () => {
      const { grants } = eventsOf(
        log(TOKEN, APPROVAL, ACCOUNT, SPENDER, 5n),
        log(TOKEN, APPROVAL, ACCOUNT, PERSON, 6n),
        log(TOKEN, APPROVAL, ACCOUNT, SPENDER, 7n),
      );
      expect(grants.map(({ allowance }) => allowance)).toEqual([
        { kind: 'amount', token: TOKEN, spender: PERSON, amount: 6n },
        { kind: 'amount', token: TOKEN, spender: SPENDER, amount: 7n },
      ]);
    });

    it('are read from Permit2, and from no contract that imitates its events', () => {
      const [approved, permitted] = [
        log(PERMIT2, PERMIT2_APPROVAL, ACCOUNT, TOKEN, SPENDER, 5n, 99),
        log(PERMIT2, PERMIT2_PERMIT, ACCOUNT, OTHER, SPENDER, 6n, 99, 1),
      ];
      const allowance = { kind: 'amount', token: TOKEN, spender: SPENDER, amount: 5n };
      const holder = PERMIT2.toLowerCase();
      expect(eventsOf(approved, permitted).grants).toEqual([
        { holder, allowance },
        { holder, allowance: { ...allowance, token: OTHER, amount: 6n } },
      ]);
      expect(eventsOf({ ...approved, address: TOKEN }).grants).toEqual([]);
    });
  });

  describe('wrapped coins', () => {
    const coins = (from: Hex, to: Hex, amount: bigint) => log(NATIVE_TRANSFERS, TRANSFER, from, to, amount);

    it('are counted for the coins that are sent and received', () => {
      const wrapped = eventsOf(
        coins(ACCOUNT, TOKEN, 5n),
        log(TOKEN, DEPOSIT, ACCOUNT, 5n),
        coins(ACCOUNT, TOKEN, 5n),
        log(TOKEN, DEPOSIT, ACCOUNT, 5n),
      );
      expect([wrapped.native, wrapped.movements]).toEqual([-10n, [erc20(10n)]]);
      const unwrapped = eventsOf(coins(TOKEN, ACCOUNT, 5n), log(TOKEN, WITHDRAWAL, ACCOUNT, 5n));
      expect([unwrapped.native, unwrapped.movements]).toEqual([5n, [erc20(-5n)]]);
    });

    it('are not counted twice if the contract logs a transfer as well', () => {
      const { movements } = eventsOf(
        coins(ACCOUNT, TOKEN, 5n),
        log(TOKEN, DEPOSIT, ACCOUNT, 5n),
        log(TOKEN, TRANSFER, ZERO, ACCOUNT, 5n),
      );
      expect(movements).toEqual([erc20(5n)]);
    });

    it.each<[string, Log[]]>([
      ['no coins', [log(TOKEN, DEPOSIT, ACCOUNT, 5n)]],
      ['other coins', [coins(ACCOUNT, TOKEN, 4n), log(TOKEN, DEPOSIT, ACCOUNT, 5n)]],
      ['coins to another contract', [coins(ACCOUNT, OTHER, 5n), log(TOKEN, DEPOSIT, ACCOUNT, 5n)]],
      ['coins once for two deposits', [coins(ACCOUNT, TOKEN, 5n), log(TOKEN, WITHDRAWAL, ACCOUNT, 5n)]],
    ])('are not believed for %s, but their balance is read', (_name, logs) => {
      expect(eventsOf(...logs).movements).toEqual([erc20(0n)]);
    });
  });

  it.each<[string, Partial<Log>]>([
    ['no topics', { topics: [] }],
    ['too few topics', { topics: [TRANSFER_TOPIC, pad(ACCOUNT)] }],
    ['too many topics', { topics: [TRANSFER_TOPIC, pad(ACCOUNT), pad(PERSON), pad('0x1'), pad('0x2')] }],
    ['a topic that is no address', { topics: [TRANSFER_TOPIC, `0x${'f'.repeat(64)}`, pad(ACCOUNT)] }],
    ['no data', { data: '0x' }],
    ['half a word', { data: '0x1234' }],
    ['a topic like a property of objects', { topics: ['0xconstructor' as Hex, pad(ACCOUNT), pad(PERSON)] }],
  ])('ignores a log with %s', (_name, change) => {
    const whole = log(TOKEN, TRANSFER, ACCOUNT, PERSON, 5n);
    expect(eventsOf(whole).movements).toHaveLength(1);
    expect(eventsOf({ ...whole, ...change })).toEqual({
      native: 0n,
      movements: [],
      grants: [],
      bystanders: [],
      isPartial: false,
    });
  });

  it.each<[string, Hex]>([
    ['lengths that differ', encodeAbiParameters([{ type: 'uint256[]' }, { type: 'uint256[]' }], [[1n, 2n], [3n]])],
    ['a length beyond its data', `0x${'40'.padStart(64, '0')}${'60'.padStart(64, '0')}${'ffff'.padStart(64, '0')}`],
  ])('ignores an ERC-1155 batch with %s', (_name, data) => {
    expect(eventsOf({ ...log(TOKEN, BATCH, SPENDER, PERSON, ACCOUNT, [], []), data }).movements).toEqual([]);
  });

  describe('does not keep to itself that it reads a part only', () => {
    const sent = log(TOKEN, TRANSFER, ACCOUNT, PERSON, 6n);

    it('if there are too many logs', () => {
      const other = log(OTHER, TRANSFER, PERSON, SPENDER, 1n);
      expect(assetEvents(new Array<Log>(10_000).fill(other), ACCOUNT).isPartial).toBe(false);
      expect(assetEvents(new Array<Log>(10_001).fill(other), ACCOUNT).isPartial).toBe(true);
    });

    it('if a batch is larger than any screen, which hides nothing that comes after it', () => {
      const ids = new Array<bigint>(6_000).fill(1n);
      const batch = log(OTHER, BATCH, SPENDER, PERSON, ACCOUNT, ids, ids);
      expect(eventsOf(batch, sent)).toMatchObject({ movements: [erc20(-6n)], isPartial: true });
    });
  });

  it('sorts what changes into what is sent and received', () => {
    const nft = { kind: 'erc721', token: TOKEN, id: 7n } as const;
    const token = { kind: 'erc20', token: TOKEN } as const;
    const movements = [
      { asset: nft, net: -1n },
      { asset: token, net: 5n },
      { asset: { ...token, token: OTHER }, net: 0n },
    ];
    expect(changesOf({ native: 0n, movements, allows: [], creates: [PERSON] })).toEqual({
      sends: [{ asset: nft, amount: 1n }],
      receives: [{ asset: token, amount: 5n }],
      allows: [],
      creates: [PERSON],
    });
  });
});

describe('a log whose parts do not fit its event', () => {
  const coins = (from: Hex, to: Hex) => log(NATIVE_TRANSFERS, TRANSFER, from, to, 5n);
  const EVENTS_OF_ACCOUNT: readonly (readonly [string, Log])[] = [
    ['coins', coins(ACCOUNT, PERSON)],
    ['coins that come in', coins(PERSON, ACCOUNT)],
    ['a token', log(TOKEN, TRANSFER, PERSON, ACCOUNT, 5n)],
    ['an NFT', log(TOKEN, NFT_TRANSFER, PERSON, ACCOUNT, 7n)],
    ['an NFT that goes', log(TOKEN, NFT_TRANSFER, ACCOUNT, PERSON, 7n)],
    ['an item', log(TOKEN, SINGLE, SPENDER, PERSON, ACCOUNT, 7n, 5n)],
    ['an item that goes', log(TOKEN, SINGLE, SPENDER, ACCOUNT, PERSON, 7n, 5n)],
    ['items', log(TOKEN, BATCH, SPENDER, PERSON, ACCOUNT, [7n], [5n])],
    ['items that go', log(TOKEN, BATCH, SPENDER, ACCOUNT, PERSON, [7n], [5n])],
    ['a permission', log(TOKEN, APPROVAL, ACCOUNT, SPENDER, 5n)],
    ['a permission for an NFT', log(TOKEN, NFT_APPROVAL, ACCOUNT, SPENDER, 7n)],
    ['a permission for everything', log(TOKEN, FOR_ALL, ACCOUNT, SPENDER, true)],
    ['a permission in Permit2', log(PERMIT2, PERMIT2_APPROVAL, ACCOUNT, TOKEN, SPENDER, 5n, 9)],
    ['a permit in Permit2', log(PERMIT2, PERMIT2_PERMIT, ACCOUNT, TOKEN, SPENDER, 5n, 9, 1)],
    ['wrapped coins', log(TOKEN, DEPOSIT, ACCOUNT, 5n)],
    ['unwrapped coins', log(TOKEN, WITHDRAWAL, ACCOUNT, 5n)],
  ];
  const NOTHING = { native: 0n, movements: [], grants: [], bystanders: [], isPartial: false };
  const DIRTY: Hex = `0x1${'0'.repeat(63)}`;
  /** The topics that must be addresses: not the operator of items, nor the number of an NFT. */
  const addressesOf = ({ topics }: Log, what: string): number[] =>
    topics.flatMap((_topic, at) =>
      at === 0 || (at === 1 && /item/u.test(what)) || (at === 3 && /NFT/u.test(what)) ? [] : [at],
    );

  it.each(EVENTS_OF_ACCOUNT)('says nothing: %s', (what, whole) => {
    expect(eventsOf(whole)).not.toEqual(NOTHING);
    for (const at of addressesOf(whole, what)) {
      const topics = whole.topics.map((topic, index) => (index === at ? DIRTY : topic));
      expect([what, at, eventsOf({ ...whole, topics })]).toEqual([what, at, NOTHING]);
    }
    for (const cut of [2, 64])
      if (whole.data.length > cut)
        expect([what, eventsOf({ ...whole, data: whole.data.slice(0, cut) as Hex })]).toEqual([what, NOTHING]);
  });

  it('says nothing about the account if it is of others', () => {
    for (const [what, whole] of EVENTS_OF_ACCOUNT) {
      const topics = whole.topics.map((topic) => (topic === pad(ACCOUNT) ? pad(SPENDER) : topic));
      expect([what, { ...eventsOf({ ...whole, topics }), bystanders: [] }]).toEqual([what, NOTHING]);
    }
  });
});

describe('what is new', () => {
  it('is what was created for the account, also if more of it came later', () => {
    const item = (from: Hex) => log(TOKEN, SINGLE, SPENDER, from, ACCOUNT, 7n, 5n);
    const isNew = (...logs: Log[]) => eventsOf(...logs).movements.map((movement) => movement.isNew);
    expect(isNew(item(ZERO))).toEqual([true]);
    expect(isNew(item(PERSON))).toEqual([undefined]);
    expect(isNew(item(ZERO), item(PERSON))).toEqual([true]);
    expect(isNew(item(PERSON), item(ZERO))).toEqual([true]);
    expect(isNew(log(TOKEN, NFT_TRANSFER, ZERO, ACCOUNT, 7n))).toEqual([true]);
  });
});

describe('coins for a deposit', () => {
  const sent = log(NATIVE_TRANSFERS, TRANSFER, ACCOUNT, TOKEN, 5n);
  const deposit = log(TOKEN, DEPOSIT, ACCOUNT, 5n);

  it('are counted once, though the contract logs two deposits', () => {
    expect(eventsOf(sent, deposit, deposit).movements).toEqual([erc20(5n)]);
    expect(eventsOf(sent, deposit).movements).toEqual([erc20(5n)]);
    expect(eventsOf(sent, sent, deposit, deposit).movements).toEqual([erc20(10n)]);
  });

  it('are counted though the token moves between others, but not if it is created', () => {
    expect(eventsOf(sent, deposit, log(TOKEN, TRANSFER, PERSON, SPENDER, 5n)).movements).toEqual([erc20(5n)]);
    expect(eventsOf(sent, deposit, log(TOKEN, TRANSFER, ZERO, PERSON, 5n)).movements).toEqual([erc20(0n)]);
    expect(eventsOf(sent, deposit, log(TOKEN, TRANSFER, PERSON, ZERO, 5n)).movements).toEqual([erc20(0n)]);
  });
});

test('a permission of nothing in Permit2 takes it back', () => {
  const given = (amount: bigint) => log(PERMIT2, PERMIT2_APPROVAL, ACCOUNT, TOKEN, SPENDER, amount, 9);
  expect(eventsOf(given(1n)).grants).toHaveLength(1);
  expect(eventsOf(given(0n)).grants).toEqual([]);
  expect(eventsOf(given(1n), given(0n)).grants).toEqual([]);
});

import { concat, numberToHex, pad } from 'viem';

import { type Hex } from '../../../../src/core/eth/bytes';
import {
  ALICE,
  BOB,
  codesOf,
  explainTyped,
  ME,
  NOW,
  saying,
  typedData,
  USDC,
  written,
} from '../../../support/explaining';
import { at, describeRows, type Row, SOON, WORD } from './typed-rows';

const MANAGER: Hex = '0xdb9B1e94B5b69Df7e401DDbedE43491141047dB3';
const ROOT: Hex = `0x${'ff'.repeat(32)}`;
const ANYBODY: Hex = '0x0000000000000000000000000000000000000a11';
/** Addresses of MetaMask's enforcers 1.3.0. */
const TOKEN_PERIOD: Hex = '0x474e3Ae7E169e940607cC624Da8A15Eb120139aB';
const COIN_PERIOD: Hex = '0x9BC0FAf4Aca5AE429F4c06aEEaC517520CB16BD9';
const TOKEN_STREAM: Hex = '0x56c97aE02f233B29fa03502Ecc0457266d9be00e';
const TOKEN_AMOUNT: Hex = '0xf100b0819427117EcF76Ed94B358B1A5b5C6D2Fc';
const APPROVALS: Hex = '0xe264F1f09A19505a1ca1a86D5b01E8bFdb64324A';
const EXACT_DATA: Hex = '0x99F2e9bF15ce5eC84685604836F71aB835DBBdED';
const VALUE: Hex = '0x92Bf12322527cAA612fd31a0e810472BBB106A8F';
const TIME: Hex = '0x1046bb45C8d673d4ea75321280DB34899413c069';
const NONCE: Hex = '0xDE4f2FAC4B3D87A1d9953Ca5FC09FCa7F366254f';
const REDEEMER: Hex = '0xE144b0b2618071B4E56f746313528a669c7E65c5';
const CALLDATA: Hex = '0xc2b0d624c1c4319760C96503BA27C347F3260f55';

const word = (value: bigint): Hex => numberToHex(value, { size: 32 });
const DAY = 86_400n;
const END = NOW + 30n * DAY;
const until = { enforcer: TIME, terms: concat([pad('0x', { size: 16 }), numberToHex(END, { size: 16 })]) };
const noCoins = { enforcer: VALUE, terms: word(0n) };
const nonce = { enforcer: NONCE, terms: word(0n) };

type Caveat = { readonly enforcer: Hex; readonly terms: Hex };
const delegation = (caveats: readonly Caveat[], values: object = {}, manager = MANAGER) =>
  typedData(
    'Delegation(address delegate,address delegator,bytes32 authority,Caveat[] caveats,uint256 salt)Caveat(address enforcer,bytes terms)',
    at(manager, 'DelegationManager'),
    { delegate: BOB, delegator: ME, authority: ROOT, caveats, salt: 0, ...values },
  );
const daily = { enforcer: TOKEN_PERIOD, terms: concat([USDC, word(100_000_000n), word(DAY), word(NOW)]) };
const dailyCoins = { enforcer: COIN_PERIOD, terms: concat([word(10n ** 18n), word(DAY), word(NOW)]) };
const amount = { enforcer: TOKEN_AMOUNT, terms: concat([USDC, word(250_000_000n)]) };
const streamed = {
  enforcer: TOKEN_STREAM,
  terms: concat([USDC, word(1_000_000n), word(50_000_000n), word(10n), word(NOW)]),
};

const DELEGATIONS: readonly Row[] = [
  [
    'a token, every day',
    delegation([daily, noCoins, nonce, until]),
    [
      'You allow: up to 100 USDC every day',
      'In all: 3000 USDC',
      'Until: 2026-01-31 00:00:00 UTC',
      'take up to 100 USDC every day from your account, until 2026-01-31 00:00:00 UTC, without asking you again',
      `Gets control: ${BOB}`,
    ],
    ['account-administration'],
  ],
  [
    'a token, every day, without an end',
    delegation([daily, noCoins]),
    ['In all: no limit', 'Until: no end'],
    ['account-administration'],
  ],
  [
    'an amount, for one payee',
    delegation([amount, noCoins, until, { enforcer: CALLDATA, terms: concat([word(4n), pad(ALICE, { size: 32 })]) }]),
    ['You allow: up to 250 USDC', 'In all: 250 USDC', `May take it: ${BOB}`, `Paid to: ${ALICE}`],
  ],
  [
    'a stream',
    delegation([streamed, noCoins, until]),
    ['You allow: 1 USDC at once and 0.00001 USDC every second', 'In all: 26.92 USDC'],
  ],
  [
    'coins, whose calls may have any data',
    delegation([dailyCoins, until]),
    ['Limit: up to 1 ETH every day', 'make calls from your account that Keystead cannot bound'],
    ['account-administration'],
  ],
  [
    'coins, in calls without data',
    delegation([dailyCoins, { enforcer: EXACT_DATA, terms: '0x' }, until]),
    ['You allow: up to 1 ETH every day', 'In all: 30 ETH'],
    ['account-administration'],
  ],
  [
    'a token, with any coins beside it',
    delegation([amount, until]),
    ['make calls from your account that Keystead cannot bound'],
    ['account-administration'],
  ],
  [
    'anybody',
    delegation([amount, noCoins, until], { delegate: ANYBODY }),
    ['May take it: anybody', 'lets anybody take up to 250 USDC'],
    ['account-administration'],
  ],
  [
    'anybody of a list',
    delegation([amount, noCoins, until, { enforcer: REDEEMER, terms: ALICE }], { delegate: ANYBODY }),
    [`Redeemer: ${ALICE}`],
  ],
  [
    'taking back approvals',
    delegation([{ enforcer: APPROVALS, terms: '0x3f' }, until]),
    ['May do: take back approvals', `Delegate: ${BOB}`],
  ],
  [
    'a limit that is not known, beside known ones',
    delegation([daily, noCoins, until, { enforcer: ALICE, terms: '0x' }]),
    ['within limits that Keystead cannot read', 'Limits: 4, not decoded'],
    ['account-administration'],
  ],
  [
    'terms of another length',
    delegation([{ enforcer: TOKEN_PERIOD, terms: concat([daily.terms, '0x00']) }, noCoins, until]),
    ['within limits that Keystead cannot read'],
    ['account-administration'],
  ],
  [
    'a manager that is not known',
    delegation([daily, noCoins, until], {}, ALICE),
    ['within limits that Keystead cannot read'],
    ['account-administration'],
  ],
  ['no limits', delegation([]), ['do anything with your account, without limits'], ['account-administration']],
  [
    'the power that another account delegated to it',
    delegation([amount, noCoins, until], { authority: WORD }),
    ['Passes on: the power that another account delegated to it'],
  ],
  [
    'a spend permission of Coinbase',
    typedData(
      'SpendPermission(address account,address spender,address token,uint160 allowance,uint48 period,uint48 start,uint48 end,uint256 salt,bytes extraData)',
      at('0xf85210B21cC50302F477BA56686d2019dC9b67Ad'),
      {
        account: ME,
        spender: BOB,
        token: USDC,
        allowance: '5000000',
        period: 604_800,
        start: Number(NOW),
        end: Number(END),
        salt: 0,
        extraData: '0x',
      },
    ),
    ['You allow: up to 5 USDC every week', 'In all: 25 USDC', `Gets control: ${BOB}`],
    ['account-administration'],
  ],
];

const TARGETS: Hex = '0x7F20f61b1f09b08D970938F6fa563634d65c4EeB';
const METHODS: Hex = '0x2c21fD0Cb9DC8445CB3fb0DC5E7Bb0Aca01842B5';
const USES: Hex = '0x04658B29F6b82ed55274221a06Fc97D318E25416';
const COIN_AMOUNT: Hex = '0xF71af580b9c3078fbc2BBF16FbB8EEd82b330320';

describe('the limits of a delegation', () => {
  const rowsOf = (caveats: readonly Caveat[], values: object = {}): string[] => {
    const { changes, main } = explainTyped(delegation(caveats, values));
    return [...changes, ...main].map(written);
  };
  const NOT_READ = 'within limits that Keystead cannot read';
  const isRead = (...caveats: readonly Caveat[]): boolean =>
    !saying(explainTyped(delegation([amount, noCoins, until, ...caveats]))).includes(NOT_READ);

  it('have no row for what does not limit', () => {
    const rows = rowsOf([amount, noCoins, until, nonce]).join('\n');
    for (const label of ['Not before', 'Passes on', 'Redeemer', 'From:']) expect(rows).not.toContain(label);
    expect(rows).toContain('Until: 2026-01-31 00:00:00 UTC');
    const from = { enforcer: TIME, terms: concat([numberToHex(NOW, { size: 16 }), pad('0x', { size: 16 })]) };
    expect(rowsOf([amount, noCoins, from])).toContain('Not before: 2026-01-01 00:00:00 UTC');
    expect(rowsOf([amount, noCoins, from])).toContain('Until: no end');
    expect(
      rowsOf([
        amount,
        noCoins,
        until,
        { ...until, terms: concat([pad('0x', { size: 16 }), numberToHex(END - DAY, { size: 16 })]) },
      ]),
    ).toContain('Until: 2026-01-30 00:00:00 UTC');
    expect(
      rowsOf([
        amount,
        noCoins,
        from,
        { ...from, terms: concat([numberToHex(NOW + DAY, { size: 16 }), pad('0x', { size: 16 })]) },
      ]),
    ).toContain('Not before: 2026-01-02 00:00:00 UTC');
  });

  it('may be so far away that they never end', () => {
    const never = {
      enforcer: TIME,
      terms: concat([pad('0x', { size: 16 }), numberToHex((1n << 128n) - 1n, { size: 16 })]),
    };
    expect(rowsOf([amount, noCoins, never])).toContain('Until: never');
    expect(codesOf(explainTyped(delegation([amount, noCoins, never])))).toEqual(['account-administration']);
  });

  it('of a stream without an end are those of all of it', () => {
    expect(rowsOf([streamed, noCoins])).toContain('In all: 50 USDC');
  });

  it('may be more than there is', () => {
    const most = (1n << 256n) - 1n;
    const coins = { enforcer: COIN_AMOUNT, terms: word(most) };
    expect(rowsOf([coins, { enforcer: EXACT_DATA, terms: '0x' }, until]).join()).toContain(
      'up to an unlimited amount of coins',
    );
    const tokens = { enforcer: TOKEN_AMOUNT, terms: concat([USDC, word(most)]) };
    expect(rowsOf([tokens, noCoins, until]).join()).toContain('up to an unlimited amount of 0xA0b8…eB48');
    expect(codesOf(explainTyped(delegation([tokens, noCoins, until])))).toEqual(['account-administration']);
  });

  it.each<[string, Hex, Hex, string | undefined]>([
    ['whoever redeems it', REDEEMER, ALICE, `Redeemer: ${ALICE}`],
    ['nobody who redeems it', REDEEMER, '0x', undefined],
    ['a part of somebody who redeems it', REDEEMER, concat([ALICE, '0x00']), undefined],
    ['what it may call', TARGETS, ALICE, `May call: ${ALICE}`],
    ['nothing that it may call', TARGETS, '0x', undefined],
    ['the functions that it may call', METHODS, '0xa9059cbb095ea7b3', 'May call the functions: 0xa9059cbb, 0x095ea7b3'],
    ['no function that it may call', METHODS, '0x', undefined],
    ['a part of a function that it may call', METHODS, '0xa9059c', undefined],
    ['how often it may be used', USES, word(3n), 'Uses: at most 3'],
    ['nothing of how often it may be used', USES, '0x', undefined],
    ['the payee', CALLDATA, concat([word(4n), pad(ALICE)]), `Paid to: ${ALICE}`],
    [
      'something else than the payee',
      CALLDATA,
      concat([word(5n), pad(ALICE)]),
      `Data of the calls: has to be ${pad(ALICE).toLowerCase()} from byte 5 on`,
    ],
    [
      'a number at the place of the payee',
      CALLDATA,
      concat([word(4n), WORD]),
      `Data of the calls: has to be ${WORD} from byte 4 on`,
    ],
    ['a place without data', CALLDATA, word(4n), undefined],
    ['the coins of each call', VALUE, word(5n), 'Each call sends: at most 0.000000000000000005 ETH'],
    ['all data', EXACT_DATA, '0x1234', 'Data of the calls: has to be 0x1234'],
    ['times of another length', TIME, '0x1234', undefined],
    ['a number of another length', NONCE, '0x1234', undefined],
  ])('say %s', (_what, enforcer, terms, row) => {
    const caveat = { enforcer, terms };
    expect(isRead(caveat)).toBe(row !== undefined);
    if (row !== undefined) expect(rowsOf([amount, noCoins, until, caveat])).toContain(row);
  });
});

describe('a spend permission of Coinbase', () => {
  const asked = (domain: Readonly<Record<string, unknown>>, end: bigint = END) =>
    explainTyped(
      typedData(
        'SpendPermission(address account,address spender,address token,uint160 allowance,uint48 period,uint48 start,uint48 end,uint256 salt,bytes extraData)',
        domain,
        {
          ...{ account: ME, spender: BOB, token: USDC, allowance: 5_000_000, period: Number(DAY), start: Number(NOW) },
          ...{ end: Number(end), salt: 0, extraData: '0x' },
        },
      ),
    );
  const OTHER = 'This looks like a spend permission, but it is for another contract.';

  it('has an end to rely on at its own contract only', () => {
    const known = asked(at('0xf85210B21cC50302F477BA56686d2019dC9b67Ad'));
    expect([known.usable, known.warnings]).toEqual([{ until: END }, []]);
    expect(asked(at(ALICE)).usable).toEqual({ until: undefined });
    expect(asked(at(ALICE)).warnings).toContain(OTHER);
    expect(asked({ chainId: 1 }).warnings).toContain(OTHER);
  });
});

const KEYS: readonly Row[] = [
  [
    'a validator of Kernel',
    typedData(
      'Enable(bytes21 validationId,uint32 nonce,address hook,bytes validatorData,bytes hookData,bytes selectorData)',
      at(ALICE, 'Kernel'),
      {
        validationId: `0x01${BOB.slice(2)}`,
        nonce: 1,
        hook: ALICE,
        validatorData: '0x',
        hookData: '0x',
        selectorData: '0x',
      },
    ),
    ['lets the validator 0x', `Gets control: ${BOB}`],
    ['account-administration'],
  ],
  [
    'signers of Hyperliquid',
    typedData(
      'HyperliquidTransaction:ConvertToMultiSigUser(string hyperliquidChain,string signers,uint64 nonce)',
      at('0x0000000000000000000000000000000000000000'),
      { hyperliquidChain: 'Mainnet', signers: `{"authorizedUsers":["${BOB}"],"threshold":1}`, nonce: 1 },
    ),
    ['a signer of your account at Hyperliquid, in place of your own key', `Gets control: ${BOB}`],
    ['account-administration'],
  ],
  [
    'a key of Orderly',
    typedData(
      'AddOrderlyKey(string brokerId,uint256 chainId,string orderlyKey,string scope,uint64 timestamp,uint64 expiration)',
      at(ALICE),
      {
        brokerId: 'orderly',
        chainId: 1,
        orderlyKey: 'ed25519:8Q9DiPuW6r',
        scope: 'read,trading,asset',
        timestamp: 0,
        expiration: `${SOON}000`,
      },
    ),
    ['lets a key act for your account at Orderly (“read,trading,asset”)', 'Until: 2026-01-01 01:00:00 UTC'],
    ['account-administration'],
  ],
  [
    'a key of dYdX',
    typedData(
      'dYdX(string action,string onlySignOn)',
      { name: 'dYdX', version: '1.0', chainId: 1 },
      {
        action: 'dYdX STARK Key',
        onlySignOn: 'https://trade.dydx.exchange',
      },
    ),
    ['whoever gets the signature can trade and withdraw there'],
    ['account-administration'],
  ],
  [
    'a key of Farcaster',
    typedData(
      'Add(address owner,uint256 keyType,bytes key,uint8 metadataType,bytes metadata,uint256 nonce,uint256 deadline)',
      at(ALICE),
      { owner: ME, keyType: 1, key: WORD, metadataType: 1, metadata: '0x', nonce: 0, deadline: SOON },
    ),
    [`Key: ${WORD}`, 'post and act for your account at Farcaster'],
    ['account-administration'],
  ],
];

describeRows(DELEGATIONS);
describeRows(KEYS);

describe('a grant that no rule knows', () => {
  it.each([
    [
      'a key',
      'AddTradingServiceKey(string serviceKey,uint64 expiration)',
      { serviceKey: 'ed25519:8Q9D', expiration: 1 },
    ],
    ['signers', 'Convert(string authorizedUsers,uint64 nonce)', { authorizedUsers: BOB, nonce: 1 }],
  ])('is a danger by its kind: %s', (_what, type, message) => {
    const explanation = explainTyped(typedData(type, at(ALICE), message));
    expect(codesOf(explanation)).toEqual(['account-administration']);
    expect(saying(explanation)).toContain('act for your account');
  });

  it.each<[string, string, Record<string, unknown>, string[]]>([
    ['a flag says', 'SetOperator(address operator,bool approved)', { approved: true }, ['approval-for-all']],
    ['the flag is not set', 'SetOperator(address operator,bool approved)', { approved: false }, ['unknown-permission']],
    [
      'the flag says something else',
      'SetOperator(address operator,bool quick)',
      { quick: true },
      ['unknown-permission'],
    ],
    ['a text says', 'SetOperator(address operator,string approved)', { approved: 'true' }, ['unknown-permission']],
  ])('is of everything only if a flag says so: %s', (_what, type, message, codes) => {
    expect(codesOf(explainTyped(typedData(type, at(ALICE), { operator: BOB, ...message })))).toEqual(codes);
  });

  it.each<[string, string, Record<string, unknown>, string[]]>([
    ['of this account', 'address target,address account', { target: BOB, account: ME }, ['own-operation']],
    ['of another one', 'address target,address account', { target: ME, account: BOB }, ['foreign-operation']],
    ['that names none', 'string account', { account: 'me' }, []],
  ])('is an operation by any name only of an account: %s', (_what, members, message, codes) => {
    const data = typedData(`Op(${members},bytes callData)`, at(ALICE), { ...message, callData: '0x1234' });
    expect(codesOf(explainTyped(data))).toEqual(codes);
  });
});

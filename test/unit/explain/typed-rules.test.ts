import { encodeFunctionData, maxUint256, parseAbi } from 'viem';

import { type Hex } from '../../../src/eth/bytes';
import { type TypedData } from '../../../src/eth/typed-data';
import { ALICE, BOB, codesOf, explainTyped, ME, NOW, saying, typedData, USDC, VIEW } from '../../helpers/explaining';

const SOON = (NOW + 3600n).toString();
const NEVER = maxUint256.toString();
const ZERO: Hex = '0x0000000000000000000000000000000000000000';
const DAI: Hex = '0x6B175474E89094C44Da98b954EedeAC495271d0F';
const PERMIT2: Hex = '0x000000000022D473030F116dDEE9F6B43aC78BA3';
const WORD: Hex = `0x${'11'.repeat(32)}`;
const APPROVE = encodeFunctionData({ abi: parseAbi(['function approve(address,uint256)']), args: [BOB, 5_500_000n] });

const at = (verifyingContract: Hex, name = 'Name') => ({ name, version: '1', chainId: 1, verifyingContract });

const PERMIT = 'Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)';
const permit = (value: bigint, deadline: string): TypedData =>
  typedData(PERMIT, at(USDC), { owner: ME, spender: BOB, value: value.toString(), nonce: 0, deadline });

const DETAILS = 'PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)';
const SINGLE = `PermitSingle(PermitDetails details,address spender,uint256 sigDeadline)${DETAILS}`;
const BATCH = `PermitBatch(PermitDetails[] details,address spender,uint256 sigDeadline)${DETAILS}`;
const PERMISSIONS = 'TokenPermissions(address token,uint256 amount)';
const details = (token: Hex, amount: bigint, expiration: string | number) => ({
  token,
  amount: amount.toString(),
  expiration,
  nonce: 0,
});

const SEAPORT: Hex = '0x0000000000000068F116a894984e2DB1123eB395';
const ORDER_STRUCTS =
  'ConsiderationItem(uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount,address recipient)' +
  'OfferItem(uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount)';
const COMPONENTS =
  'OrderComponents(address offerer,address zone,OfferItem[] offer,ConsiderationItem[] consideration,uint8 orderType,uint256 startTime,uint256 endTime,bytes32 zoneHash,uint256 salt,bytes32 conduitKey,uint256 counter)';
const item = (itemType: number, token: Hex, id: number, amount: string, recipient?: Hex) => ({
  itemType,
  token,
  identifierOrCriteria: id,
  startAmount: amount,
  endAmount: amount,
  ...(recipient !== undefined && { recipient }),
});
const order = (offer: unknown[], consideration: unknown[], offerer = ME) => ({
  offerer,
  zone: ZERO,
  offer,
  consideration,
  orderType: 0,
  startTime: 0,
  endTime: SOON,
  zoneHash: WORD,
  salt: 1,
  conduitKey: WORD,
  counter: 0,
});
const seaport = (message: object) =>
  typedData(COMPONENTS + ORDER_STRUCTS, at(SEAPORT, 'Seaport'), message as Record<string, unknown>);

const SAFE = (gas: string) =>
  `SafeTx(address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 ${gas},uint256 gasPrice,address gasToken,address refundReceiver,uint256 nonce)`;
const safe = (operation: number, data: Hex = APPROVE, gas = 'baseGas', gasPrice = 0): TypedData =>
  typedData(
    SAFE(gas),
    { chainId: 1, verifyingContract: ALICE },
    {
      to: USDC,
      value: 0,
      data,
      operation,
      safeTxGas: 0,
      [gas]: 0,
      gasPrice,
      gasToken: DAI,
      refundReceiver: BOB,
      nonce: 3,
    },
  );

const authorization = (name: string, value: bigint, validBefore: string) =>
  typedData(
    `${name}(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)`,
    at(USDC),
    { from: ME, to: BOB, value: value.toString(), validAfter: 0, validBefore, nonce: WORD },
  );

type Row = readonly [name: string, data: TypedData, says: readonly string[], dangers?: readonly string[]];

const ROWS: readonly Row[] = [
  ['a permit', permit(5_500_000n, SOON), ['5.5 USDC', `Spender: ${BOB}`, `Token: ${USDC}`, 'without a transaction']],
  ['a permit without limit', permit(maxUint256, SOON), ['unlimited'], ['unlimited-approval']],
  ['a permit without end', permit(1n, NEVER), ['Usable until: never'], ['never-expires']],
  [
    'a permit of DAI',
    typedData('Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)', at(DAI), {
      holder: ME,
      spender: BOB,
      nonce: 0,
      expiry: 0,
      allowed: true,
    }),
    [`Token: ${DAI}`, 'unlimited', 'never'],
    ['never-expires', 'unlimited-approval'],
  ],
  [
    'a permit of DAI that takes back',
    typedData('Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)', at(DAI), {
      holder: ME,
      spender: BOB,
      nonce: 0,
      expiry: 0,
      allowed: false,
    }),
    ['Amount: nothing'],
  ],
  [
    'a permit of one token of a collection',
    typedData('Permit(address spender,uint256 tokenId,uint256 nonce,uint256 deadline)', at(ALICE), {
      spender: BOB,
      tokenId: 7,
      nonce: 0,
      deadline: SOON,
    }),
    ['Token id: 7', `Spender: ${BOB}`],
  ],
  [
    'a permit for a whole collection',
    typedData('PermitForAll(address operator,bool approved,uint256 nonce,uint256 deadline)', at(ALICE), {
      operator: BOB,
      approved: true,
      nonce: 0,
      deadline: SOON,
    }),
    [`Operator: ${BOB}`],
    ['approval-for-all'],
  ],
  [
    'an authorization of Compound, taken back',
    typedData('Authorization(address owner,address manager,bool isAllowed,uint256 nonce,uint256 expiry)', at(ALICE), {
      owner: ME,
      manager: BOB,
      isAllowed: false,
      nonce: 0,
      expiry: SOON,
    }),
    ['Take back', `Manager: ${BOB}`],
  ],
  [
    'an authorization of Morpho',
    typedData(
      'Authorization(address authorizer,address authorized,bool isAuthorized,uint256 nonce,uint256 deadline)',
      at(ALICE),
      { authorizer: ME, authorized: BOB, isAuthorized: true, nonce: 0, deadline: SOON },
    ),
    [`Manager: ${BOB}`],
    ['approval-for-all'],
  ],
  [
    'Permit2, one token',
    typedData(SINGLE, at(PERMIT2), { details: details(USDC, 5_500_000n, SOON), spender: BOB, sigDeadline: SOON }),
    ['5.5 USDC', `Spender: ${BOB}`, `Contract: ${PERMIT2}`, 'Ends: 2026-01-01 01:00:00 UTC'],
  ],
  [
    'Permit2, one token, without limit and end',
    typedData(SINGLE, at(PERMIT2), {
      details: details(USDC, (1n << 160n) - 1n, 2 ** 48 - 1),
      spender: BOB,
      sigDeadline: SOON,
    }),
    ['unlimited', 'Ends: never'],
    ['never-expires', 'unlimited-approval'],
  ],
  [
    'Permit2, a batch whose last of many entries is without limit',
    typedData(BATCH, at(PERMIT2), {
      details: [...Array.from({ length: 50 }, () => details(DAI, 1n, SOON)), details(USDC, (1n << 160n) - 1n, SOON)],
      spender: BOB,
      sigDeadline: SOON,
    }),
    ['Not shown here: 31 more'],
    ['unlimited-approval'],
  ],
  [
    'Permit2, a transfer',
    typedData(
      `PermitTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline)${PERMISSIONS}`,
      at(PERMIT2),
      { permitted: { token: USDC, amount: '5500000' }, spender: BOB, nonce: 0, deadline: SOON },
    ),
    ['Up to: 5.5 USDC', `Spender: ${BOB}`],
  ],
  [
    'Permit2, a transfer of several tokens',
    typedData(
      `PermitBatchTransferFrom(TokenPermissions[] permitted,address spender,uint256 nonce,uint256 deadline)${PERMISSIONS}`,
      at(PERMIT2),
      {
        permitted: [
          { token: USDC, amount: '5500000' },
          { token: DAI, amount: NEVER },
        ],
        spender: BOB,
        nonce: 0,
        deadline: SOON,
      },
    ),
    ['Up to: 5.5 USDC', `Token: ${DAI}`],
    ['everything'],
  ],
  [
    'Permit2, for another contract',
    typedData(SINGLE, at(ALICE), { details: details(USDC, 1n, SOON), spender: BOB, sigDeadline: SOON }),
    ['is for another contract'],
  ],
  [
    'a transfer by signature',
    authorization('TransferWithAuthorization', 5_500_000n, SOON),
    ['5.5 USDC', `Recipient: ${BOB}`],
  ],
  [
    'a transfer by signature of everything, for ever',
    authorization('ReceiveWithAuthorization', maxUint256, NEVER),
    [`Recipient: ${BOB}`],
    ['everything', 'never-expires'],
  ],
  [
    'the end of such a transfer',
    typedData('CancelAuthorization(address authorizer,bytes32 nonce)', at(USDC), { authorizer: ME, nonce: WORD }),
    ['Take back', WORD],
  ],
  [
    'an order that sells',
    seaport(
      order(
        [item(2, ALICE, 7, '1')],
        [item(0, ZERO, 0, '950000000000000000', ME), item(0, ZERO, 0, '50000000000000000', BOB)],
      ),
    ),
    ['Gives: 1', 'Token id: 7', 'Receives: 0.95 ETH', 'Pays on: 0.05 ETH', `to: ${BOB}`],
  ],
  ['an order for nothing', seaport(order([item(2, ALICE, 7, '1')], [])), ['Gives: 1'], ['nothing-in-return']],
  [
    'an order that pays somebody else',
    seaport(order([item(1, USDC, 0, '5500000')], [item(0, ZERO, 0, '1', BOB)])),
    ['Gives: 5.5 USDC'],
    ['nothing-in-return'],
  ],
  [
    'an order that gives back nothing of something',
    seaport(order([item(2, ALICE, 7, '1')], [item(0, ZERO, 0, '0', ME)])),
    [],
    ['nothing-in-return'],
  ],
  [
    'an order of another account',
    seaport(order([item(4, ALICE, 7, '1')], [item(0, ZERO, 0, '1', BOB)], BOB)),
    ['offered by another account', 'Token id: any, or one of a list'],
  ],
  [
    'a bulk order with one among many for nothing',
    typedData(`BulkOrder(OrderComponents[2][2] tree)${COMPONENTS}${ORDER_STRUCTS}`, at(SEAPORT), {
      tree: [
        [order([item(2, ALICE, 7, '1')], [item(0, ZERO, 0, '1', ME)]), order([item(2, ALICE, 8, '1')], [])],
        [order([], [], ZERO), order([], [], ZERO)],
      ],
    }),
    ['Orders: 2', 'Token id: 7', 'Token id: 8'],
    ['nothing-in-return'],
  ],
  ['a transaction of a Safe', safe(0), [`Safe: ${ALICE}`, `To: ${USDC}`, '5.5 USDC', 'Nonce: 3']],
  ['a transaction of a Safe that pays for its gas', safe(0, APPROVE, 'baseGas', 1), [`Pays to: ${BOB}`]],
  ['a transaction of an old Safe', safe(0, APPROVE, 'dataGas'), ['5.5 USDC']],
  ['a delegatecall of a Safe', safe(1), [`Runs the code of: ${USDC}`], ['delegatecall']],
  ['an operation that a Safe does not have', safe(2), ['Approve a transaction of a Safe'], ['malformed-call']],
  [
    'a user operation of entry point 0.8',
    typedData(
      'PackedUserOperation(address sender,uint256 nonce,bytes initCode,bytes callData,bytes32 accountGasLimits,uint256 preVerificationGas,bytes32 gasFees,bytes paymasterAndData)',
      at('0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108', 'ERC4337'),
      {
        sender: ALICE,
        nonce: 1,
        initCode: '0x',
        callData: encodeFunctionData({
          abi: parseAbi(['function execute(address,uint256,bytes)']),
          args: [USDC, 0n, APPROVE],
        }),
        accountGasLimits: WORD,
        preVerificationGas: 1,
        gasFees: WORD,
        paymasterAndData: '0x',
      },
    ),
    [`Account: ${ALICE}`, '5.5 USDC', `Spender: ${BOB}`],
  ],
  [
    'a meta transaction',
    typedData('MetaTransaction(uint256 nonce,address from,bytes functionSignature)', at(USDC), {
      nonce: 1,
      from: ME,
      functionSignature: APPROVE,
    }),
    ['5.5 USDC', `Spender: ${BOB}`],
  ],
  [
    'a forwarded call',
    typedData(
      'ForwardRequest(address from,address to,uint256 value,uint256 gas,uint256 nonce,uint48 deadline,bytes data)',
      at(ALICE),
      { from: ME, to: USDC, value: 0, gas: 100_000, nonce: 1, deadline: SOON, data: APPROVE },
    ),
    ['5.5 USDC', `Contract: ${ALICE}`],
  ],
  [
    'a delegation without limits',
    typedData(
      'Delegation(address delegate,address delegator,bytes32 authority,Caveat[] caveats,uint256 salt)Caveat(address enforcer,bytes terms)',
      at(ALICE),
      { delegate: BOB, delegator: ME, authority: WORD, caveats: [], salt: 0 },
    ),
    [`Who may act: ${BOB}`, 'everything is allowed'],
    ['account-administration'],
  ],
];

describe('typed data', () => {
  it.each(ROWS.map((row) => [row[0], row] as const))('%s', (_name, [, data, says, dangers = []]) => {
    const explanation = explainTyped(data);
    const text = saying(explanation);
    for (const part of says) expect(text).toContain(part);
    expect(text).not.toContain('Meaning: not understood');
    expect(codesOf(explanation)).toEqual(dangers);
  });

  it('always ends with every value that is signed, whatever a rule says of it', () => {
    const { sections } = explainTyped(permit(1n, SOON));
    expect(sections.at(-1)!.title).toBe('Every value that is signed');
    expect(sections.at(-1)!.lines).toHaveLength(9);
  });

  it('of a type that differs in one member is not understood; what looks like a permit is flagged', () => {
    const odd = PERMIT.replace('uint256 value', 'uint128 value');
    const message = { owner: ME, spender: BOB, value: ((1n << 128n) - 1n).toString(), nonce: 0, deadline: SOON };
    const explanation = explainTyped(typedData(odd, at(USDC), message));
    expect(saying(explanation)).toContain('Meaning: not understood');
    expect(saying(explanation)).toContain('somebody who may spend or act for you');
    expect(codesOf(explanation)).toEqual(['unlimited-approval']);
    expect(codesOf(explainTyped(typedData(odd, at(USDC), { ...message, value: 1 })))).toEqual([]);
  });

  it('of types whose names only begin like those that are known is not understood', () => {
    const permitted = { token: USDC, amount: '1' };
    const witness = typedData(
      `PermitTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadlineX)${PERMISSIONS}`,
      at(PERMIT2),
      { permitted, spender: BOB, nonce: 0, deadlineX: 1 },
    );
    expect(saying(explainTyped(witness))).toContain('Meaning: not understood');
    const named = typedData('Test(address spender,uintLike value)uintLike(bool yes)', at(ALICE), {
      spender: BOB,
      value: { yes: true },
    });
    expect(saying(explainTyped(named))).toContain('Meaning: not understood');
  });

  it('for another chain than the request, or for the account that signs, is flagged', () => {
    expect(codesOf(explainTyped(permit(1n, SOON), { ...VIEW, chainId: 5n }))).toEqual(['chain-mismatch']);
    expect(codesOf(explainTyped(permit(1n, SOON), { ...VIEW, chainId: 1n }))).toEqual([]);
    const toMyself = typedData('Test(uint256 value)', at(ME.toLowerCase() as Hex), { value: 1 });
    expect(codesOf(explainTyped(toMyself))).toEqual(['own-contract']);
  });

  it('with numbers in hex means the same', () => {
    const hex = typedData(
      PERMIT,
      { ...at(USDC), chainId: '0x1' },
      {
        owner: ME,
        spender: BOB,
        value: '0x53ec60',
        nonce: '0x0',
        deadline: `0x${BigInt(SOON).toString(16)}`,
      },
    );
    expect(saying({ ...explainTyped(hex), sections: explainTyped(hex).sections.slice(0, 1) })).toContain('5.5 USDC');
  });
});

describe('typed data made to be unreadable', () => {
  it('of ten thousand elements: a hundred lines, the rest is counted, flags are found at its end', () => {
    const many = Array.from({ length: 10_000 }, (_item, index) => `0x${index.toString(16).padStart(40, '0')}`);
    const list = explainTyped(typedData('List(address[] who)', at(ALICE), { who: many }));
    expect(list.sections[0]!.lines).toHaveLength(100);
    expect(list.warnings).toEqual(['9904 more values are signed but not shown here.']);

    const entries = Array.from({ length: 10_000 }, () => details(DAI, 1n, SOON));
    const batch = typedData(BATCH, at(PERMIT2), {
      details: [...entries, details(USDC, (1n << 160n) - 1n, 2 ** 48 - 1)],
      spender: BOB,
      sigDeadline: SOON,
    });
    expect(codesOf(explainTyped(batch))).toEqual(['never-expires', 'unlimited-approval']);
  });

  it('with a megabyte of text, and a name as long as they may be', () => {
    const name = 'a'.repeat(256);
    const explanation = explainTyped(
      typedData(`Note(string ${name},string text)`, at(ALICE), { [name]: 'x', text: '\u202e'.repeat(1_000_000) }),
    );
    const lines = explanation.sections[0]!.lines;
    for (const { label, value } of lines) {
      expect(label.length).toBeLessThan(200);
      expect(value.length).toBeLessThan(5000);
      expect(value).not.toContain('\u202e');
    }
    expect(lines.at(-1)!.value).toContain('999500 more characters');
  });

  it('sixty levels deep', () => {
    const levels = Array.from({ length: 60 }, (_item, index) => `L${index}(L${index + 1} inner)`);
    let message: Record<string, unknown> = { value: 1 };
    for (let level = 0; level < 60; level++) message = { inner: message };
    const explanation = explainTyped(typedData(`${levels.join('')}L60(uint256 value)`, at(ALICE), message));
    expect(explanation.sections[0]!.lines.at(-1)!.value).toBe('1');
  });
});

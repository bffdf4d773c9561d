import { decodeFunctionData, type Hex } from 'viem';

import { explainTypedData } from '../../../../src/core/decode/explain/typed-data';
import { fromHex, toHex } from '../../../../src/core/eth/bytes';
import { type TypedData, typedDataDigest } from '../../../../src/core/eth/typed-data';
import { type Read } from '../../../../src/core/ledger/chain-state';
import { PERMIT2_ABI } from '../../../../src/core/ledger/abi';
import { cancellationOf } from '../../../../src/core/ledger/signed/cancel';
import { DELEGATION_ABI, PERMIT_ABI, PERMIT2_ONCE_ABI } from '../../../../src/core/ledger/signed/abi';
import { formOf } from '../../../../src/core/ledger/signed/form';
import { droppedOf, type Kept, keptMessage, withKept } from '../../../../src/core/ledger/signed/kept';
import { type Status, statusesAt } from '../../../../src/core/ledger/signed/status';
import { safeMessageDigest } from '../../../../src/core/safe/safe-message';
import { typedData } from '../../../support/explaining';
import { ACCOUNT, at, kept, nodeOf, NOW, statusOf, word } from '../../../support/kept-signatures';

const SPENDER: Hex = `0x${'b2'.repeat(20)}`;
const TOKEN: Hex = `0x${'c3'.repeat(20)}`;
const PERMIT2: Hex = '0x000000000022D473030F116dDEE9F6B43aC78BA3';
const SEAPORT: Hex = '0x0000000000000068F116a894984e2DB1123eB395';
const MANAGER: Hex = '0xdb9B1e94B5b69Df7e401DDbedE43491141047dB3';
const NONCE_ENFORCER: Hex = '0xDE4f2FAC4B3D87A1d9953Ca5FC09FCa7F366254f';
const LATER = '1800001000';
const MAX = 2n ** 256n - 1n;

const PERMIT = 'Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)';
const DAI = 'Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)';
const SINGLE =
  'PermitSingle(PermitDetails details,address spender,uint256 sigDeadline)PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)';
const BATCH =
  'PermitBatch(PermitDetails[] details,address spender,uint256 sigDeadline)PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)';
const ONCE =
  'PermitTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline)TokenPermissions(address token,uint256 amount)';
const DELEGATION =
  'Delegation(address delegate,address delegator,bytes32 authority,Caveat[] caveats,uint256 salt)Caveat(address enforcer,bytes terms)';
const TRANSFER =
  'TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)';

const permit = (value: bigint, more: object = {}, domain: Record<string, unknown> = at(TOKEN)): TypedData =>
  typedData(PERMIT, domain, {
    ...{ owner: ACCOUNT, spender: SPENDER, value: `${value}`, nonce: '5', deadline: LATER },
    ...more,
  });
const single = (contract = PERMIT2): TypedData =>
  typedData(SINGLE, at(contract), {
    details: { token: TOKEN, amount: '7', expiration: '9', nonce: 3 },
    spender: SPENDER,
    sigDeadline: LATER,
  });
const once = typedData(ONCE, at(PERMIT2), {
  permitted: { token: TOKEN, amount: '7' },
  spender: SPENDER,
  nonce: '258',
  deadline: LATER,
});
const delegation = typedData(DELEGATION, at(MANAGER, 'DelegationManager'), {
  ...{ delegate: SPENDER, delegator: ACCOUNT, authority: `0x${'ff'.repeat(32)}`, salt: '1' },
  caveats: [{ enforcer: NONCE_ENFORCER, terms: `0x${'00'.repeat(31)}02` }],
});

describe('signatures of a site that deceives', () => {
  it('do not push out an unlimited permit, however many it asks for', () => {
    const unlimited = kept(permit(MAX));
    expect(unlimited.isDangerous).toBe(true);
    const small = kept(permit(1n));
    let list: readonly Kept[] = [unlimited];
    for (let n = 0; n < 300; n++) {
      const hash = word(BigInt(n));
      list = withKept(list, { ...small, hash, at: 2 + n, origin: 'https://spam.example' }, NOW);
    }
    expect(list.length).toBeLessThanOrEqual(200);
    expect(list).toContainEqual(unlimited);
    expect(list[0]).toMatchObject({ at: 301 });
    // Whatever was dropped is said to have been.
    expect(droppedOf(list)).toBe(301 - list.length);
  });

  it('do not push out those of others without a danger, however dangerous they are', () => {
    const others = Array.from({ length: 20 }, (_, n) => kept(permit(1n), { hash: word(BigInt(1000 + n)) }));
    let list: readonly Kept[] = others;
    const { data: _data, ...spam } = { ...kept(permit(MAX)), origin: 'https://spam.example' };
    for (let n = 0; n < 250; n++) list = withKept(list, { ...spam, hash: word(BigInt(n)), at: 2 + n }, NOW);
    expect(list).toEqual(expect.arrayContaining(others));
    expect(droppedOf(list)).toBe(270 - list.length);
  });

  it('do not push out a dangerous one of the same site', () => {
    const dangerous = kept(permit(MAX));
    let list: readonly Kept[] = [dangerous];
    for (let n = 0; n < 250; n++) list = withKept(list, { ...kept(permit(1n)), hash: word(BigInt(n)), at: 2 + n }, NOW);
    expect(list).toContainEqual(dangerous);
  });

  it('do not push out those of another site, even if all of them are unlimited', () => {
    const other = kept(permit(MAX));
    let list: readonly Kept[] = [other];
    for (let n = 0; n < 250; n++) {
      const more = { hash: word(BigInt(n)), at: 2 + n, origin: 'https://spam.example' };
      list = withKept(list, { ...other, ...more }, NOW);
    }
    expect(list).toContainEqual(other);
  });

  it('take no room with what is not signed, and are kept without their data if it is long', () => {
    const padded = permit(1n, { padding: 'x'.repeat(100_000) });
    const types = { ...padded.types, Unused: [{ name: 'x'.repeat(200), type: 'string' }] };
    expect(kept({ ...padded, types }).data).toEqual(kept(permit(1n)).data);
    const long = kept(permit(MAX, {}, at(TOKEN, 'x'.repeat(50_000))));
    expect(long.data).toBeUndefined();
    expect(long).toMatchObject({ isDangerous: true, until: Number(LATER) });
    // It may be no contract's: of a message that is no typed data, there is none either.
    expect(cancellationOf(long)).toEqual({ kind: 'none', why: 'Keystead does not know how to cancel it.' });
    expect(long.title.length).toBeLessThanOrEqual(300);
  });

  it('have a title that is safe to show, whatever the domain is called', () => {
    const { title } = kept(permit(5n, {}, at(TOKEN, 'USDC\u202e — nothing is spent')));
    expect(title).not.toContain('\u202e');
    expect(title).toContain('spend');
  });

  it('are not taken for those of Permit2, Seaport or the DelegationManager at another address', () => {
    const lookalike = kept(single(TOKEN));
    expect(formOf(lookalike)).toBeUndefined();
    // Its contract may ignore the deadline.
    expect(lookalike.until).toBeUndefined();
    expect(kept(single()).until).toBe(Number(LATER));
    expect(formOf(kept({ ...delegation, domain: at(TOKEN) } as TypedData))).toBeUndefined();
    expect(formOf(kept({ ...once, domain: at(SEAPORT) } as TypedData))).toBeUndefined();
  });

  it('of another owner are not checked by the nonce of the account', async () => {
    const foreign = kept(permit(5n, { owner: SPENDER }));
    expect(formOf(foreign)).toBeUndefined();
    expect(await statusOf(foreign, word(9n))).toBe('unknown');
  });
});

/** A message with a protocol's name for its type, for a contract of the protocol. */
const misshapen = (primaryType: string, contract: Hex): Kept => {
  const data = typedData(`${primaryType}(uint256 offer)`, at(contract), { offer: '1' });
  const facts = { account: ACCOUNT, origin: 'https://dapp.example', at: 1, hash: toHex(typedDataDigest(data)) };
  return keptMessage({ ...facts, title: 'Order', chainId: 'eip155:1', isDangerous: true, until: undefined }, data);
};

describe('a signature that cannot be read', () => {
  it.each([
    ['has the name of an order of Seaport, and other members', misshapen('OrderComponents', SEAPORT)],
    ['has the name of several orders of Seaport, and other members', misshapen('BulkOrder', SEAPORT)],
    ['does not match its types', { ...kept(permit(1n)), data: { ...permit(1n), message: {} } as never }],
    ['is not what was signed', { ...kept(permit(1n)), hash: word(1n) }],
  ])('because it %s hides no other one', async (_what, bad) => {
    const good = kept(permit(1n));
    expect(await statusesAt([bad, good], ACCOUNT, nodeOf(word(5n)))).toEqual(['unknown', 'counts']);
    expect(cancellationOf(bad)).toMatchObject({ kind: 'none' });
  });

  it.each([
    ['zero', 0n],
    ['a time that no calendar has', 2n ** 48n - 1n],
  ])('or ends at %s has no end to rely on', (_what, until) => {
    const facts = { account: ACCOUNT, origin: 'https://dapp.example', at: 1, hash: word(1n), title: 'Permit' };
    expect(keptMessage({ ...facts, isDangerous: false, until }, permit(1n)).until).toBeUndefined();
  });
});

describe('what is kept of a signature', () => {
  it.each<[string, TypedData]>([
    ['takes a permission back', permit(0n)],
    ['says nothing of assets', typedData('Mail(string contents)', at(TOKEN), { contents: 'Hello' })],
  ])('is nothing if it %s', (_what, data) => {
    expect(explainTypedData(data, { signer: ACCOUNT, now: NOW }).usable).toBeUndefined();
  });

  it('is replaced if the same is signed again, and expired ones make room first, without being counted', () => {
    const one = kept(permit(1n));
    expect(withKept([one], { ...one, at: 9 }, NOW)).toEqual([{ ...one, at: 9 }]);
    const expired = Array.from({ length: 200 }, (_, n) => ({
      ...one,
      hash: word(BigInt(n)),
      until: 1,
      isDangerous: true,
    }));
    const list = withKept(expired, one, NOW);
    expect(list).toHaveLength(200);
    expect(droppedOf(list)).toBe(0);
  });
});

describe('what a node says of a signature', () => {
  const TRUE = word(1n);
  const transfer = typedData(TRANSFER, at(TOKEN), {
    ...{ from: ACCOUNT, to: SPENDER, value: '5', validAfter: '0', validBefore: LATER, nonce: word(7n) },
  });
  const words = (...values: bigint[]): Hex => `0x${values.map((value) => word(value).slice(2)).join('')}`;

  it.each<[string, TypedData, Hex | undefined, Status]>([
    ['a permit whose nonce is next', permit(1n), word(5n), 'counts'],
    ['a permit whose nonce is to come', permit(1n), word(4n), 'counts'],
    ['a permit whose nonce was used', permit(1n), word(6n), 'gone'],
    ['a permit of a token that does not answer', permit(1n), undefined, 'unknown'],
    ['a permit of a token that answers nothing', permit(1n), '0x', 'unknown'],
    ['an allowance in Permit2 whose nonce is next', single(), words(0n, 0n, 3n), 'counts'],
    ['an allowance in Permit2 whose nonce was used', single(), words(0n, 0n, 4n), 'gone'],
    ['an allowance in Permit2 without an answer', single(), words(0n), 'unknown'],
    ['a one-time transfer that was not used', once, word(~4n & MAX), 'counts'],
    ['a one-time transfer that was used', once, word(4n), 'gone'],
    ['a transfer by signature', transfer, word(0n), 'counts'],
    ['a transfer by signature that was used', transfer, TRUE, 'gone'],
    ['a delegation', delegation, word(0n), 'counts'],
    ['a delegation that was disabled', delegation, TRUE, 'gone'],
    ['a message that Keystead cannot check', single(TOKEN), word(9n), 'unknown'],
  ])('%s: %#', async (_what, data, answer, status) => {
    expect(await statusOf(kept(data), answer)).toBe(status);
  });

  it('is nothing about a delegation of another account', () => {
    expect(formOf(kept({ ...delegation, message: { ...delegation.message, delegator: SPENDER } }))).toBeUndefined();
  });

  it('about a delegation asks for its nonce too', async () => {
    const after = async (disabled: bigint, nonce: bigint | undefined): Promise<Status> =>
      statusOf(kept(delegation), undefined, {
        calls: (reads) =>
          Promise.resolve(
            reads.map(({ to }) => (to !== NONCE_ENFORCER ? word(disabled) : nonce === undefined ? nonce : word(nonce))),
          ),
      });
    expect(await after(0n, 1n)).toBe('counts');
    expect(await after(0n, 2n)).toBe('counts');
    expect(await after(0n, 3n)).toBe('gone');
    expect(await after(0n, undefined)).toBe('unknown');
    expect(await after(1n, undefined)).toBe('gone');
  });

  it('of allowances in Permit2 that fail together is what it says of the worst of them', async () => {
    const batch = typedData(BATCH, at(PERMIT2), {
      details: [3, 8].map((nonce) => ({ token: TOKEN, amount: '7', expiration: '9', nonce })),
      spender: SPENDER,
      sigDeadline: LATER,
    });
    const after = async (...nonces: readonly (bigint | undefined)[]): Promise<Status> =>
      statusOf(kept(batch), undefined, {
        calls: () => Promise.resolve(nonces.map((nonce) => (nonce === undefined ? nonce : words(0n, 0n, nonce)))),
      });
    expect(await after(3n, 8n)).toBe('counts');
    // A nonce that is not reached yet may be reached.
    expect(await after(2n, 7n)).toBe('counts');
    expect(await after(4n, 8n)).toBe('gone');
    expect(await after(3n, 9n)).toBe('gone');
    expect(await after(undefined, 9n)).toBe('gone');
    expect(await after(3n, undefined)).toBe('unknown');
  });

  it('of a one-time transfer in Permit2 is one bit of the word that has its nonce', async () => {
    const asked: unknown[] = [];
    const calls = (reads: readonly Read[]) => {
      for (const { to, data } of reads) asked.push([to, decodeFunctionData({ abi: PERMIT2_ONCE_ABI, data }).args?.[1]]);
      return Promise.resolve([word(0n)]);
    };
    expect(await statusOf(kept(once), undefined, { calls })).toBe('counts');
    expect(asked).toEqual([[expect.stringMatching(new RegExp(PERMIT2, 'iu')), 1n]]);
  });

  it('is about each of several signatures by its own answers', async () => {
    const state = nodeOf(undefined, {
      calls: (reads) => Promise.resolve(reads.map((_, index) => word([0n, 9n, 5n, 6n][index]!))),
    });
    const all = [kept(delegation), kept(single(TOKEN)), kept(permit(1n)), kept(permit(2n))];
    expect(await statusesAt(all, ACCOUNT, state)).toEqual(['gone', 'unknown', 'counts', 'gone']);
    const silent = nodeOf(undefined, { calls: () => Promise.reject(new Error('was asked')) });
    expect(await statusesAt([kept(single(TOKEN))], ACCOUNT, silent)).toEqual(['unknown']);
  });

  it('about an authorization is the number of transactions, and an end is that of its own clock', async () => {
    const authorization: Kept = {
      ...{ account: ACCOUNT, origin: 'metamask', at: 0, hash: word(1n), title: 'Run code' },
      authorization: { address: SPENDER, nonce: '0x4' },
    };
    const nonce = (count: bigint) => ({ nonce: () => Promise.resolve(count) });
    expect(await statusOf(authorization, undefined, nonce(3n))).toBe('counts');
    expect(await statusOf(authorization, undefined, nonce(4n))).toBe('counts');
    expect(await statusOf(authorization, undefined, nonce(5n))).toBe('gone');
    expect(cancellationOf(authorization)).toEqual({ kind: 'transaction' });
    expect(await statusOf(kept(permit(1n)), word(5n), { time: BigInt(LATER) })).toBe('counts');
    expect(await statusOf(kept(permit(1n)), word(5n), { time: BigInt(LATER) + 1n })).toBe('expired');
  });
});

describe('what an account signed as the owner of a Safe', () => {
  const SAFE: Hex = `0x${'5A'.repeat(20)}`;
  const coSigned = (data: TypedData): Kept => {
    const { hash: message, ...facts } = kept(data);
    const hash = toHex(safeMessageDigest(fromHex(message as Hex), SAFE, 1n));
    return { ...facts, forSafe: { address: SAFE, message }, hash };
  };
  const order = typedData(
    'Order(address sellToken,address buyToken,address receiver,uint256 sellAmount,uint256 buyAmount,uint32 validTo,bytes32 appData,uint256 feeAmount,string kind,bool partiallyFillable,string sellTokenBalance,string buyTokenBalance)',
    at('0x9008D19f58AAbD9eD0D60971565AA8510560ab41', 'Gnosis Protocol'),
    {
      ...{ sellToken: TOKEN, buyToken: SPENDER, receiver: SAFE, sellAmount: '5', buyAmount: '7', validTo: LATER },
      ...{ appData: word(0n), feeAmount: '0', kind: 'sell', partiallyFillable: false },
      ...{ sellTokenBalance: 'erc20', buyTokenBalance: 'erc20' },
    },
  );
  const asked = async (one: Kept): Promise<string> => {
    const seen: Read[] = [];
    const calls = (reads: readonly Read[]) => {
      seen.push(...reads);
      return Promise.resolve(reads.map(() => undefined));
    };
    await statusOf(one, undefined, { calls });
    return seen.map(({ data }) => data).join(' ');
  };

  it.each([
    ['an allowance in Permit2', single()],
    ['a transfer in Permit2', once],
    ['an order of CoW', order],
    ['a permit', permit(1n, { owner: SAFE })],
  ])('%s is asked about that Safe, never about the account', async (_what, data) => {
    const reads = await asked(coSigned(data));
    expect(reads).toContain('5a'.repeat(20));
    expect(reads).not.toContain(ACCOUNT.slice(2));
  });

  it('is the order of the Safe, by the hash that the Safe signs', async () => {
    const { hash } = kept(order);
    expect(await asked(coSigned(order))).toContain(`${hash.slice(2)}${'5a'.repeat(20)}`);
  });

  it('is not checked if its data is another message, or a permit of the account itself', async () => {
    const one = coSigned(single());
    const { forSafe: _for, ...ofAccount } = one;
    for (const other of [{ ...one, data: coSigned(once).data! }, ofAccount, coSigned(permit(1n))])
      expect([formOf(other), await statusOf(other, word(9n))]).toEqual([undefined, 'unknown']);
    expect(formOf(one)).toBeDefined();
  });

  it('stands beside the same message of the account', () => {
    const both = withKept(withKept([], kept(once), NOW), coSigned(once), NOW);
    expect(both.map(({ forSafe }) => forSafe?.address)).toEqual([SAFE, undefined]);
  });
});

describe('what an account of several owners does next', () => {
  const SAFE: Hex = `0x${'5a'.repeat(20)}`;
  const ENTRY_POINT = '0x0000000071727De22E5E9d8BAf0edAc6f37da032';
  const MODULE: Hex = '0x75cf11467937ce3F2f357CE24ffc3DBF8fD5c226';
  const zero = `0x${'00'.repeat(20)}`;
  const transaction = typedData(
    'SafeTx(address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,address gasToken,address refundReceiver,uint256 nonce)',
    { chainId: 1, verifyingContract: SAFE },
    {
      ...{ to: SPENDER, value: '7', data: '0x', operation: 0, safeTxGas: '0', baseGas: '0', gasPrice: '0' },
      ...{ gasToken: zero, refundReceiver: zero, nonce: '5' },
    },
  );
  const operation = (more: object = {}, module = MODULE): TypedData =>
    typedData(
      'SafeOp(address safe,uint256 nonce,bytes initCode,bytes callData,uint128 verificationGasLimit,uint128 callGasLimit,uint256 preVerificationGas,uint128 maxPriorityFeePerGas,uint128 maxFeePerGas,bytes paymasterAndData,uint48 validAfter,uint48 validUntil,address entryPoint)',
      { chainId: 1, verifyingContract: module },
      {
        ...{ safe: SAFE, nonce: `${(9n << 64n) + 5n}`, initCode: '0x', callData: '0x12345678' },
        ...{ verificationGasLimit: '1', callGasLimit: '1', preVerificationGas: '1', maxPriorityFeePerGas: '1' },
        ...{ maxFeePerGas: '1', paymasterAndData: '0x', validAfter: 0, validUntil: 0, entryPoint: ENTRY_POINT },
        ...more,
      },
    );
  const packed = typedData(
    'PackedUserOperation(address sender,uint256 nonce,bytes initCode,bytes callData,bytes32 accountGasLimits,uint256 preVerificationGas,bytes32 gasFees,bytes paymasterAndData)',
    { name: 'ERC4337', version: '1', chainId: 1, verifyingContract: '0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108' },
    {
      ...{ sender: SAFE, nonce: '5', initCode: '0x', callData: '0x12345678', accountGasLimits: word(1n) },
      ...{ preVerificationGas: '1', gasFees: word(1n), paymasterAndData: '0x' },
    },
  );

  it.each<[string, TypedData, Hex, string, bigint]>([
    ['a transaction of a Safe', transaction, SAFE, 'affed0e0', 0n],
    ['an operation of a Safe', operation(), ENTRY_POINT, `${SAFE.slice(2)}${word(9n).slice(2)}`, 9n << 64n],
    [
      'an operation of another account',
      packed,
      '0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108',
      `${SAFE.slice(2)}${word(0n).slice(2)}`,
      0n,
    ],
  ])('%s counts until its nonce is used, as its contract says', async (_what, data, to, asks, key) => {
    const one = kept(data);
    const seen: Read[] = [];
    const answering = (nonce: bigint) =>
      statusOf(one, undefined, {
        calls: (reads) => {
          seen.push(...reads);
          return Promise.resolve([word(nonce)]);
        },
      });
    expect([await answering(key + 4n), await answering(key + 5n), await answering(key + 6n)]).toEqual([
      ...['counts', 'counts', 'gone'],
    ]);
    for (const read of seen) {
      expect(read.to).toBe(to.toLowerCase());
      expect(read.data).toContain(asks);
    }
    expect(cancellationOf(one)).toMatchObject({ kind: 'none', why: expect.stringMatching(/same nonce/u) as string });
  });

  it('is not asked of an entry point that nobody knows', () => {
    expect(formOf(kept(operation({ entryPoint: SPENDER })))).toBeUndefined();
  });

  it('ends when Safe’s own module says, not when another contract may', () => {
    const ends = { validUntil: Number(LATER) };
    expect(kept(operation(ends)).until).toBe(Number(LATER));
    expect(kept(operation()).until).toBeUndefined();
    expect(kept(operation(ends, SPENDER)).until).toBeUndefined();
  });
});

describe('what cancels a signature', () => {
  it('of a token is a permit with its nonce that allows nothing, never an approval', () => {
    const cancellation = cancellationOf(kept(permit(MAX)));
    if (cancellation.kind !== 'signature') throw new Error(cancellation.kind);
    expect(cancellation.data.message).toMatchObject({ value: '0', nonce: '5', spender: SPENDER });
    expect(explainTypedData(cancellation.data, { signer: ACCOUNT, now: NOW }).usable).toBeUndefined();
    const call = cancellation.callOf(`0x${'11'.repeat(32)}${'22'.repeat(32)}1b`);
    expect(call.to).toBe(TOKEN);
    expect(decodeFunctionData({ abi: PERMIT_ABI, data: call.data }).args).toEqual([
      ...[expect.stringMatching(new RegExp(ACCOUNT, 'iu')), expect.stringMatching(new RegExp(SPENDER, 'iu'))],
      ...[0n, BigInt(LATER), 27, `0x${'11'.repeat(32)}`, `0x${'22'.repeat(32)}`],
    ]);
  });

  it('of DAI is the same in its own form', () => {
    const dai = typedData(DAI, at(TOKEN), {
      ...{ holder: ACCOUNT, spender: SPENDER, nonce: '5', expiry: '0', allowed: true },
    });
    const cancellation = cancellationOf(kept(dai));
    if (cancellation.kind !== 'signature') throw new Error(cancellation.kind);
    expect(cancellation.data.message).toMatchObject({ allowed: false, nonce: '5' });
    const { data } = cancellation.callOf(`0x${'11'.repeat(32)}${'22'.repeat(32)}1c`);
    expect(decodeFunctionData({ abi: PERMIT_ABI, data }).args.slice(2, 6)).toEqual([5n, 0n, false, 28]);
  });

  it('of a delegation is to disable it, with everything that its hash covers', () => {
    const cancellation = cancellationOf(kept(delegation));
    if (cancellation.kind !== 'calls') throw new Error(cancellation.kind);
    const { to, data } = cancellation.calls[0]!;
    expect(to).toBe(MANAGER.toLowerCase());
    expect(data.slice(0, 10)).toBe('0x49934047');
    expect(decodeFunctionData({ abi: DELEGATION_ABI, data }).args).toMatchObject([
      { salt: 1n, caveats: [{ enforcer: NONCE_ENFORCER, args: '0x' }], signature: '0x' },
    ]);
  });

  it('of a nonce that Permit2 cannot skip is nothing, and it says so', () => {
    const far = single();
    const message = { ...far.message, details: { ...(far.message.details as object), nonce: 70_000 } };
    expect(cancellationOf(kept({ ...far, message }))).toMatchObject({ kind: 'none' });
  });
});

describe('the nonce of an allowance in Permit2', () => {
  const cancelled = (...nonces: number[]) => {
    const batch = typedData(BATCH, at(PERMIT2), {
      details: nonces.map((nonce) => ({ token: TOKEN, amount: '7', expiration: '9', nonce })),
      spender: SPENDER,
      sigDeadline: LATER,
    });
    return cancellationOf(kept(batch));
  };

  it('is skipped, as far as Permit2 skips any', () => {
    for (const nonce of [0, 3, 65_534]) {
      const cancellation = cancelled(nonce);
      if (cancellation.kind !== 'calls') throw new Error(cancellation.kind);
      const { functionName, args } = decodeFunctionData({ abi: PERMIT2_ABI, data: cancellation.calls[0]!.data });
      expect([functionName, args.at(-1)]).toEqual(['invalidateNonces', nonce + 1]);
    }
    expect(cancelled(65_535)).toMatchObject({ kind: 'none', why: expect.stringMatching(/too high/u) as string });
  });
});

describe('the conditions of a delegation', () => {
  const noncesOf = (...caveats: { enforcer: Hex; terms: Hex }[]) => {
    const form = formOf(kept({ ...delegation, message: { ...delegation.message, caveats } }));
    return form?.kind === 'delegation' ? form.nonces.map(({ nonce }) => nonce) : undefined;
  };
  const terms = word(2n);

  it('name a nonce only by the contract for that, in one word', () => {
    expect(noncesOf({ enforcer: NONCE_ENFORCER, terms })).toEqual([2n]);
    expect(noncesOf({ enforcer: TOKEN, terms })).toEqual([]);
    expect(noncesOf({ enforcer: NONCE_ENFORCER, terms: '0x02' })).toEqual([]);
    expect(noncesOf({ enforcer: NONCE_ENFORCER, terms: `${terms}00` })).toEqual([]);
    expect(noncesOf({ enforcer: TOKEN, terms }, { enforcer: NONCE_ENFORCER, terms: word(5n) })).toEqual([5n]);
  });
});

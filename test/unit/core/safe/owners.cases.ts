import { concat, encodeAbiParameters, encodeFunctionData, hashTypedData, keccak256, pad, parseAbi, size } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';

import { MODULE_4337, SAFE_OP_TYPES } from '../../../../src/core/safe/contracts';
import { ownerChangeCall, type OwnerChange, ownersAfter } from '../../../../src/core/safe/owners/changes';
import { collectedFor, completeSignature } from '../../../../src/core/safe/owners/collected';
import { ownerWith, readOwners, type SafeOwners } from '../../../../src/core/safe/owners/owners';
import {
  dummySignatures,
  enoughFor,
  joinSignatures,
  type OwnerSignature,
} from '../../../../src/core/safe/owners/signatures';
import { ALWAYS, safeOpHash, safeOpOf, signedPreimage } from '../../../../src/core/safe/safe-op';
import { type InvalidParamsError } from '../../../../src/core/errors';
import { type Hex } from '../../../../src/core/eth/bytes';

const address = (digit: string): Hex => `0x${digit.repeat(40)}`;
const SAFE = address('5');
const [LOW, MIDDLE, HIGH, OTHER] = [address('1'), address('a'), address('b'), address('c')];
const word = (number: number): Hex => pad(`0x${number.toString(16)}`, { size: 32 });
const list = (owners: readonly Hex[]): Hex => encodeAbiParameters([{ type: 'address[]' }], [owners]);
const current: SafeOwners = { owners: [MIDDLE, LOW, HIGH], threshold: 2 };

describe('the owners that a node names', () => {
  it.each<[string, Hex, bigint, RegExp]>([
    ['no list', '0x1234', 1n, /owners must be a list of addresses/u],
    ['an empty answer', '0x', 1n, /owners must be a list of addresses/u],
    ['no owner', list([]), 1n, /1 to 200 addresses/u],
    ['an owner twice', list([LOW, HIGH, LOW]), 1n, /must not contain an address twice/u],
    ['the zero address', list([address('0')]), 1n, /must not be 0x0…0/u],
    ['the mark at the ends of the list', list([`0x${'0'.repeat(39)}1`]), 1n, /must not be 0x0…0, 0x0…1/u],
    ['the account itself', list([SAFE, LOW]), 1n, /or the account itself/u],
    ['a threshold of zero', list([LOW]), 0n, /from 1 to 1/u],
    ['a threshold above the number of owners', list([LOW, HIGH]), 3n, /from 1 to 2/u],
  ])('are refused: %s', (_what, answer, threshold, rule) => {
    expect(() => readOwners(SAFE, answer, threshold)).toThrow(rule);
  });

  it('are read in the order of the list', () => {
    expect(readOwners(SAFE, list([MIDDLE, LOW, HIGH]), 2n)).toEqual(current);
  });

  it('sign with their key if they have no code or are delegated (EIP-7702)', () => {
    expect(ownerWith(LOW, '0x')).toEqual({ address: LOW, isContract: false });
    expect(ownerWith(LOW, `0xef0100${'77'.repeat(20)}`).isContract).toBe(false);
    expect(ownerWith(LOW, '0x6080').isContract).toBe(true);
  });
});

describe('signatures of several owners', () => {
  const key = (of: Hex, digits: string): OwnerSignature => ({
    address: of,
    isContract: false,
    signature: `0x${digits.repeat(64)}1b`,
  });
  const contract = (of: Hex, bytes: number): OwnerSignature => ({
    address: of,
    isContract: true,
    signature: `0x${'9e'.repeat(bytes)}`,
  });

  it('ascend by address as a number, whatever its case and their order', () => {
    const mixed = key('0xABcdEFABcdEFabcdEfAbCdefabcdeFABcDEFabCD', 'ee');
    expect(joinSignatures([mixed, key(LOW, 'dd')])).toBe(`0x${'dd'.repeat(64)}1b${'ee'.repeat(64)}1b`);
  });

  it('of a passkey and a key have 482 bytes, with the offset from the first of them', () => {
    const joined = joinSignatures([key(LOW, 'dd'), contract(HIGH, 320)]);
    expect(size(joined)).toBe(482);
    expect(joined).toBe(
      concat([
        key(LOW, 'dd').signature,
        pad(HIGH, { size: 32 }),
        word(130),
        '0x00',
        word(320),
        `0x${'9e'.repeat(320)}`,
      ]),
    );
  });

  it('of contracts follow each other without padding', () => {
    const joined = joinSignatures([contract(HIGH, 3), key(MIDDLE, 'dd'), contract(LOW, 5)]);
    expect(joined).toBe(
      concat([
        ...([pad(LOW, { size: 32 }), word(195), '0x00'] as const),
        key(MIDDLE, 'dd').signature,
        ...([pad(HIGH, { size: 32 }), word(195 + 32 + 5), '0x00'] as const),
        ...([word(5), `0x${'9e'.repeat(5)}`, word(3), `0x${'9e'.repeat(3)}`] as const),
      ]),
    );
  });

  it('count for present owners only, and say who is missing', () => {
    const collected = collectedFor([key(LOW, 'dd'), key(OTHER, 'ee')], current);
    expect(collected.valid.map((signed) => signed.address)).toEqual([LOW]);
    expect(collected.strangers).toEqual([OTHER]);
    expect(collected.waiting).toEqual([MIDDLE, HIGH]);
    expect(collected.missing).toBe(1);
    expect(() => completeSignature([key(LOW, 'dd'), key(OTHER, 'ee')], current, ALWAYS)).toThrow(/1 more signature/u);
  });

  it('are exactly as many as the account requires, those of keys first', () => {
    const all = [contract(LOW, 320), key(MIDDLE, 'dd'), key(HIGH, 'ee')];
    expect(completeSignature(all, current, ALWAYS)).toBe(
      concat([`0x${'00'.repeat(12)}`, joinSignatures([key(MIDDLE, 'dd'), key(HIGH, 'ee')])]),
    );
  });

  it('begin with the validity', () => {
    const signature = completeSignature([key(LOW, 'dd'), key(HIGH, 'ee')], current, {
      validAfter: 0x0102,
      validUntil: 0xffff_ffff_ffff,
    });
    expect(signature.slice(0, 26)).toBe('0x000000000102ffffffffffff');
  });

  it('are estimated with the longest that may come, and with a floor for each kind', () => {
    const owners = [ownerWith(LOW, '0x'), ownerWith(MIDDLE, '0x60'), ownerWith(HIGH, '0x')];
    expect(size(dummySignatures(owners, 1))).toBe(65 + 32 + (128 + 64 + 64) + 288);
    expect(size(dummySignatures(owners, 2))).toBe(size(dummySignatures(owners, 1)) + 65);
    expect(
      size(
        dummySignatures(
          owners.filter(({ isContract }) => !isContract),
          2,
        ),
      ),
    ).toBe(130);
    // Measured: 97,323 for two keys, 448,534 for a passkey with Daimo's verifier, before the account has a deposit.
    const raised = (some: typeof owners, threshold: number) =>
      enoughFor({ verificationGasLimit: 1n }, some, threshold).verificationGasLimit;
    expect(
      raised(
        owners.filter(({ isContract }) => !isContract),
        2,
      ),
    ).toBeGreaterThan(97_323n);
    expect(raised(owners, 1)).toBeGreaterThan(448_534n);
    // An estimate has what the network charges for the rest, and one signature at most.
    for (const estimate of [150_000n, 400_000n, 10n ** 6n]) {
      const enough = enoughFor({ verificationGasLimit: estimate, callGasLimit: 1n }, owners, 2);
      expect(enough).toEqual({ verificationGasLimit: estimate + 408_000n, callGasLimit: 1n });
    }
  });
});

describe('what each owner signs', () => {
  const operation = {
    sender: SAFE,
    nonce: 7n,
    initCode: '0x',
    callData: '0x1234',
    callGasLimit: 1n,
    verificationGasLimit: 2n,
    preVerificationGas: 3n,
    maxFeePerGas: 4n,
    maxPriorityFeePerGas: 5n,
    paymasterAndData: '0x',
    signature: '0x',
  } as const;
  const place = { chainId: 31_337n, entryPoint: address('e') };

  it('is the EIP-712 hash, and contracts get the bytes that it is the hash of', () => {
    const validity = { validAfter: 1, validUntil: 2 };
    const safeOp = safeOpOf(operation, place, validity);
    const expected = hashTypedData({
      domain: { chainId: 31_337, verifyingContract: MODULE_4337 },
      types: SAFE_OP_TYPES,
      primaryType: 'SafeOp',
      message: { ...operation, ...validity, safe: SAFE, entryPoint: place.entryPoint },
    });
    expect(safeOpHash(safeOp)).toBe(expected);
    expect(size(signedPreimage(safeOp))).toBe(66);
    expect(keccak256(signedPreimage(safeOp))).toBe(expected);
  });

  it('recovers to the signer', async () => {
    const signer = privateKeyToAccount(generatePrivateKey());
    const safeOp = safeOpOf(operation, place, ALWAYS);
    const { domain, ...rest } = safeOp;
    const signature = await signer.signTypedData({ ...rest, domain: { ...domain, chainId: 31_337 } });
    expect(signature).toBe(await signer.sign({ hash: safeOpHash(safeOp) }));
  });
});

describe('changes of owners', () => {
  const abi = parseAbi([
    'function addOwnerWithThreshold(address owner, uint256 _threshold)',
    'function removeOwner(address prevOwner, address owner, uint256 _threshold)',
    'function swapOwner(address prevOwner, address oldOwner, address newOwner)',
    'function changeThreshold(uint256 _threshold)',
  ]);
  const first: Hex = `0x${'0'.repeat(39)}1`;

  it.each<[OwnerChange, Hex, SafeOwners]>([
    [
      { kind: 'add', owner: OTHER, threshold: 3 },
      encodeFunctionData({ abi, functionName: 'addOwnerWithThreshold', args: [OTHER, 3n] }),
      { owners: [OTHER, MIDDLE, LOW, HIGH], threshold: 3 },
    ],
    [
      { kind: 'remove', owner: LOW, threshold: 1 },
      encodeFunctionData({ abi, functionName: 'removeOwner', args: [MIDDLE, LOW, 1n] }),
      { owners: [MIDDLE, HIGH], threshold: 1 },
    ],
    [
      { kind: 'remove', owner: MIDDLE, threshold: 2 },
      encodeFunctionData({ abi, functionName: 'removeOwner', args: [first, MIDDLE, 2n] }),
      { owners: [LOW, HIGH], threshold: 2 },
    ],
    [
      { kind: 'replace', owner: HIGH, by: OTHER },
      encodeFunctionData({ abi, functionName: 'swapOwner', args: [LOW, HIGH, OTHER] }),
      { owners: [MIDDLE, LOW, OTHER], threshold: 2 },
    ],
    [
      { kind: 'threshold', threshold: 1 },
      encodeFunctionData({ abi, functionName: 'changeThreshold', args: [1n] }),
      { ...current, threshold: 1 },
    ],
  ])('are calls of the account to itself: %j', (change, data, after) => {
    expect(ownerChangeCall(SAFE, current, change)).toEqual({ to: SAFE, value: 0n, data });
    expect(ownersAfter(SAFE, current, change)).toEqual(after);
  });

  it.each<[OwnerChange, string, RegExp]>([
    [{ kind: 'add', owner: LOW, threshold: 2 }, 'owner', /must not be an owner already/u],
    [{ kind: 'add', owner: SAFE, threshold: 2 }, 'owner', /or the account itself/u],
    [{ kind: 'add', owner: first, threshold: 2 }, 'owner', /0x0…1/u],
    [{ kind: 'add', owner: OTHER, threshold: 5 }, 'threshold', /from 1 to 4/u],
    [{ kind: 'remove', owner: OTHER, threshold: 1 }, 'owner', /must be an owner of the account/u],
    [{ kind: 'remove', owner: LOW, threshold: 3 }, 'threshold', /from 1 to 2/u],
    [{ kind: 'replace', owner: OTHER, by: address('d') }, 'owner', /must be an owner of the account/u],
    [{ kind: 'replace', owner: LOW, by: HIGH }, 'by', /must not be an owner already/u],
    [{ kind: 'threshold', threshold: 0 }, 'threshold', /from 1 to 3/u],
    [{ kind: 'threshold', threshold: 1.5 }, 'threshold', /from 1 to 3/u],
  ])('that the contract would refuse are refused, naming the field: %j', (change, field, rule) => {
    expect(() => ownerChangeCall(SAFE, current, change)).toThrow(
      expect.objectContaining({ field, message: expect.stringMatching(rule) as string }) as InvalidParamsError,
    );
  });

  it('never remove the only owner', () => {
    const only = { owners: [LOW], threshold: 1 };
    expect(() => ownerChangeCall(SAFE, only, { kind: 'remove', owner: LOW, threshold: 1 })).toThrow(/the only owner/u);
  });
});

describe('the bounds of owners', () => {
  const many = (count: number): Hex[] =>
    Array.from({ length: count }, (_, at): Hex => `0x${(at + 2).toString(16).padStart(40, '0')}`);

  it('are 200 of them, and a threshold up to their number', () => {
    expect(readOwners(SAFE, list(many(200)), 200n)).toEqual({ owners: many(200), threshold: 200 });
    expect(() => readOwners(SAFE, list(many(201)), 1n)).toThrow(/1 to 200 addresses/u);
    expect(readOwners(SAFE, list(many(1)), 1n).threshold).toBe(1);
  });

  it.each<OwnerChange>([
    { kind: 'threshold', threshold: 3 },
    { kind: 'threshold', threshold: 1 },
    { kind: 'add', owner: OTHER, threshold: 4 },
    { kind: 'add', owner: OTHER, threshold: 1 },
    { kind: 'remove', owner: LOW, threshold: 2 },
    { kind: 'remove', owner: LOW, threshold: 1 },
  ])('take the change %j', (change) => {
    expect(ownersAfter(SAFE, current, change)).toMatchObject({ threshold: 'threshold' in change && change.threshold });
  });

  it.each<OwnerChange>([
    { kind: 'threshold', threshold: 4 },
    { kind: 'threshold', threshold: -1 },
    { kind: 'threshold', threshold: Number.NaN },
    { kind: 'add', owner: OTHER, threshold: 0 },
    { kind: 'remove', owner: LOW, threshold: 0 },
  ])('refuse the change %j', (change) => {
    expect(() => ownersAfter(SAFE, current, change)).toThrow(/threshold: must be from 1 to/u);
  });

  it('hold whatever the case of an address', () => {
    const mixed: SafeOwners = { owners: ['0xABcdEFABcdEFabcdEfAbCdefabcdeFABcDEFabCD', LOW], threshold: 1 };
    const change = { kind: 'remove', owner: '0xabcdefabcdefabcdefabcdefabcdefabcdefabcd', threshold: 1 } as const;
    expect(ownersAfter(SAFE, mixed, change).owners).toEqual([LOW]);
  });
});

describe('the gas that signatures take', () => {
  const owner = { address: LOW, isContract: false };
  const enough = (estimate: bigint, threshold: number, owners = [owner, { ...owner, isContract: true }]) =>
    enoughFor({ verificationGasLimit: estimate }, owners, threshold).verificationGasLimit;

  it('is that of the costliest owners, above at least what validation takes', () => {
    const [low, high] = [enough(0n, 1), enough(0n, 2)];
    expect(high - low).toBe(8_000n);
    expect(enough(0n, 1, [owner, owner])).toBe(low - 400_000n + 8_000n);
    const base = low - 400_000n;
    expect(enough(base, 1)).toBe(low);
    expect(enough(base + 1n, 1)).toBe(low + 1n);
    expect(enough(base - 1n, 1)).toBe(low);
  });
});

import { privateKeyToAccount } from 'viem/accounts';

import { type InvalidParamsError } from '../../../../src/core/errors';
import { type Hex } from '../../../../src/core/eth/bytes';
import { readProposal, writeProposal } from '../../../../src/core/schemas/any-proposal';
import { withSignature } from '../../../../src/core/schemas/owner-signatures';
import { newProposal, type SafeProposal } from '../../../../src/core/schemas/safe-proposal';

const OWNER = privateKeyToAccount(`0x${'17'.repeat(32)}`);
const OTHER = privateKeyToAccount(`0x${'18'.repeat(32)}`);
const lower = (address: Hex): Hex => address.toLowerCase() as Hex;

const OPERATION = {
  sender: `0x${'5a'.repeat(20)}`,
  nonce: 7n,
  initCode: '0x',
  callData: '0x7bb37428',
  callGasLimit: 100_000n,
  verificationGasLimit: 200_000n,
  preVerificationGas: 50_000n,
  maxFeePerGas: 20n,
  maxPriorityFeePerGas: 10n,
  paymasterAndData: '0x',
  signature: '0x',
} as const;

type File = {
  typedData: {
    types: { EIP712Domain: { name: string; type: string }[]; SafeOp: { name: string; type: string }[] };
    domain: Record<string, unknown>;
    primaryType: string;
    message: Record<string, unknown>;
  };
  signatures: Record<string, unknown>[];
} & Record<string, unknown>;

async function signed(): Promise<SafeProposal> {
  const proposal = newProposal(OPERATION, 31_337n);
  const signature = await OWNER.sign({ hash: proposal.hash });
  return withSignature(proposal, { address: lower(OWNER.address), isContract: false, signature });
}

/** The file after a change. */
async function changed(change: (file: File) => void): Promise<string> {
  const file = JSON.parse(writeProposal(await signed())) as File;
  change(file);
  return JSON.stringify(file);
}

describe('a proposal file that deceives', () => {
  it.each<[string, string, RegExp, (file: File) => void]>([
    ['another format', 'proposal.format', /must be "keystead-safe-proposal"/u, (file) => (file.format = 'x')],
    ['another version', 'proposal.version', /must be 1/u, (file) => (file.version = 2)],
    ['an unknown member', 'proposal.calls', /is not a known field/u, (file) => (file.calls = [])],
    [
      'another module',
      'proposal.typedData.domain.verifyingContract',
      /Safe4337Module 0\.3\.0/u,
      (file) => (file.typedData.domain.verifyingContract = `0x${'66'.repeat(20)}`),
    ],
    [
      'a name in the domain',
      'proposal.typedData.domain.name',
      /is not a known field/u,
      (file) => (file.typedData.domain.name = 'Safe'),
    ],
    [
      'a chain that is no number',
      'proposal.typedData.domain.chainId',
      /must be an integer/u,
      (file) => (file.typedData.domain.chainId = '1'),
    ],
    [
      'another chain under the same hash',
      'proposal.hash',
      /must be the EIP-712 hash/u,
      (file) => (file.typedData.domain.chainId = 1),
    ],
    [
      'another type to sign',
      'proposal.typedData.primaryType',
      /must be "SafeOp"/u,
      (file) => (file.typedData.primaryType = 'SafeTx'),
    ],
    [
      'a type with a member less',
      'proposal.typedData.types.SafeOp[12]',
      /is missing/u,
      (file) => file.typedData.types.SafeOp.pop(),
    ],
    [
      'a type with a member more',
      'proposal.typedData.types.SafeOp[13]',
      /is not a known field/u,
      (file) => file.typedData.types.SafeOp.push({ name: 'data', type: 'bytes' }),
    ],
    [
      'members in another order',
      'proposal.typedData.types.SafeOp[0].name',
      /must be "safe"/u,
      (file) => file.typedData.types.SafeOp.reverse(),
    ],
    [
      'a member of another type',
      'proposal.typedData.types.SafeOp[1].type',
      /must be "uint256"/u,
      (file) => (file.typedData.types.SafeOp[1] = { name: 'nonce', type: 'uint128' }),
    ],
    [
      'a nonce key, which later operations do not replace',
      'proposal.typedData.message.nonce',
      /at most 2\^64-1 \(key 0\)/u,
      (file) => (file.typedData.message.nonce = (12345n << 64n).toString()),
    ],
    [
      'another entry point',
      'proposal.typedData.message.entryPoint',
      /the entry point 0\.7/u,
      (file) => (file.typedData.message.entryPoint = `0x${'66'.repeat(20)}`),
    ],
    [
      'other calls under the same hash',
      'proposal.hash',
      /must be the EIP-712 hash/u,
      (file) => (file.typedData.message.callData = '0x7bb37429'),
    ],
    [
      'another account under the same hash',
      'proposal.hash',
      /must be the EIP-712 hash/u,
      (file) => (file.typedData.message.safe = `0x${'66'.repeat(20)}`),
    ],
    [
      'a deployment',
      'proposal.typedData.message.initCode',
      /must be deployed already/u,
      (file) => (file.typedData.message.initCode = `0x${'66'.repeat(20)}`),
    ],
    [
      'a paymaster that is too short',
      'proposal.typedData.message.paymasterAndData',
      /two gas limits/u,
      (file) => (file.typedData.message.paymasterAndData = `0x${'66'.repeat(51)}`),
    ],
    [
      'a number with a leading zero',
      'proposal.typedData.message.nonce',
      /without leading zeros/u,
      (file) => (file.typedData.message.nonce = '07'),
    ],
    [
      'a number that JSON rounds',
      'proposal.typedData.message.nonce',
      /in decimal digits/u,
      (file) => (file.typedData.message.nonce = 7),
    ],
    [
      'a gas limit above the maximum of the entry point',
      'proposal.typedData.message.callGasLimit',
      /at most 2\^120-1/u,
      (file) => (file.typedData.message.callGasLimit = (1n << 120n).toString()),
    ],
    [
      'a priority fee above the fee',
      'proposal.typedData.message.maxPriorityFeePerGas',
      /must not be above maxFeePerGas/u,
      (file) => (file.typedData.message.maxPriorityFeePerGas = '21'),
    ],
    [
      'an end before the start',
      'proposal.typedData.message.validUntil',
      /must be after validAfter/u,
      (file) => Object.assign(file.typedData.message, { validAfter: 2, validUntil: 1 }),
    ],
    [
      'another validity under the same hash',
      'proposal.hash',
      /must be the EIP-712 hash/u,
      (file) => (file.typedData.message.validUntil = 99),
    ],
    [
      'a member of the message that nobody signs',
      'proposal.typedData.message.operation',
      /is not a known field/u,
      (file) => (file.typedData.message.operation = 0),
    ],
    [
      "somebody else's signature",
      'proposal.signatures[0].signature',
      /must be the owner's signature of hash/u,
      (file) => Object.assign(file.signatures[0] ?? {}, { owner: OTHER.address }),
    ],
    [
      'a signature of the form of eth_sign',
      'proposal.signatures[0].signature',
      /with v 27 or 28/u,
      (file) => Object.assign(file.signatures[0] ?? {}, { signature: `0x${'11'.repeat(64)}1f` }),
    ],
    [
      'a signature that recovers nobody',
      'proposal.signatures[0].signature',
      /must be the owner's signature of hash/u,
      (file) => Object.assign(file.signatures[0] ?? {}, { signature: `0x${'00'.repeat(64)}1b` }),
    ],
    [
      'a key that signs as a contract without bytes',
      'proposal.signatures[0].signature',
      /must be 1 to 8192 bytes/u,
      (file) => Object.assign(file.signatures[0] ?? {}, { by: 'contract', signature: '0x' }),
    ],
    [
      'an owner twice, in another case',
      'proposal.signatures[1].owner',
      /must not sign twice/u,
      (file) => file.signatures.push({ ...file.signatures[0], owner: OWNER.address }),
    ],
    [
      'a key that signs twice, once falsely',
      'proposal.signatures[1].owner',
      /must not sign twice/u,
      (file) => file.signatures.push({ ...file.signatures[0], signature: `0x${'11'.repeat(64)}1b` }),
    ],
    [
      'a signature of a contract that stands there twice',
      'proposal.signatures[2].owner',
      /must not sign twice/u,
      (file) => {
        const claim = { owner: OWNER.address, by: 'contract', signature: '0xab' };
        file.signatures.push(claim, { ...claim, signature: '0xAB' });
      },
    ],
  ])('with %s is refused', async (_what, field, rule, change) => {
    await expect(readProposal(await changed(change))).rejects.toMatchObject<Partial<InvalidParamsError>>({
      field,
      rule: expect.stringMatching(rule) as string,
    });
  });

  it('is refused if it is not JSON, or too long', async () => {
    await expect(readProposal('0x')).rejects.toThrow('proposal: must be JSON');
    await expect(readProposal(' '.repeat(1_000_001))).rejects.toThrow(/at most 1000000 characters/u);
    await expect(readProposal('[]')).rejects.toThrow(/^proposal/u);
  });
});

describe('a proposal file', () => {
  it('is read as it was written', async () => {
    const proposal = await signed();
    expect(await readProposal(writeProposal(proposal))).toEqual(proposal);
  });

  it('carries a signature of a contract, which its network checks', async () => {
    const proposal = withSignature(await signed(), {
      address: `0x${'77'.repeat(20)}`,
      isContract: true,
      signature: '0x1234',
    });
    expect((await readProposal(writeProposal(proposal))).signatures).toHaveLength(2);
  });

  it('takes a new signature of an owner in place of the former', async () => {
    const proposal = await signed();
    const again = { address: OWNER.address, isContract: true, signature: '0x12' } as const;
    expect(withSignature(proposal, again).signatures).toEqual([again]);
  });
});

describe('the paymaster of a proposal', () => {
  const reading = async (paymasterAndData: string): Promise<string> =>
    readProposal(await changed((file) => (file.typedData.message.paymasterAndData = paymasterAndData))).then(
      () => 'taken',
      (error: unknown) => (error as Error).message,
    );

  it('is none, or has its gas limits and is somebody', async () => {
    // The file then has another hash, which is looked at last.
    const other = 'proposal.hash: must be the EIP-712 hash of typedData';
    expect(await reading('0x')).toBe('taken');
    expect(await reading(`0x${'ee'.repeat(52)}`)).toBe(other);
    expect(await reading(`0x${'ee'.repeat(53)}`)).toBe(other);
    for (const wrong of [`0x${'ee'.repeat(51)}`, `0x${'00'.repeat(52)}`, '0xe', `0x${'00'.repeat(20)}`])
      expect(await reading(wrong)).toMatch(/paymasterAndData: must be 0x, or a paymaster/u);
  });
});

describe('the numbers of a proposal', () => {
  const reading = async (fields: Record<string, unknown>): Promise<string> =>
    readProposal(await changed((file) => Object.assign(file.typedData.message, fields))).then(
      () => 'taken',
      // What fits has another hash, which is looked at last.
      (error: unknown) => ((error as Error).message.startsWith('proposal.hash') ? 'fits' : (error as Error).message),
    );
  const most = (bits: number) => (2n ** BigInt(bits) - 1n).toString();
  const above = (bits: number) => (2n ** BigInt(bits)).toString();

  it('have bounds', async () => {
    expect(await reading({ nonce: most(64) })).toBe('fits');
    expect(await reading({ nonce: above(64) })).toMatch(/nonce: must be a number .* at most 2\^64-1/u);
    for (const name of ['callGasLimit', 'verificationGasLimit', 'preVerificationGas', 'maxFeePerGas']) {
      expect([name, await reading({ [name]: most(120) })]).toEqual([name, 'fits']);
      expect([name, await reading({ [name]: above(120) })]).toEqual([name, expect.stringContaining('at most 2^120-1')]);
    }
    for (const nonce of ['01', '', '0x1', '-1', '1.5', 1, `1${'0'.repeat(78)}`])
      expect(await reading({ nonce })).toMatch(/nonce: must be a number/u);
  });

  it('fit each other', async () => {
    expect(await reading({ maxFeePerGas: '10', maxPriorityFeePerGas: '10' })).toBe('fits');
    expect(await reading({ maxFeePerGas: '10', maxPriorityFeePerGas: '11' })).toMatch(
      /must not be above maxFeePerGas/u,
    );
    expect(await reading({ validAfter: 5, validUntil: 6 })).toBe('fits');
    expect(await reading({ validAfter: 5, validUntil: 0 })).toBe('fits');
    expect(await reading({ validAfter: 5, validUntil: 5 })).toMatch(/validUntil: must be after validAfter/u);
    expect(await reading({ validAfter: 5, validUntil: 4 })).toMatch(/validUntil: must be after validAfter/u);
    expect(await reading({ validUntil: 2 ** 48 - 1 })).toBe('fits');
    expect(await reading({ validUntil: 2 ** 48 })).toMatch(/validUntil: must be an integer from 0 to/u);
  });
});

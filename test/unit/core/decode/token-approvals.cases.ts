import { encodeFunctionData, maxUint160, parseAbi } from 'viem';

import { ZERO_ADDRESS } from '../../../../src/core/eth/address';
import { type Hex } from '../../../../src/core/eth/bytes';
import { contractKey, NO_METADATA } from '../../../../src/core/decode/metadata/contract-metadata';
import { MULTI_SEND_CALL_ONLY } from '../../../../src/core/safe/contracts';
import { ALICE, BOB, codesOf, explainCall, ME, saying, USDC, VIEW, written } from '../../../support/explaining';

const APES: Hex = '0xBC4CA0EdA7647A8aB7C2061c2E118A18a936f13D';
const PERMIT2: Hex = '0x000000000022D473030F116dDEE9F6B43aC78BA3';
const REVOKED = 'Revoke an approval';

const encode = (signature: string, args: readonly unknown[]): Hex =>
  encodeFunctionData({ abi: parseAbi([`function ${signature}`] as string[]), args } as never);
const called = (to: Hex, signature: string, args: readonly unknown[]) => explainCall(to, encode(signature, args));

describe('approve of a contract that says that it is a collection of NFTs', () => {
  const contractMetadata = { ...NO_METADATA, tokens: {}, declared: { [contractKey(1n, APES)]: 'erc721' as const } };
  const approve = (spender: Hex, id: bigint) =>
    explainCall(APES, encode('approve(address,uint256)', [spender, id]), { view: { ...VIEW, contractMetadata } });

  it('gives somebody an NFT, whichever ID it has', () => {
    for (const id of [0n, 7n]) {
      const given = approve(BOB, id);
      expect(given.sections[0]?.title).toBe('Approve an NFT');
      expect(saying(given)).toContain(`move NFT #${id} of`);
    }
  });

  it('takes it back by naming nobody, and not by the ID', () => {
    const taken = approve(ZERO_ADDRESS, 7n);
    expect(taken.sections[0]?.title).toBe(REVOKED);
    expect(codesOf(taken)).toEqual([]);
  });
});

describe('approve of Permit2', () => {
  const signature = 'approve(address,address,uint160,uint48)';
  it.each([
    [0n, REVOKED],
    [1n, 'Approve spending'],
    [maxUint160, 'Approve spending'],
  ])('of %s units is called “%s”', (amount, title) => {
    expect(called(PERMIT2, signature, [USDC, BOB, amount, 1_900_000_000]).sections[0]?.title).toBe(title);
  });
});

describe('code that a Safe runs as its own', () => {
  const run = (code: Hex, data: Hex) =>
    codesOf(
      called(ALICE, 'execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)', [
        ...[code.toLowerCase(), 0n, data, 1, 0n, 0n, 0n, ZERO_ADDRESS, ZERO_ADDRESS, '0x'],
      ]),
    );

  it('is a danger even at the contract that only makes calls, if nobody can read which', () => {
    expect(run(MULTI_SEND_CALL_ONLY, '0xdeadbeef')).toContain('delegatecall');
    expect(run(BOB, encode('multiSend(bytes)', ['0x']))).toContain('delegatecall');
    expect(run(MULTI_SEND_CALL_ONLY, encode('multiSend(bytes)', ['0x']))).toEqual([]);
  });
});

describe('the first set-up of a Safe', () => {
  const setup = (initializer: Hex, payment = 0n, receiver: Hex = ZERO_ADDRESS, safe = ALICE) =>
    called(safe, 'setup(address[],uint256,address,bytes,address,address,uint256,address)', [
      ...[[BOB], 1n, initializer, '0x', ZERO_ADDRESS, USDC, payment, receiver],
    ]);

  it('is a danger if it runs code, which can do anything with what the Safe was sent before', () => {
    expect(codesOf(setup(BOB))).toEqual(['account-administration', 'delegatecall']);
    expect(codesOf(setup(ZERO_ADDRESS))).toEqual([]);
  });

  it('says what it pays out of the Safe, and to whom', () => {
    const rowsOf = (payment: bigint, receiver?: Hex) => setup(ZERO_ADDRESS, payment, receiver, ME).changes.map(written);
    expect(rowsOf(0n, BOB)).toEqual([]);
    expect(rowsOf(5_000_000n, BOB)).toEqual(['You send: 5 USDC']);
    expect(rowsOf(5_000_000n)).toEqual(['You send: 5 USDC']);
    expect(setup(ZERO_ADDRESS, 1n, BOB, ME).main.map(written)).toContain(`To: ${BOB}`);
    expect(setup(ZERO_ADDRESS, 1n, ZERO_ADDRESS, ME).main.map(written).join()).not.toContain(ZERO_ADDRESS);
  });
});

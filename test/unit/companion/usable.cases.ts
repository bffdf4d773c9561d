import { encodeAbiParameters, type Hex, pad, toHex } from 'viem';

import { holdingsOf, totalOf } from '../../../src/companion/model/portfolio';
import { canSend, payerOf, usableOn } from '../../../src/companion/model/usable';
import { DEVNET, SAFE as SAMPLE, STANDARD } from '../../support/companion/samples';
import { NoAnswer, type SimulatedNode, startSimulatedNode } from '../../support/simulated-node';

const THIEF: Hex = `0x${'66'.repeat(20)}`;
const owner: Hex = `0x${'0a'.repeat(20)}`;
const SAFE = { ...SAMPLE, options: { ...SAMPLE.options, owner } };
const list = (addresses: readonly Hex[]): Hex => encodeAbiParameters([{ type: 'address[]' }], [addresses]);

describe('the accounts that their keys control', () => {
  let node: SimulatedNode;
  let owners: readonly Hex[];
  let code: Hex;
  beforeEach(async () => {
    [owners, code] = [[owner], '0x60'];
    node = await startSimulatedNode({
      eth_getCode: () => code,
      eth_getStorageAt: () => pad(toHex(BigInt(owners.length))),
      eth_call: () => list(owners),
    });
  });
  afterEach(() => node.stop());
  const chain = (change: object = {}) => ({ ...DEVNET, rpcUrl: node.url, ...change });
  const usable = () => usableOn([STANDARD, SAFE], chain());

  it('leave out a Safe that somebody else has recovered, and it is not in the total', async () => {
    owners = [THIEF];
    const found = await usable();
    expect(found).toEqual([{ account: STANDARD, signatures: 1 }]);
    const portfolio = {
      [STANDARD.address.toLowerCase()]: { coin: 1n, tokens: [2n] },
      [SAFE.address.toLowerCase()]: { coin: 100n, tokens: [200n] },
    };
    const counted = holdingsOf(
      portfolio,
      found.map(({ account }) => account),
    );
    expect(totalOf(counted, [{}] as never)).toEqual({ coin: 1n, tokens: [2n] });
  });

  it('leave out an account of another network', async () => {
    expect(await usableOn([STANDARD, SAFE], chain({ chainId: 'eip155:5' }))).toEqual([
      { account: STANDARD, signatures: 1 },
    ]);
  });

  it('keep a Safe with its key, one that is not deployed, and one whose node does not answer', async () => {
    owners = [owner, THIEF];
    expect(await usable()).toEqual([
      { account: STANDARD, signatures: 1 },
      { account: SAFE, signatures: 2 },
    ]);
    code = '0x';
    expect(await usable()).toHaveLength(2);
    node.answers.eth_getCode = () => {
      throw new NoAnswer();
    };
    expect(await usable()).toHaveLength(2);
  });

  it('cannot send from a smart account without a bundler', () => {
    const [standard, safe] = [STANDARD, SAFE].map((account) => ({ account, signatures: 1 }));
    expect([canSend(standard!, {}), canSend(safe!, {}), canSend(safe!, { bundlerUrl: 'http://localhost:2' })]).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('pay for themselves once several owners have to sign', () => {
    const sponsored = { paymasterUrl: 'http://localhost:2' };
    expect(payerOf({ account: SAFE, signatures: 1 }, sponsored)).toBe('paymaster');
    expect(payerOf({ account: SAFE, signatures: 2 }, sponsored)).toBe('account');
    expect(payerOf({ account: STANDARD, signatures: 1 }, sponsored)).toBe('unsure');
    expect(payerOf({ account: SAFE, signatures: 1 }, {})).toBe('account');
  });
});

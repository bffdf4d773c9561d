import { type Json } from '@metamask/snaps-sdk';
import { type Hex } from 'viem';

import { ENTRY_POINTS } from '../../../../src/core/erc4337/entry-points';
import { type Kept } from '../../../../src/core/ledger/signed/kept';
import { type ChainConfiguration } from '../../../../src/core/schemas/chain-configuration';
import { checkAuthorizations } from '../../../../src/snap/handlers/check-authorizations';
import { SignedRepository } from '../../../../src/snap/account/signed/repository';
import { NoAnswer, type SimulatedNode, startSimulatedNode } from '../../../support/simulated-node';

const ACCOUNT: Hex = `0x${'a1'.repeat(20)}`;

const kept = (digit: string, nonce: Hex | undefined, chainId?: Kept['chainId']): Kept => ({
  account: ACCOUNT,
  origin: 'https://dapp.example',
  at: 1,
  hash: `0x${digit.repeat(64)}`,
  title: 'Run code',
  ...(chainId && { chainId }),
  ...(nonce && { authorization: { address: ACCOUNT, nonce } }),
});
const USED = kept('1', '0x4', 'eip155:31337');
const NEXT = kept('2', '0x5', 'eip155:31337');
/** It may be used on each network once. */
const EVERYWHERE = kept('3', '0x4');
const ELSEWHERE = kept('4', '0x4', 'eip155:1');
const PERMIT = kept('5', undefined, 'eip155:31337');
const ALL = [USED, NEXT, EVERYWHERE, ELSEWHERE, PERMIT];

describe('authorizations that were used', () => {
  let node: SimulatedNode;
  let stored: Json;
  const signed = new SignedRepository({
    read: () => Promise.resolve(stored),
    write: (_key, value) => {
      stored = value;
      return Promise.resolve();
    },
  });
  const check = async (): Promise<readonly Kept[]> => {
    const list: ChainConfiguration[] = [
      { chainId: 'eip155:31337', rpcUrl: node.url, entryPoint: ENTRY_POINTS['0.7'], entryPointVersion: '0.7' },
    ];
    return checkAuthorizations({ signed, chains: { list: () => Promise.resolve(list) } });
  };
  beforeAll(async () => {
    node = await startSimulatedNode();
  });
  beforeEach(async () => {
    stored = null;
    await signed.add(ALL, 1n);
  });
  afterAll(() => node.stop());

  it('are still listed if the node does not answer', async () => {
    const { eth_getTransactionCount } = node.answers;
    node.answers.eth_getTransactionCount = () => {
      throw new NoAnswer();
    };
    expect(await check()).toEqual(ALL);
    node.answers.eth_getTransactionCount = eth_getTransactionCount!;
  });

  it('are noted by the nonce of the account, with the name of the node, and not asked about again', async () => {
    const goneAt = `the node at ${new URL(node.url).host}`;
    expect(await check()).toEqual([{ ...USED, goneAt }, NEXT, EVERYWHERE, ELSEWHERE, PERMIT]);
    node.asked.length = 0;
    await check();
    expect(node.asked).toHaveLength(1);
  });
});

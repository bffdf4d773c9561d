import { type KeyringResponse } from '@metamask/keyring-api';
import { type Json } from '@metamask/snaps-sdk';
import { encodeAbiParameters, pad } from 'viem';

import { ENTRY_POINTS } from '../../../../../src/core/erc4337/entry-points';
import { type Hex } from '../../../../../src/core/eth/bytes';
import { GET_OWNERS } from '../../../../../src/core/safe/owners/owners';
import { IS_VALID } from '../../../../../src/core/safe/safe-message';
import { answerMessage } from '../../../../../src/snap/account/sign-with-owners';
import { NodeRefusal, type SimulatedNode, startSimulatedNode } from '../../../../support/simulated-node';
import { startKeyring } from '../../../../support/wallet/keyring';
import { WalletDouble } from '../../../../support/wallet/wallet-double';

const CHAIN = 'eip155:31337';
const SITE = 'https://dapp.example';
const OTHER: Hex = '0x6666666666666666666666666666666666666666';
const COLLECTED: Hex = `0x${'ab'.repeat(130)}`;
const VALID = `0x${IS_VALID.toString(16)}`;
/** `isValidSignature(bytes32,bytes)` */
const VALIDITY = '0x1626ba7e';

describe('a message of an account with two owners', () => {
  let node: SimulatedNode;
  /** What the account answers about a signature. */
  let verdict: () => Promise<string> | string;
  let owner: Hex;
  beforeEach(async () => {
    verdict = () => VALID;
    node = await startSimulatedNode({
      eth_getCode: ([address]) => (address === OTHER || address === owner ? '0x' : '0x60'),
      eth_getStorageAt: () => pad('0x2'),
      eth_call: ([call]) => {
        const { data } = call as { data: string };
        if (data === GET_OWNERS) return encodeAbiParameters([{ type: 'address[]' }], [[owner, OTHER]]);
        return data.startsWith(VALIDITY) ? verdict() : pad('0x0');
      },
    });
  });
  afterEach(() => node.stop());

  /** A site has asked, the person has agreed, and the own key has signed. */
  async function start() {
    const wallet = new WalletDouble();
    const { deps, keyring } = startKeyring({ wallet });
    const services = { rpcUrl: node.url, bundlerUrl: node.url };
    await deps.chains.put({
      ...{ chainId: CHAIN, entryPoint: ENTRY_POINTS['0.7'], entryPointVersion: '0.7', ...services },
    });
    const account = await keyring.createAccount({ type: 'eip155:erc4337', chainId: CHAIN, kind: 'safe-0.7' });
    owner = (account.options.owner as Hex).toLowerCase() as Hex;
    const { id, address } = account;
    const ask = (origin = SITE, message: Json = '0x6869'): Promise<KeyringResponse> =>
      keyring.submitRequest({
        ...{ id, account: id, scope: CHAIN, origin },
        request: { method: 'personal_sign', params: [message, address] },
      } as Parameters<typeof keyring.submitRequest>[0]);
    await expect(ask()).rejects.toThrow('2 of 2 owners');
    const { hash } = (await deps.messages.read())[0]!;
    const answer = (signature: Hex | null, origin = SITE) => answerMessage({ origin, hash, signature }, deps);
    return { deps, keyring, id, ask, answer };
  }

  it('is answered to the site that asked, and to no other', async () => {
    const { deps, ask, answer } = await start();
    await answer(COLLECTED);
    expect(await ask()).toEqual({ pending: false, result: COLLECTED });
    await expect(ask('https://other.example')).rejects.toThrow('2 of 2 owners');
    expect(await deps.messages.read()).toMatchObject([{ origin: SITE }, { origin: 'https://other.example' }]);
    expect((await deps.messages.read())[1]).not.toHaveProperty('answer');
  });

  it.each<[string, number]>([
    ['too many requests', -32005],
    ['unauthorized', -32001],
  ])('keeps the collected signature if the node refuses with “%s”', async (words, code) => {
    const { ask, answer } = await start();
    await answer(COLLECTED);
    verdict = () => {
      throw new NodeRefusal(words, code);
    };
    await expect(ask()).rejects.toThrow(words);
    verdict = () => VALID;
    expect(await ask()).toEqual({ pending: false, result: COLLECTED });
  });

  it.each<[string, () => string]>([
    ['says no', () => pad('0x0')],
    [
      'reverts',
      () => {
        throw new NodeRefusal('execution reverted: GS026', 3);
      },
    ],
  ])('is collected again if the account %s', async (_what, says) => {
    const { ask, answer, deps } = await start();
    await answer(COLLECTED);
    verdict = says;
    await expect(ask()).rejects.toThrow('2 of 2 owners');
    expect((await deps.messages.read())[0]).not.toHaveProperty('answer');
    await expect(answer(COLLECTED)).rejects.toThrow('must be one that the account accepts');
  });

  it('does not come back if the account is deleted while its network is asked about the answer', async () => {
    const { answer, deps, keyring, id } = await start();
    verdict = async () => {
      await keyring.deleteAccount(id);
      return VALID;
    };
    await expect(answer(COLLECTED)).rejects.toThrow('no message of this site waits');
    expect(await deps.messages.read()).toEqual([]);
  });

  it('is not kept if the account is deleted while the person is asked', async () => {
    const { deps, keyring, id, ask } = await start();
    const { consent } = deps;
    const asked = jest.fn(async () => {
      await keyring.deleteAccount(id);
    });
    Object.assign(deps, { consent: asked });
    // A hash, which Keystead always asks about.
    await expect(ask(SITE, `0x${'ab'.repeat(32)}`)).rejects.toThrow('no Keystead account');
    Object.assign(deps, { consent });
    expect(asked).toHaveBeenCalledTimes(1);
    expect(await deps.messages.read()).toEqual([]);
  });
});

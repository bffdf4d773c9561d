import { type Json } from '@metamask/snaps-sdk';
import { keccak256, numberToHex } from 'viem';

import { DELEGATES } from '../../src/core/erc4337/delegates';
import { ENTRY_POINTS } from '../../src/core/erc4337/entry-points';
import { DELEGATION_MARKER } from '../../src/core/erc4337/packed-fields';
import { delegationCode } from '../../src/core/eth/authorization';
import { type Hex } from '../../src/core/eth/bytes';
import { KEY, ME, OTHER } from '../helpers/hostile/people';
import { startHostileSuite } from '../helpers/hostile/suite';
import { NodeRefusal, type SimulatedNode, startSimulatedNode } from '../helpers/simulated-node';

const CHAIN = 'eip155:31337';
const SITE = 'https://evil.example';
const DELEGATE = DELEGATES['0.9'];
const GET_NONCE = '0x35567e1a';

const { wallet, snap, grants } = startHostileSuite();
let node: SimulatedNode;
/** The code of the account, and the entry point that its delegate names. */
let code: Hex;
let entryPoint: Hex;
/** How the node answers a call of a stranger to an account with the delegate. */
let onStranger: NodeRefusal;

beforeAll(async () => {
  node = await startSimulatedNode({
    eth_getCode: ([address]) => (String(address).toLowerCase() === ME.toLowerCase() ? code : '0x6080'),
    eth_getBalance: () => '0xde0b6b3a7640000',
    eth_call: ([call]) => {
      const { data, from } = call as { data: string; from?: string };
      if (from?.endsWith('a2') === true) throw onStranger;
      return numberToHex(data.startsWith(GET_NONCE) ? 3n : BigInt(entryPoint), { size: 32 });
    },
    eth_getBlockByNumber: () => ({ baseFeePerGas: '0x3b9aca00', requestsHash: `0x${'11'.repeat(32)}` }),
    eth_estimateUserOperationGas: () => ({
      callGasLimit: '0x5208',
      verificationGasLimit: '0x30d40',
      preVerificationGas: '0xc350',
    }),
  });
  wallet.services = [node.url];
  const chain = { chainId: CHAIN, rpcUrl: node.url, bundlerUrl: node.url, entryPointVersion: '0.9' };
  await snap.keyring('keystead_setChain', chain);
  const { result } = await snap.keyring('keyring_createAccount', { options: { privateKey: KEY } });
  await grants.put(SITE, { accounts: [(result as { id: string }).id], chainId: CHAIN });
});
afterAll(() => node.stop());
beforeEach(() => {
  code = '0x';
  entryPoint = ENTRY_POINTS['0.9'];
  wallet.onRequest = undefined;
});

/** Asks for the signature of an operation that nobody prepared. */
const sign = (initCode: Hex) =>
  snap.dapp(SITE, 'eth_signUserOperation', [
    {
      sender: ME,
      nonce: '0x3',
      initCode,
      callData: '0x',
      callGasLimit: '0x5208',
      verificationGasLimit: '0x30d40',
      preVerificationGas: '0xc350',
      maxFeePerGas: '0x12a05f200',
      maxPriorityFeePerGas: '0x3b9aca00',
      paymasterAndData: '0x',
      signature: '0x',
    },
  ]);

/** While the person reads the dialog, the account's code is replaced. */
function replaceWhileAsked(by: Hex): void {
  wallet.onRequest = ({ method }) => {
    if (method === 'snap_dialog') code = by;
  };
}

const delegated = delegationCode(DELEGATE);

describe('a user operation of an externally owned account', () => {
  it('is signed for an account that has its delegate, and for one that has none yet', async () => {
    expect((await sign(DELEGATION_MARKER)).result).toMatch(/^0x[0-9a-f]{130}$/u);
    code = delegated;
    expect((await sign('0x')).result).toMatch(/^0x[0-9a-f]{130}$/u);
  });

  it('is refused without the marker while the account has no delegate: it would be valid for any later one', async () => {
    const { error, screens } = await sign('0x');
    expect(error?.message).toMatch(/^userOperation\.initCode: must be 0x7702/u);
    expect(screens).toEqual([]);
  });

  it.each([
    ['replaced', delegationCode(OTHER), /used or changed on this network in the meantime/u],
    ['taken back', '0x', /^userOperation\.initCode: must be 0x7702/u],
  ] as [string, Hex, RegExp][])(
    'is not signed if the delegate is %s while the person is asked',
    async (_how, by, why) => {
      code = delegated;
      replaceWhileAsked(by);
      const { error, result, screens } = await sign('0x');
      expect(screens).toHaveLength(1);
      expect(result).toBeUndefined();
      expect(error?.message).toMatch(why);
    },
  );
});

describe('keystead_getDelegations', () => {
  const known = async () => {
    const { result } = await snap.keyring('keystead_getDelegations');
    return (result as { isKnown: Json }[]).map(({ isKnown }) => isKnown);
  };

  it('knows a delegate on the list only while it has its code', async () => {
    code = delegated;
    expect(await known()).toEqual([true]);
    entryPoint = OTHER;
    expect(await known()).toEqual([false]);
  });
});

describe('keystead_addDelegate', () => {
  const add = () => snap.keyring('keystead_addDelegate', { chainId: CHAIN, address: OTHER });

  it('adds a contract that refuses calls of strangers', async () => {
    onStranger = new NodeRefusal('execution reverted', 3, '0x');
    expect((await add()).result).toMatchObject({ address: OTHER });
  });

  it('does not take an error of the node for a refusal of the contract', async () => {
    onStranger = new NodeRefusal('too many requests', -32005);
    const { error, screens } = await add();
    expect(error?.message).toContain('too many requests');
    expect(screens).toEqual([]);
  });
});

describe('keystead_takeBackDelegation', () => {
  it('is recorded before it is sent, and shown as activity', async () => {
    code = delegated;
    let recorded: Json = null;
    node.answers.eth_sendRawTransaction = ([raw]) => {
      recorded = wallet.state.batches ?? null;
      return keccak256(raw as Hex);
    };
    const { result } = await snap.keyring('keystead_takeBackDelegation', { chainId: CHAIN, address: ME });
    expect(recorded).toMatchObject([{ account: ME, sent: { items: [{ hash: result }], isUnclear: true } }]);
    const activity = (await snap.keyring('keystead_getActivity')).result as { sent?: object; origin: string }[];
    expect(activity.filter(({ sent }) => sent !== undefined)).toMatchObject([
      { origin: 'metamask', sent: { calls: 1, status: 100, isUnclear: false, transactions: [result] } },
    ]);
  });
});

describe('the button on the home page that takes a delegation back', () => {
  it('says why it was not taken back', async () => {
    code = delegated;
    node.answers.eth_estimateGas = () => {
      throw new NodeRefusal('over capacity', -32005);
    };
    await snap.snap.input({ type: 'ButtonClickEvent', name: `take-back:${CHAIN} ${ME}` });
    expect(wallet.dialogs.at(-1)?.text).toMatch(/The account is still upgraded.*over capacity/u);
    expect(node.asked.filter(({ method }) => method === 'eth_sendRawTransaction')).toHaveLength(1);
  });
});

import { type Json } from '@metamask/snaps-sdk';
import { keccak256, numberToHex, parseTransaction, type TransactionSerialized } from 'viem';

import { DELEGATES } from '../../src/core/erc4337/delegates';
import { ENTRY_POINTS } from '../../src/core/erc4337/entry-points';
import { DELEGATION_MARKER } from '../../src/core/erc4337/packed-fields';
import { delegationCode } from '../../src/core/eth/authorization';
import { type Hex } from '../../src/core/eth/bytes';
import { KEY, ME, OTHER, SECOND, SECOND_KEY } from '../support/hostile/people';
import { startHostileSuite } from '../support/hostile/suite';
import { NoAnswer, NodeRefusal, type SimulatedNode, startSimulatedNode } from '../support/simulated-node';

const CHAIN = 'eip155:31337';
const SITE = 'https://evil.example';
const DELEGATE = DELEGATES['0.9'];
const TOKEN: Hex = `0x${'70'.repeat(20)}`;
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

describe('typed data of an externally owned account that contracts verify', () => {
  const WARNING = 'A contract may ask that code whether this signature is valid.';
  const foreign = delegationCode(OTHER);
  /** A permit for a small amount, which is no danger by itself. */
  const permit = (domain: Record<string, Json> = {}) => ({
    types: {
      EIP712Domain: [
        { name: 'name', type: 'string' },
        ...('chainId' in domain ? [{ name: 'chainId', type: 'uint256' }] : []),
        ...('verifyingContract' in domain ? [{ name: 'verifyingContract', type: 'address' }] : []),
      ],
      Permit: ['owner address', 'spender address', 'value uint256', 'nonce uint256', 'deadline uint256'].map((one) => {
        const [name = '', type = ''] = one.split(' ');
        return { name, type };
      }),
    },
    primaryType: 'Permit',
    domain: { name: 'Token', ...domain },
    message: {
      owner: ME,
      spender: SECOND,
      value: '1',
      nonce: '0',
      deadline: String(Math.floor(Date.now() / 1000) + 600),
    },
  });
  const HERE = { chainId: 31337, verifyingContract: TOKEN };
  const overRpc = (data: Json) => snap.dapp(SITE, 'eth_signTypedData_v4', [ME, data]);
  const throughMetaMask = async (data: Json) => {
    const { result } = await snap.keyring('keyring_listAccounts');
    return snap.submit((result as { id: string }[])[0]!.id, 'eth_signTypedData_v4', [ME, data]);
  };

  it('is shown with a word about foreign code, also if MetaMask has asked', async () => {
    code = foreign;
    for (const ask of [overRpc, throughMetaMask])
      for (const data of [permit(HERE), { ...permit(HERE), domain: { ...permit(HERE).domain, chainId: '0x7a69' } }]) {
        const { result, screens } = await ask(data);
        expect(result).toMatch(/^0x[0-9a-f]{130}$/u);
        expect(screens).toHaveLength(1);
        expect(screens[0]).toContain('On this network, the account runs the code of 0x3535');
        expect(screens[0]).toContain(WARNING);
      }
  });

  it('is shown with it for a delegate of the list that does not have its code', async () => {
    code = delegated;
    entryPoint = OTHER;
    expect((await overRpc(permit(HERE))).screens[0]).toContain(WARNING);
  });

  it('is shown with it for the network of the site, if the data names none', async () => {
    code = foreign;
    expect((await overRpc(permit({ verifyingContract: TOKEN }))).screens[0]).toContain(WARNING);
  });

  it('has no such word without foreign code, and MetaMask is enough then', async () => {
    for (const known of ['0x', delegated] as const) {
      code = known;
      expect((await overRpc(permit(HERE))).screens[0]).not.toContain(WARNING);
      expect((await throughMetaMask(permit(HERE))).screens).toEqual([]);
    }
  });

  it('asks the node once, and only about a contract on a network that is set up', async () => {
    code = '0x';
    const asked = async (data: Json) => {
      node.asked.length = 0;
      await throughMetaMask(data);
      return node.asked.map(({ method }) => method);
    };
    expect(await asked(permit(HERE))).toEqual(['eth_getCode']);
    expect(await asked(permit({ chainId: 31337 }))).toEqual([]);
    expect(await asked(permit({ ...HERE, chainId: 5 }))).toEqual([]);
    expect(await asked(permit({ verifyingContract: TOKEN }))).toEqual([]);
  });

  it('is signed without such a word if the node does not answer', async () => {
    const { eth_getCode } = node.answers;
    node.answers.eth_getCode = () => {
      throw new NoAnswer();
    };
    const { result, screens } = await overRpc(permit(HERE));
    node.answers.eth_getCode = eth_getCode!;
    expect(result).toMatch(/^0x[0-9a-f]{130}$/u);
    expect(screens[0]).not.toContain(WARNING);
  });
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

describe('taking a delegation back for an account that cannot pay', () => {
  it('does not wait for what that account cannot pay for either, and gives no advice to change its balance', async () => {
    await snap.keyring('keyring_createAccount', { options: { privateKey: SECOND_KEY } });
    code = delegationCode(OTHER);
    const before = { ...node.answers };
    const isMine = (address: unknown) => String(address).toLowerCase() === ME.toLowerCase();
    let raw: Json = null;
    Object.assign(node.answers, {
      eth_estimateGas: () => '0x5208',
      eth_getBalance: ([address]: readonly unknown[]) => (isMine(address) ? '0x0' : '0xde0b6b3a7640000'),
      // Four transactions of the account are in the pool, and stay there.
      eth_getTransactionCount: ([address, block]: readonly unknown[]) =>
        isMine(address) && block === 'pending' ? '0x9' : '0x5',
      eth_sendRawTransaction: ([sent]: readonly unknown[]) => {
        raw = sent as Hex;
        return keccak256(sent as Hex);
      },
    });
    const { error, screens } = await snap.keyring('keystead_takeBackDelegation', { chainId: CHAIN, address: ME });
    Object.assign(node.answers, before);
    expect(error).toBeUndefined();
    expect(screens).toHaveLength(1);
    expect(screens[0]).toContain(`Address ${SECOND}`);
    expect(screens[0]).not.toContain('your balance');
    expect(parseTransaction(raw as unknown as TransactionSerialized)).toMatchObject({
      nonce: 5,
      to: ME.toLowerCase(),
      authorizationList: [{ address: `0x${'0'.repeat(40)}`, nonce: 5 }],
    });
  });
});

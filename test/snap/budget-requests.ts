import { expect } from '@jest/globals';
import { type Json } from '@metamask/snaps-sdk';

import { LOCAL_PAGE } from '../support/dapp';
import { DAPP, OTHER, type SnapInProcess } from '../support/wallet/in-process';
import { type BudgetWorld, CHAIN, NEW, SPONSORED, TOKEN } from './budget-world';

/**
 * A request of the budget. `round` is 0 the first time after a start and 1 the second time, when a change must differ
 * from the first.
 */
export type BudgetRequest = (snap: SnapInProcess, round: number) => Promise<unknown>;

const HELLO = '0x48656c6c6f';
const NOBODY = '0x1111111254eeb25477b68fb85ed929f73a960582';
/** A signature that some key makes. */
const RECOVERABLE =
  '0x28ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa63627667cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d831b';

/** A call that no rule of the snap covers. */
const UNKNOWN = '0x12345678';

const typedData = {
  types: { EIP712Domain: [{ name: 'chainId', type: 'uint256' }], Note: [{ name: 'text', type: 'string' }] },
  primaryType: 'Note',
  domain: { chainId: 31337 },
  message: { text: 'hello' },
};

/** The same, for a contract to verify. */
const forContract = {
  ...typedData,
  types: {
    ...typedData.types,
    EIP712Domain: [...typedData.types.EIP712Domain, { name: 'verifyingContract', type: 'address' }],
  },
  domain: { ...typedData.domain, verifyingContract: NOBODY },
};

const transaction = (from: string) => ({
  type: '0x2',
  nonce: '0x0',
  maxFeePerGas: '0x59682f00',
  maxPriorityFeePerGas: '0x59682f00',
  gasLimit: '0x5208',
  to: NOBODY,
  value: '0x1',
  data: '0x',
  chainId: '0x7a69',
  from,
});

const INTENTS = [{ to: NOBODY, value: '0x1', data: '0x' }];

/** The methods that sign a message or a transaction, with the parameters for an account. */
export const signatures = (address: string): Readonly<Record<string, Json>> => ({
  personal_sign: [HELLO, address],
  eth_signTypedData_v4: [address, typedData],
  eth_signTransaction: [transaction(address)],
});

/** A request that is always rejected, because no request is ever pending. */
const notFound =
  (request: BudgetRequest): BudgetRequest =>
  (snap, round) =>
    expect(request(snap, round)).rejects.toMatchObject({ code: -32001 });

/** `keyring_*`, as MetaMask sends it. */
function keyringRequests(world: BudgetWorld): Record<string, BudgetRequest> {
  const ask =
    (method: string, params: (round: number) => Json | undefined = () => undefined): BudgetRequest =>
    (snap, round) =>
      snap.keyring(method, params(round));
  const { derived, imported, smart, importedSmart, safe } = world.accounts;
  const ownersMessage = { account: derived.address, safe: NOBODY, chainId: CHAIN, message: '0x48656c6c6f' };
  const created = { type: 'eip155:erc4337', chainId: CHAIN };
  const delegate = { chainId: CHAIN, address: NOBODY };
  return {
    keyring_listAccounts: ask('keyring_listAccounts'),
    keyring_getAccount: ask('keyring_getAccount', () => ({ id: derived.id })),
    keyring_createAccount: ask('keyring_createAccount', () => ({ options: {} })),
    'keyring_createAccount, imported': ask('keyring_createAccount', (round) => ({
      options: { privateKey: `0x${`0${round + 1}`.repeat(32)}` },
    })),
    'keyring_createAccount, smart': ask('keyring_createAccount', (round) => ({
      options: { ...created, index: 7 + round },
    })),
    'keyring_createAccount, one more chain': ask('keyring_createAccount', (round) => ({
      options: { ...created, chainId: `eip155:${round + 1}`, index: 0 },
    })),
    keyring_filterAccountChains: ask('keyring_filterAccountChains', () => ({ id: smart.id, chains: [CHAIN] })),
    keyring_updateAccount: ask('keyring_updateAccount', (round) => ({
      account: { ...derived, options: { ...derived.options, label: `Mine ${round}` } } as Json,
    })),
    keyring_deleteAccount: ask('keyring_deleteAccount', (round) => ({ id: (round === 0 ? imported : safe).id })),
    keyring_exportAccount: ask('keyring_exportAccount', () => ({ id: derived.id })),
    'keyring_exportAccount, imported': ask('keyring_exportAccount', () => ({ id: importedSmart.id })),
    keyring_discoverAccounts: ask('keyring_discoverAccounts', () => ({
      scopes: [CHAIN, SPONSORED],
      entropySource: 'm',
      groupIndex: 0,
    })),
    keyring_setSelectedAccounts: ask('keyring_setSelectedAccounts', () => ({ accounts: [derived.id, smart.id] })),
    keyring_resolveAccountAddress: ask('keyring_resolveAccountAddress', () => ({
      scope: CHAIN,
      request: { jsonrpc: '2.0', id: 1, method: 'personal_sign', params: ['0x00', derived.address] },
    })),
    keyring_listRequests: ask('keyring_listRequests'),
    keyring_getRequest: notFound(ask('keyring_getRequest', () => ({ id: derived.id }))),
    keyring_approveRequest: notFound(ask('keyring_approveRequest', () => ({ id: derived.id, data: {} }))),
    keyring_rejectRequest: notFound(ask('keyring_rejectRequest', () => ({ id: derived.id }))),
    keystead_setChain: ask('keystead_setChain', (round) => ({ ...world.chain(CHAIN), name: `Chain ${round}` })),
    'keystead_setChain, unchanged': ask('keystead_setChain', () => world.chain(CHAIN)),
    keystead_getChains: ask('keystead_getChains'),
    keystead_removeChain: ask('keystead_removeChain', (round) => ({ chainId: round === 0 ? CHAIN : SPONSORED })),
    keystead_getContacts: ask('keystead_getContacts'),
    keystead_saveContacts: ask('keystead_saveContacts', (round) => ({
      contacts: [{ name: `Friend ${round}`, address: NOBODY }],
    })),
    keystead_removeContact: ask('keystead_removeContact', () => ({ address: NOBODY })),
    keystead_getTokens: ask('keystead_getTokens'),
    keystead_removeToken: ask('keystead_removeToken', () => ({ chainId: CHAIN, address: TOKEN })),
    // There are no contracts on these chains.
    keystead_addDelegate: (snap) =>
      expect(snap.keyring('keystead_addDelegate', delegate)).rejects.toMatchObject({ code: -32602 }),
    keystead_findRecovered: ask('keystead_findRecovered', () => ({ index: 0 })),
    keystead_getRecoveries: ask('keystead_getRecoveries'),
    // No account has a recovery module.
    keystead_cancelRecovery: (snap) =>
      expect(
        snap.keyring('keystead_cancelRecovery', { chainId: CHAIN, address: safe.address, module: NOBODY }),
      ).rejects.toMatchObject({ code: -32001 }),
    keystead_getDelegates: ask('keystead_getDelegates'),
    keystead_removeDelegate: ask('keystead_removeDelegate', () => delegate),
    keystead_getDelegations: ask('keystead_getDelegations'),
    keystead_takeBackDelegation: ask('keystead_takeBackDelegation', () => ({
      chainId: CHAIN,
      address: derived.address,
    })),
    // Nothing is pending under this hash.
    keystead_replaceCalls: (snap) =>
      expect(
        snap.keyring('keystead_replaceCalls', { hash: `0x${'ab'.repeat(32)}`, how: 'cancel' }),
      ).rejects.toMatchObject({ code: -32001 }),
    keystead_setStorage: ask('keystead_setStorage', () => world.settings()),
    keystead_getStorage: ask('keystead_getStorage'),
    keystead_backUp: ask('keystead_backUp'),
    keystead_restore: ask('keystead_restore', () => ({ cid: world.backup })),
    keystead_getActivity: ask('keystead_getActivity'),
    keystead_getProposals: ask('keystead_getProposals'),
    keystead_explainMessage: ask('keystead_explainMessage', () => ownersMessage),
    keystead_signAsOwner: ask('keystead_signAsOwner', () => ownersMessage),
    // No site has asked for it.
    keystead_answerMessage: (snap) =>
      expect(
        snap.keyring('keystead_answerMessage', { origin: DAPP, hash: `0x${'ab'.repeat(32)}`, signature: null }),
      ).rejects.toMatchObject({ code: -32001 }),
    keystead_getSignatures: ask('keystead_getSignatures'),
    keystead_noteSignature: ask('keystead_noteSignature', () => ({
      account: derived.address,
      hash: `0x${'ab'.repeat(32)}`,
      goneAt: null,
    })),
    keystead_getUnannounced: ask('keystead_getUnannounced'),
    keystead_announceAccount: ask('keystead_announceAccount', () => ({ id: derived.id })),
    keystead_discoverAccounts: ask('keystead_discoverAccounts', () => ({
      scopes: [CHAIN, SPONSORED],
      entropySource: 'm',
      groupIndex: 0,
    })),
  };
}

/** `keyring_submitRequest` of each method and sort of account. */
function submittedRequests({ accounts, prepared }: BudgetWorld): Record<string, BudgetRequest> {
  const { derived, imported, safe, smart, importedSmart } = accounts;
  const requests: Record<string, BudgetRequest> = {};
  for (const [sort, { id, address }] of Object.entries({ derived, imported }))
    for (const [method, params] of Object.entries(signatures(address)))
      requests[`${method}, ${sort}`] = (snap) => snap.submit(id, method, params);
  requests['eth_signTypedData_v4, for a contract'] = (snap) =>
    snap.submit(derived.id, 'eth_signTypedData_v4', [derived.address, forContract]);
  const { personal_sign, eth_signTypedData_v4 } = signatures(safe.address);
  for (const [method, params] of Object.entries({ personal_sign, eth_signTypedData_v4 }))
    requests[`${method}, smart`] = (snap) => snap.submit(safe.id, method, params!, CHAIN);
  const operations = [
    ['', smart, CHAIN, 'smart'],
    [', imported', importedSmart, CHAIN, 'importedSmart'],
    [', sponsored', smart, SPONSORED, 'sponsored'],
  ] as const;
  for (const [sort, { id }, chain, name] of operations) {
    const operation = prepared.get(name)!;
    const methods = {
      eth_prepareUserOperation: INTENTS,
      eth_patchUserOperation: [operation],
      eth_signUserOperation: [operation],
      eth_decodeUserOperationCallData: [operation.callData!],
    };
    for (const [method, params] of Object.entries(methods))
      requests[method + sort] = (snap) => snap.submit(id, method, params, chain);
  }
  return requests;
}

/** The RPC handler methods that are not forwarded to the node, with their parameters. */
/** The methods that name services, which are on this machine here. */
const NAMES_SERVICES = /^(?:keystead_setChain|wallet_addEthereumChain)/u;

function dappParams(world: BudgetWorld): Record<string, (round: number) => Json[] | Json> {
  const { accounts, prepared } = world;
  const { derived, smart } = accounts;
  const permission = [{ eth_accounts: {} }];
  const operation = prepared.get('smart')!;
  const calls = (from: string, round: number) => [
    { version: '2.0.0', id: `new ${round}`, chainId: '0x7a69', from, atomicRequired: false, calls: INTENTS },
  ];
  return {
    eth_requestAccounts: () => [],
    eth_accounts: () => [],
    eth_chainId: () => [],
    net_version: () => [],
    net_listening: () => [],
    personal_ecRecover: () => ['0x00', RECOVERABLE],
    wallet_switchEthereumChain: (round) => [{ chainId: round === 0 ? '0x7a6a' : '0x7a69' }],
    'wallet_switchEthereumChain, unchanged': () => [{ chainId: '0x7a69' }],
    wallet_addEthereumChain: () => [{ chainId: '0x7a6b', rpcUrls: [world.chain(NEW).rpcUrl] }],
    wallet_watchAsset: () => ({ type: 'ERC20', options: { address: TOKEN, symbol: 'TST', decimals: 0 } }),
    wallet_getPermissions: () => [],
    wallet_requestPermissions: () => permission,
    wallet_revokePermissions: () => permission,
    ...Object.fromEntries(
      Object.entries(signatures(derived.address)).map(([method, params]) => [method, () => params]),
    ),
    eth_signUserOperation: () => [operation],
    eth_prepareUserOperation: () => INTENTS,
    eth_patchUserOperation: () => [operation],
    eth_decodeUserOperationCallData: () => [operation.callData!],
    eth_sendTransaction: () => [{ from: derived.address, to: NOBODY, value: '0x1' }],
    'eth_sendTransaction, smart': () => [{ from: smart.address, to: NOBODY, value: '0x1' }],
    wallet_getCapabilities: () => [derived.address],
    wallet_sendCalls: (round) => calls(derived.address, round),
    'wallet_sendCalls, smart': (round) => calls(smart.address, round),
    wallet_getCallsStatus: () => ['sent'],
    wallet_showCallsStatus: () => ['sent'],
    keystead_setChain: (round) => ({ ...world.chain(CHAIN), name: `Chain ${round}` }),
    'keystead_setChain, unchanged': () => world.chain(CHAIN),
    keystead_getChains: () => [],
    keystead_removeChain: (round) => ({ chainId: round === 0 ? CHAIN : SPONSORED }),
  };
}

const dappRequests = (world: BudgetWorld): Record<string, BudgetRequest> =>
  Object.fromEntries(
    Object.entries(dappParams(world)).map(([name, params]): [string, BudgetRequest] => [
      `dapp: ${name}`,
      (snap, round) =>
        snap.dapp(name.split(',')[0]!, params(round) as Json, NAMES_SERVICES.test(name) ? LOCAL_PAGE : DAPP),
    ]),
  );

/** Connecting another site each time, to an account that is created in the dialog. */
const creatingRequests: Record<string, BudgetRequest> = {
  'dapp: eth_requestAccounts, creating': (snap, round) => {
    snap.world.choice = ['create'];
    return snap.dapp('eth_requestAccounts', [], round === 0 ? OTHER : 'https://third.example');
  },
};

/** What the wallet requests other than methods. */
function ownRequests({ accounts: { derived } }: BudgetWorld): Record<string, BudgetRequest> {
  const from = derived.address;
  const transactionInsight = (data: string): BudgetRequest => {
    const transaction = { from, to: NOBODY, data, value: '0x0', nonce: '0x0', gas: '0x5208', type: '0x2' };
    return (snap) => snap.insight('onTransaction', { transaction, chainId: 'eip155:1', transactionOrigin: DAPP });
  };
  return {
    'transaction insight': transactionInsight('0x'),
    'transaction insight, of a contract': transactionInsight(UNKNOWN),
    'signature insight': (snap) =>
      snap.insight('onSignature', {
        signature: { from, data: HELLO, signatureMethod: 'personal_sign' },
        signatureOrigin: DAPP,
      }),
    'background event': (snap) => snap.cron(),
  };
}

/** Every request that the snap handles itself, by the name of its method and its variant. */
export const budgetRequests = (world: BudgetWorld): Readonly<Record<string, BudgetRequest>> => ({
  ...keyringRequests(world),
  ...submittedRequests(world),
  ...dappRequests(world),
  ...creatingRequests,
  ...ownRequests(world),
});

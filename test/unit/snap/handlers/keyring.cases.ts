import { answerKeyringRequest } from '../../../../src/snap/handlers/keyring';
import { startKeyring } from '../../../support/wallet/keyring';
import { WalletDouble } from '../../../support/wallet/wallet-double';

const ID = '7c507ff0-365f-4de0-8cd5-eb83c30ebda4';
const REQUEST = { id: ID, scope: '', account: ID, origin: 'metamask', request: { method: 'personal_sign' } };
const ORIGIN_METADATA = { transport: 'sdk', selfReportedOrigin: 'https://dapp.example' };

const answerTo = (method: string, params?: unknown): Promise<unknown> =>
  answerKeyringRequest({ method, params }, startKeyring({ wallet: new WalletDouble() }).deps, 'metamask');

describe('a malformed keyring request', () => {
  it.each([
    ['keyring_listAccounts', [null], 'params: must be omitted or empty'],
    ['keyring_listRequests', { id: ID }, 'params: must be omitted or empty'],
    ['keyring_getAccount', { id: `${ID}\n` }, 'params.id: must be a version 4 UUID'],
    ['keyring_getAccount', { id: ID.replace('-4', '-1') }, 'params.id: must be a version 4 UUID'],
    ['keyring_getAccount', undefined, 'params: is missing'],
    ['keyring_getAccount', JSON.parse(`{"id":"${ID}","__proto__":{}}`), 'params.__proto__: is not a known field'],
    ['keyring_createAccount', { options: [] }, 'params.options: must be an object'],
    [
      'keyring_submitRequest',
      { ...REQUEST, request: { ...REQUEST.request, params: 'text' } },
      'params.request.params: must be a list or an object',
    ],
    [
      'keyring_submitRequest',
      { ...REQUEST, request: { ...REQUEST.request, params: undefined } },
      'params.request.params: is missing',
    ],
  ])('%s is rejected with its field and rule: %j', async (method, params, message) => {
    await expect(answerTo(method, params)).rejects.toThrow(message);
  });

  it.each([undefined, {}, []])('may omit its parameters: %j', async (params) => {
    expect(await answerTo('keyring_listAccounts', params)).toEqual([]);
  });

  it.each([undefined, null, { transport: '', selfReportedOrigin: '' }, ORIGIN_METADATA])(
    'is accepted with originMetadata as platform version 12 sends it: %j',
    async (originMetadata) => {
      const request = { ...REQUEST, ...(originMetadata !== undefined && { originMetadata }) };
      await expect(answerTo('keyring_submitRequest', request)).rejects.toThrow('no Keystead account has this id');
    },
  );

  it.each([
    ['https://dapp.example', 'params.originMetadata: must be an object'],
    [{ transport: 'sdk' }, 'params.originMetadata.selfReportedOrigin: is missing'],
    [{ ...ORIGIN_METADATA, icon: 'x' }, 'params.originMetadata.icon: is not a known field'],
    [
      { ...ORIGIN_METADATA, transport: 1 },
      'params.originMetadata.transport: must be a string of at most 100 characters',
    ],
    [
      { ...ORIGIN_METADATA, transport: 'x'.repeat(101) },
      'params.originMetadata.transport: must be a string of at most 100 characters',
    ],
    [
      { ...ORIGIN_METADATA, selfReportedOrigin: 'x'.repeat(2049) },
      'params.originMetadata.selfReportedOrigin: must be a string of at most 2,048 characters',
    ],
  ])('is rejected with malformed originMetadata, naming the field and rule: %#', async (originMetadata, message) => {
    await expect(answerTo('keyring_submitRequest', { ...REQUEST, originMetadata })).rejects.toThrow(message);
  });
});

describe('keyring_setSelectedAccounts', () => {
  it.each([
    [undefined, 'params: is missing'],
    [{ accounts: ID }, 'params.accounts: must be a list'],
    [{ accounts: ['0'] }, 'params.accounts[0]: must be a version 4 UUID'],
    [{ accounts: [], chain: 'eip155:1' }, 'params.chain: is not a known field'],
    [{ accounts: [ID] }, 'params.accounts[0]: no Keystead account has this id'],
  ])('is rejected with its field and rule: %j', async (params, message) => {
    await expect(answerTo('keyring_setSelectedAccounts', params)).rejects.toThrow(message);
  });

  it('returns null if no Keystead account is selected', async () => {
    expect(await answerTo('keyring_setSelectedAccounts', { accounts: [] })).toBeNull();
  });
});

describe('keyring_resolveAccountAddress', () => {
  const personalSign = (...params: unknown[]) => ({ jsonrpc: '2.0', id: 1, method: 'personal_sign', params });

  it('names the account of the parameters, in the spelling of Keystead', async () => {
    const { deps } = startKeyring({ wallet: new WalletDouble() });
    const created = await answerKeyringRequest(
      { method: 'keyring_createAccount', params: { options: {} } },
      deps,
      'metamask',
    );
    const { address } = created as { address: string };
    const resolve = (scope: string, request: unknown) =>
      answerKeyringRequest({ method: 'keyring_resolveAccountAddress', params: { scope, request } }, deps, 'metamask');
    const wanted = { address: `eip155:1:${address}` };
    expect(await resolve('eip155:1', personalSign('0x00', address.toLowerCase()))).toEqual(wanted);
    const transaction = { ...personalSign({ from: address }), method: 'eth_signTransaction' };
    expect(await resolve('eip155:1', transaction)).toEqual(wanted);
    for (const [scope, request] of [
      ['eip155:1', personalSign(address, '0x00')],
      ['eip155:1', personalSign('0x00', `0x${'35'.repeat(20)}`)],
      ['eip155:1', personalSign()],
      ['eip155:1', { ...personalSign('0x00', address), method: 'eth_call' }],
      ['eip155:1', { method: 'personal_sign' }],
      ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', personalSign('0x00', address)],
    ] as const)
      expect(await resolve(scope, request)).toBeNull();
  });
});

import { dispatchKeyringRequest } from '../../../src/keyring/adapter';
import { startKeyring } from '../../helpers/wallet/keyring';
import { WalletDouble } from '../../helpers/wallet/wallet-double';

const ID = '7c507ff0-365f-4de0-8cd5-eb83c30ebda4';
const REQUEST = { id: ID, scope: '', account: ID, origin: 'metamask', request: { method: 'personal_sign' } };

const answerTo = (method: string, params?: unknown): Promise<unknown> =>
  dispatchKeyringRequest(startKeyring({ wallet: new WalletDouble() }).keyring, {
    jsonrpc: '2.0',
    id: 1,
    method,
    params,
  } as Parameters<typeof dispatchKeyringRequest>[1]);

describe('a keyring request of another form', () => {
  it.each([
    ['keyring_listAccounts', [null], 'params: must be left out, or be empty'],
    ['keyring_listRequests', { id: ID }, 'params: must be left out, or be empty'],
    ['keyring_getAccount', { id: `${ID}\n` }, 'params.id: must be a UUID of version 4'],
    ['keyring_getAccount', { id: ID.replace('-4', '-1') }, 'params.id: must be a UUID of version 4'],
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
  ])('%s is refused by its field and rule: %j', async (method, params, message) => {
    await expect(answerTo(method, params)).rejects.toThrow(message);
  });

  it.each([undefined, {}, []])('is none where there are no parameters: %j', async (params) => {
    expect(await answerTo('keyring_listAccounts', params)).toEqual([]);
  });

  it('is not refused for what the wallet claims of the origin', async () => {
    const claimed = { ...REQUEST, originMetadata: { url: ['anything'] } };
    await expect(answerTo('keyring_submitRequest', claimed)).rejects.toThrow('no account of Keystead has this id');
  });
});

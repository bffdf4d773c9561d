import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

import { expect } from '@jest/globals';
import { type Json } from '@metamask/snaps-sdk';

import { KEYRING_METHODS } from '../../src/core/methods/own';
import { installKeystead } from '../support/wallet/installed';

const PEERS = resolve(__dirname, 'peers');
/** keyring-api 24 declares Node 22. */
const NODE = resolve(__dirname, '../nodes/node_modules/node-24/bin/node');
const KEY = '0x4af1bceebf7f3634ec3cff8a2c38e51178d5d4ce585c52d6043e5e2cc3418bb0';
const UUID = '11111111-1111-4111-8111-111111111111';

type Checked = { readonly methods: string[]; readonly verdicts: (string | null)[] };
type Check = readonly [struct: string, value: Json];

function checked(checks: readonly Check[]): Checked {
  const { status, stdout, stderr } = spawnSync(NODE, ['check.mjs'], { cwd: PEERS, input: JSON.stringify(checks) });
  if (status !== 0) throw new Error(String(stderr));
  return JSON.parse(String(stdout)) as Checked;
}

const tests = () => {
  it('has only methods that the snap supports, except those for assets, batches and other chains', () => {
    expect(
      checked([])
        .methods.filter((method) => !Object.hasOwn(KEYRING_METHODS, method))
        .sort(),
    ).toEqual([
      'keyring_createAccounts',
      'keyring_getAccountBalances',
      'keyring_listAccountAssets',
      'keyring_listAccountTransactions',
    ]);
  });

  it('detects malformed values', () => {
    const account = { id: UUID, type: 'eip155:eoa', address: '0x00', scopes: ['eip155:0'], options: {}, methods: [] };
    expect(
      checked([
        ['EthEoaAccountStruct', account],
        ['SetSelectedAccountsResponseStruct', {}],
      ]).verdicts,
    ).toEqual([expect.stringContaining('address'), expect.stringContaining('null')]);
  });

  it("matches the snap's responses and events, and the requests that the snap accepts", async () => {
    const { create, call, send, told } = await installKeystead();
    const checks: Check[] = [];
    const ask = async (method: string, struct: string, params?: Json, takesConsent = false): Promise<Json> => {
      const name = struct.replace(/Response/u, 'Request').replace('FilterAccountChainsRequest', 'FilterAccountChains');
      checks.push([name, { jsonrpc: '2.0', id: UUID, method, ...(params !== undefined && { params }) }]);
      const sent = send(method, params);
      if (takesConsent) await (await sent.getInterface()).ok();
      const { result, error } = (await sent).response as { result: Json; error?: unknown };
      expect(error).toBeUndefined();
      checks.push([struct, result]);
      return result;
    };
    const derived = await create();
    const { id, address } = await create({ privateKey: KEY });
    const third = await ask('keyring_createAccount', 'CreateAccountResponseStruct', { options: {} });
    checks.push(['EthEoaAccountStruct', third]);
    await ask('keyring_listAccounts', 'ListAccountsResponseStruct');
    await ask('keyring_getAccount', 'GetAccountResponseStruct', { id });
    await ask('keyring_filterAccountChains', 'FilterAccountChainsResponseStruct', { id, chains: ['eip155:1', 'x:1'] });
    await ask('keyring_setSelectedAccounts', 'SetSelectedAccountsResponseStruct', { accounts: [id, derived.id] });
    await ask('keyring_listRequests', 'ListRequestsResponseStruct');
    await ask('keyring_exportAccount', 'ExportAccountResponseStruct', { id }, true);
    const { options } = derived;
    const account = { ...derived, options: { ...options, label: 'Savings' } } as Json;
    await ask('keyring_updateAccount', 'UpdateAccountResponseStruct', { account });
    for (const originMetadata of [null, { transport: 'sdk', selfReportedOrigin: 'https://dapp.example' }]) {
      const request = {
        id: UUID,
        scope: '',
        account: id,
        origin: 'metamask',
        originMetadata,
        request: { method: 'personal_sign', params: ['0x6869', address] },
      };
      const response = await ask('keyring_submitRequest', 'SubmitRequestResponseStruct', request);
      checks.push(['EthBytesStruct', (response as { result: Json }).result]);
    }
    await ask('keyring_deleteAccount', 'DeleteAccountResponseStruct', { id: derived.id });
    const events = {
      'notify:accountCreated': 'AccountCreatedEventStruct',
      'notify:accountUpdated': 'AccountUpdatedEventStruct',
      'notify:accountDeleted': 'AccountDeletedEventStruct',
    };
    checks.push(...told.map((event) => [events[event.method as keyof typeof events], event as Json] as const));
    // Ten requests, ten responses, a signature, three events and the accounts in them.
    expect(new Set(checks.map(([struct]) => struct)).size).toBe(25);
    const { verdicts } = checked(checks);
    expect(checks.filter((_check, index) => verdicts[index] !== null)).toEqual([]);
    expect((await call('keyring_listAccounts')).result).toHaveLength(2);
  });
};

describe('the newest keyring API, keyring-api 24.1', () => {
  if (existsSync(NODE) && existsSync(resolve(PEERS, 'node_modules'))) tests();
  else it.skip('needs Node 24 and its package (skipped: run scripts/install-contract-peers.sh first)', () => undefined);
});

import { type LoopbackServer } from '../../src/devnet/loopback';
import { startPaymasterService } from '../../src/devnet/paymaster-service';
import { type AccountVersion, ENTRY_POINTS } from '../../src/core/erc4337/entry-points';

const ADDRESS = `0x${'12'.repeat(20)}` as const;
const operation = { sender: ADDRESS, nonce: '0x0', callData: '0x' };

let service: LoopbackServer;
beforeAll(async () => {
  service = await startPaymasterService({ '0.6': ADDRESS, '0.7': ADDRESS, '0.8': ADDRESS, '0.9': ADDRESS });
});
afterAll(() => service.stop());

const askFor = async (version: AccountVersion, ...more: unknown[]): Promise<unknown> => {
  const params = [operation, ENTRY_POINTS[version], '0x7a69', ...more];
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'pm_getPaymasterStubData', params });
  return (await fetch(service.url, { method: 'POST', body })).json();
};

describe('the paymaster service of the devnet', () => {
  it.each(['0.7', '0.8', '0.9'] as const)('sponsors an operation of entry point %s', async (version) => {
    expect(await askFor(version)).toMatchObject({ result: { paymaster: ADDRESS } });
  });

  it('sponsors an operation of entry point 0.6 in its own form', async () => {
    const paymasterAndData = expect.stringMatching(new RegExp(`^${ADDRESS}`, 'u')) as string;
    expect(await askFor('0.6')).toMatchObject({ result: { paymasterAndData } });
  });

  it.each([[[]], [[null]], [[{}]]])('sponsors an operation with the context %j', async (context) => {
    expect(await askFor('0.7', ...context)).toMatchObject({ result: { paymaster: ADDRESS } });
  });

  it('refuses if the context says so', async () => {
    expect(await askFor('0.7', { refuse: true })).toMatchObject({ error: { code: -32002 } });
  });
});

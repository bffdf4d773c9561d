import { PaymasterClient } from '../../../src/clients/paymaster';
import { ENTRY_POINTS, type EntryPointVersion } from '../../../src/core/erc4337/entry-points';
import { type UserOperation } from '../../../src/core/erc4337/user-operation';
import { type LocalServer, reply, type RpcRequest, serveJsonRpc } from '../../support/json-rpc-server';
import { OPERATION, placeOf } from '../../support/user-operation';

const PAYMASTER = `0x${'ee'.repeat(20)}`;
const limit = (gas: number): string => gas.toString(16).padStart(32, '0');

describe('the paymaster client', () => {
  let server: LocalServer | undefined;
  let asked: RpcRequest[] = [];
  afterEach(async () => {
    await server?.stop();
  });

  async function clientOf(result: object): Promise<PaymasterClient> {
    asked = [];
    server = await serveJsonRpc((request, response) => {
      asked.push(request);
      reply(response, { id: request.id, result });
    });
    return new PaymasterClient({ url: server.url }, { policy: 'p1' });
  }

  it('sends the operation without its signature, the entry point, the chain and the context', async () => {
    const client = await clientOf({ paymasterAndData: `${PAYMASTER}BEEF` });
    expect(await client.stubData(OPERATION, placeOf('0.6'))).toEqual({
      paymasterAndData: `${PAYMASTER}beef`,
      isFinal: false,
      verificationGasOpen: false,
    });
    const { signature: _signature, ...sent } = {
      ...OPERATION,
      nonce: '0x5',
      callGasLimit: '0x1',
      verificationGasLimit: '0x2',
      preVerificationGas: '0x3',
      maxFeePerGas: '0x4',
      maxPriorityFeePerGas: '0x1',
    };
    expect(asked[0]).toMatchObject({ method: 'pm_getPaymasterStubData' });
    expect(asked[0]?.params).toEqual([sent, ENTRY_POINTS['0.6'], '0x7a69', { policy: 'p1' }]);
    expect(await client.data(OPERATION, placeOf('0.6'))).toBe(`${PAYMASTER}beef`);
    expect(asked[1]).toMatchObject({ method: 'pm_getPaymasterData' });
  });

  it('packs the gas limits from 0.7 on, and reports if one is still open', async () => {
    const told = { paymaster: PAYMASTER, paymasterData: '0xbeef', paymasterPostOpGasLimit: '0x2' };
    const open = await clientOf(told);
    const stub = await open.stubData(OPERATION, placeOf('0.7'));
    expect(stub).toEqual({
      paymasterAndData: `${PAYMASTER}${limit(200_000)}${limit(2)}beef`,
      isFinal: false,
      verificationGasOpen: true,
    });
    await server?.stop();
    const closed = await clientOf({ ...told, paymasterVerificationGasLimit: '0x64', isFinal: true });
    expect(await closed.stubData(OPERATION, placeOf('0.8'))).toEqual({
      paymasterAndData: `${PAYMASTER}${limit(100)}${limit(2)}beef`,
      isFinal: true,
      verificationGasOpen: false,
    });
  });

  it("keeps the operation's paymaster gas limits in the final data", async () => {
    const client = await clientOf({ paymaster: PAYMASTER, paymasterData: '0xcafe' });
    const withStub = {
      ...OPERATION,
      paymasterAndData: `${PAYMASTER}${limit(7)}${limit(8)}beef` as const,
    } as UserOperation;
    expect(await client.data(withStub, placeOf('0.7'))).toBe(`${PAYMASTER}${limit(7)}${limit(8)}cafe`);
  });

  it.each<[string, EntryPointVersion, object]>([
    ['without the gas of postOp', '0.7', { paymaster: PAYMASTER, paymasterData: '0x' }],
    ['in the form of 0.6', '0.7', { paymasterAndData: PAYMASTER }],
    ['in the form of 0.7', '0.6', { paymaster: PAYMASTER, paymasterData: '0x', paymasterPostOpGasLimit: '0x1' }],
    ['of half a byte', '0.6', { paymasterAndData: `${PAYMASTER}1` }],
    ['that is endless', '0.6', { paymasterAndData: `${PAYMASTER}${'00'.repeat(8192)}` }],
    [
      'with gas past 2^120',
      '0.8',
      { paymaster: PAYMASTER, paymasterData: '0x', paymasterPostOpGasLimit: `0x1${'0'.repeat(30)}` },
    ],
  ])('takes no answer %s', async (_name, version, result) => {
    const client = await clientOf(result);
    await expect(client.stubData(OPERATION, placeOf(version))).rejects.toThrow(
      /a malformed result for pm_getPaymasterStubData/u,
    );
  });
});

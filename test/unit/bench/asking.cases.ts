import { operationsOf, refusalNotes, requestsOf, signersOf } from '../../../bench/parts/asking';
import { type Host } from '../../../bench/parts/conversation';
import { KEY } from '../../../bench/payloads';
import { faultOf } from '../../../bench/runtime/answers';
import { type SnapRequest } from '../../../bench/runtime/request';
import { signTypedData, SignTypedDataVersion } from '@metamask/eth-sig-util';
import { parseTransaction, type Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

const PAGE = 'https://metamask.github.io';
const DIALECT = { managers: ['metamask', PAGE], hasOrigin: true };
const SIGNATURE = `0x${'ab'.repeat(65)}`;
const ADDRESS = '0x2c7536E3605D9C16a7a3D7b1898e529396a65c23';

type Submitted = {
  readonly account: string;
  readonly origin?: string;
  readonly request: { readonly method: string; readonly params: readonly unknown[] };
};

/** How a keyring of these tests differs from the plain one. */
type Manner = {
  readonly methods?: readonly string[] | undefined;
  readonly supportedMethods?: readonly string[];
  readonly type?: string;
  readonly knowsOrigin?: boolean;
  readonly isAsynchronous?: boolean;
  readonly canToggle?: boolean;
  readonly mustBeTold?: boolean;
  readonly sign?: (request: Submitted['request']) => unknown;
};

/** Without typed data, since its large message takes a while to check. */
const QUICK = ['personal_sign', 'eth_signTransaction', 'eth_sign'];

const ACCOUNT = privateKeyToAccount(`0x${KEY}`);

/** Signs as an account must. */
async function sign({ method, params }: Submitted['request']): Promise<unknown> {
  const [first, second] = params as [never, never];
  switch (method) {
    case 'personal_sign':
      return ACCOUNT.signMessage({ message: { raw: first } });
    case 'eth_sign':
      return ACCOUNT.sign({ hash: second });
    case 'eth_signTypedData_v1':
      return signTypedData({ privateKey: Buffer.from(KEY, 'hex'), data: second, version: SignTypedDataVersion.V1 });
    case 'eth_signTransaction': {
      const { gasLimit, from: _from, type: _type, ...fields } = first as Record<string, Hex>;
      const { chainId, nonce, value, maxFeePerGas, maxPriorityFeePerGas, to, data } = fields as Record<string, Hex>;
      const signed = await ACCOUNT.signTransaction({
        type: 'eip1559',
        chainId: Number(chainId),
        nonce: Number(nonce),
        to: to as Hex,
        data: data as Hex,
        value: BigInt(value ?? 0),
        gas: BigInt(gasLimit ?? 0),
        maxFeePerGas: BigInt(maxFeePerGas ?? 0),
        maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas ?? 0),
      });
      const { r, s, yParity } = parseTransaction(signed);
      return { r, s, v: `0x${yParity}` };
    }
    default:
      return ACCOUNT.signTypedData(second);
  }
}

/**
 * The settings that MetaMask's sample of smart accounts was given, or an error: it takes them as they are, not in a
 * list.
 */
function readConfig(params: unknown): unknown {
  if (Array.isArray(params) || typeof params !== 'object' || params === null) throw new Error('Missing config');
  return params;
}

/** A keyring in this process that makes accounts for its page only, and one for each key. */
function keyring(manner: Manner = {}): { host: Host; asked: SnapRequest[] } {
  const { knowsOrigin = true, canToggle = true, type = 'eip155:eoa' } = manner;
  const methods = 'methods' in manner ? manner.methods : QUICK;
  const asked: SnapRequest[] = [];
  const keys = new Set<string>();
  let isPending = manner.isAsynchronous ?? false;
  let isTold = false;
  const answer = async ({ handler, origin, method, params }: SnapRequest): Promise<unknown> => {
    if (method === 'keyring_listAccounts') return [];
    if (handler === 'rpc') {
      if (origin !== PAGE) throw new Error(`Origin '${origin}' is not allowed`);
      if (method === 'snap.internal.setConfig' && manner.mustBeTold === true) {
        const config = readConfig(params);
        isTold = true;
        return config;
      }
      if (method === 'snap.internal.toggleSynchronousApprovals' && canToggle) isPending = !isPending;
      else throw new Error('Method not supported');
      return null;
    }
    if (method === 'keyring_createAccount') {
      if (origin !== PAGE) throw new Error(`Origin '${origin}' is not allowed`);
      if (manner.mustBeTold === true && !isTold) throw new Error('Unknown factory');
      const { privateKey } = (params as { options: { privateKey?: string } }).options;
      if (privateKey === undefined) throw new Error('Private Key is required');
      if (keys.has(privateKey)) throw new Error('Account address already in use');
      keys.add(privateKey);
      const { supportedMethods } = manner;
      return {
        id: 'an-id',
        address: ADDRESS,
        type,
        ...(supportedMethods === undefined ? { methods } : { supportedMethods }),
      };
    }
    const submitted = params as Submitted;
    if (submitted.request.method === 'snap.internal.setConfig') throw new Error('Method not supported');
    if (submitted.request.method === 'personal_sign' && submitted.request.params[1] !== ADDRESS.toLowerCase())
      throw new Error('verification failed');
    if ('origin' in submitted !== knowsOrigin) throw new Error('At path: params.origin');
    if (isPending) return { pending: true, redirect: { message: 'Go', url: PAGE } };
    return { pending: false, result: await (manner.sign ?? sign)(submitted.request) };
  };
  return {
    asked,
    host: {
      call: async <T>(_name: string, request: SnapRequest) => {
        asked.push(request);
        // As the page and the runtime hand errors on.
        return (await answer(request).catch((error: unknown) => {
          throw new Error(`page.evaluate: Error: ${request.method}: ${(error as Error).message}\n    at page.js:1`);
        })) as T;
      },
    },
  };
}

describe('what a keyring is measured with', () => {
  it('are the methods of an account that its own page has it make, asked with the address in lower case', async () => {
    const { host } = keyring({ methods: [...QUICK, 'eth_signTypedData_v4'] });
    const { requests, refused, failed } = await requestsOf('a', host, DIALECT);
    expect(failed).toStrictEqual({});
    expect(Object.keys(requests)).toStrictEqual([
      'first answer again',
      'personal_sign, imported key',
      'eth_signTypedData_v4 (permit), imported key',
      'eth_signTransaction, imported key',
      'eth_signTypedData_v4 (1,000 items), imported key',
      'eth_sign, imported key',
    ]);
    expect(refused).toStrictEqual({
      'eth_signTypedData_v3 (permit), imported key': 'the account does not list the method',
      'eth_signTypedData_v1, imported key': 'the account does not list the method',
      'accounts with an own key': "Origin 'metamask' is not allowed / Private Key is required",
    });
  });

  it('are all methods where the account names none', async () => {
    const { host } = keyring({
      methods: undefined,
      // The large message takes a while to check.
      sign: (request) => (request.method === 'eth_signTypedData_v4' ? null : sign(request)),
    });
    const { requests } = await requestsOf('a', host, DIALECT);
    expect(Object.keys(requests)).toContain('eth_signTypedData_v1, imported key');
  });

  it('are those that an account of old names in its own way', async () => {
    const { host } = keyring({ methods: undefined, supportedMethods: ['eth_sign'] });
    const { requests } = await requestsOf('a', host, DIALECT);
    expect(Object.keys(requests)).toStrictEqual(['first answer again', 'eth_sign, imported key']);
  });

  it.each([true, false])(
    'has the form that its manifest does not say, if that is the one it knows: %j',
    async (named) => {
      const { host } = keyring({ knowsOrigin: !named });
      const { requests } = await requestsOf('a', host, { ...DIALECT, hasOrigin: named });
      expect('origin' in (requests['personal_sign, imported key']!.params as Submitted)).toBe(!named);
    },
  );

  it('is made to answer at once where it waits for approvals', async () => {
    const { host } = keyring({ isAsynchronous: true });
    const { requests } = await requestsOf('a', host, DIALECT);
    expect(requests['personal_sign, imported key']).toBeDefined();
  });

  it('is no promise of a signature', async () => {
    const { host } = keyring({ isAsynchronous: true, canToggle: false });
    const { requests, failed } = await requestsOf('a', host, DIALECT);
    expect(Object.keys(requests)).toStrictEqual(['first answer again']);
    expect(failed['personal_sign, imported key']).toBe('it answers only once the request is approved on its page');
  });

  it.each([null, '0x', {}, `0x${'ab'.repeat(64)}`, { error: 'no' }])(
    'is no answer without a signature: %j',
    async (result) => {
      const { host } = keyring({ sign: () => result });
      const { requests, failed } = await requestsOf('a', host, DIALECT);
      expect(Object.keys(requests)).toStrictEqual(['first answer again']);
      for (const method of QUICK)
        expect(failed[`${method}, imported key`]).toBe('the response does not have the shape of the method');
    },
  );

  it('is no signature of another message, or of another account', async () => {
    const { host } = keyring({
      sign: ({ method, params: [first, second] }) =>
        sign({ method, params: method === 'personal_sign' ? ['0x00', second] : [first, `0x${'11'.repeat(32)}`] }),
      methods: ['personal_sign', 'eth_sign'],
    });
    const { requests, failed } = await requestsOf('a', host, DIALECT);
    expect(Object.keys(requests)).toStrictEqual(['first answer again']);
    expect(failed['personal_sign, imported key']).toBe('the signature does not match the account');
    expect(failed['eth_sign, imported key']).toBe('the signature does not match the account');
  });

  it('is no signature of a transaction with another fee', async () => {
    const { host } = keyring({
      sign: ({ method, params: [first] }) => sign({ method, params: [{ ...(first as object), gasLimit: '0x1' }] }),
      methods: ['eth_signTransaction'],
    });
    const { failed } = await requestsOf('a', host, DIALECT);
    expect(failed['eth_signTransaction, imported key']).toBe('the signature does not match the account');
  });

  it('leaves out what is not answered in time, and goes on', async () => {
    const { host } = keyring({
      sign: (request) => (request.method === 'personal_sign' ? new Promise(() => undefined) : sign(request)),
    });
    const { requests, failed } = await requestsOf('a', host, DIALECT, 500);
    expect(failed['personal_sign, imported key']).toBe('no answer within 0.5 s');
    expect(requests['eth_sign, imported key']).toBeDefined();
  });

  it('names a reason in one line of a length that can be read', async () => {
    const { host } = keyring({
      sign: () => {
        throw new Error('x'.repeat(1000));
      },
    });
    const { failed } = await requestsOf('a', host, DIALECT);
    expect(failed['personal_sign, imported key']).toMatch(/^x{160} …$/u);
  });
});

describe('the user operations of a keyring', () => {
  const PREPARED = {
    nonce: '0x0',
    initCode: '0x',
    callData: '0x01',
    dummySignature: '0xff',
    dummyPaymasterAndData: '0x',
    bundlerUrl: 'https://bundler.example',
  };
  const operations: Manner = {
    type: 'eip155:erc4337',
    methods: ['eth_prepareUserOperation', 'eth_patchUserOperation', 'eth_signUserOperation'],
    sign: ({ method }) =>
      method === 'eth_prepareUserOperation'
        ? PREPARED
        : method === 'eth_patchUserOperation'
          ? { paymasterAndData: '0x' }
          : SIGNATURE,
  };

  it('are prepared, patched and signed, by one that must be told of its contracts first, in no list', async () => {
    const { host, asked } = keyring({ ...operations, mustBeTold: true });
    const { requests, refused, failed } = await operationsOf('a', host, DIALECT);
    expect({ ...refused, ...failed }).toStrictEqual({});
    expect(asked.filter(({ method }) => method === 'snap.internal.setConfig').at(-1)).toStrictEqual({
      handler: 'rpc',
      origin: PAGE,
      method: 'snap.internal.setConfig',
      params: {
        simpleAccountFactory: '0x9406Cc6185a346906296840746125a0E44976454',
        entryPoint: '0x5FF137D4b0FDCD49DcA30c7CF57E578a026d2789',
        bundlerUrl: 'https://bundler.example',
      },
    });
    expect(Object.keys(requests)).toStrictEqual([
      'eth_prepareUserOperation, imported key',
      'eth_patchUserOperation, imported key',
      'eth_signUserOperation, imported key',
    ]);
    const { request } = requests['eth_signUserOperation, imported key']!.params as Submitted;
    expect(request.params).toStrictEqual([
      expect.objectContaining({ sender: ADDRESS.toLowerCase(), callData: '0x01', signature: '0xff' }),
    ]);
  });

  it('are refused with a reason by one that does not take what it is told', async () => {
    const { host } = keyring({ ...operations, mustBeTold: true });
    const deaf: Host = {
      call: async <T>(name: string, request: SnapRequest) =>
        request.method === 'snap.internal.setConfig' ? ([] as T) : await host.call<T>(name, request),
    };
    const { requests, refused } = await operationsOf('a', deaf, DIALECT);
    expect(requests).toStrictEqual({});
    expect(refused['snap.internal.setConfig']).toContain('the response does not match the settings that were sent');
    expect(refused['accounts with an imported key']).toContain('Unknown factory');
  });

  it.each([
    ['eth_prepareUserOperation', { ...PREPARED, bundlerUrl: '' }],
    ['eth_patchUserOperation', { paymasterAndData: '0' }],
    ['eth_signUserOperation', '0xff'],
    ['eth_signUserOperation', null],
  ])('fail where the answer does not have the shape that MetaMask demands: %s', async (failing, answer) => {
    const { host } = keyring({
      ...operations,
      sign: (request) => (request.method === failing ? answer : operations.sign?.(request)),
    });
    const { requests, failed } = await operationsOf('a', host, DIALECT);
    expect(Object.keys(requests)).not.toContain(`${failing}, imported key`);
    expect(failed[`${failing}, imported key`]).toBe('the response does not have the shape of the method');
  });

  it('fail where the signature is the dummy one', () => {
    const operation = { sender: ADDRESS, signature: SIGNATURE };
    const params = { request: { method: 'eth_signUserOperation', params: [operation] } };
    const request = { handler: 'keyring', origin: 'metamask', method: 'keyring_submitRequest', params } as const;
    expect(faultOf('a', request, { pending: false, result: SIGNATURE })).toBe('it signed with the dummy signature');
  });

  it('are there among its methods, without those that only other accounts have', async () => {
    const { requests, refused } = await requestsOf('a', keyring(operations).host, DIALECT);
    expect(Object.keys(requests)).toHaveLength(4);
    expect(Object.keys(refused)).toStrictEqual(['accounts with an own key']);
  });

  it('are none where the accounts are no smart accounts', async () => {
    const { requests, refused } = await operationsOf('a', keyring().host, DIALECT);
    expect(requests).toStrictEqual({});
    expect(refused).toStrictEqual({ 'user operations': 'its accounts are no smart accounts' });
  });
});

it('says how accounts are made and sign', async () => {
  const { imported, own, asked } = await signersOf('a', keyring().host, DIALECT);
  expect(imported).toMatchObject({ account: { id: 'an-id' }, request: { origin: PAGE } });
  expect(own).toBeUndefined();
  expect(Object.keys(asked.requests)).toStrictEqual(['personal_sign, imported key']);
});

it('puts what has the same reason into one sentence', () => {
  expect(refusalNotes('a', { one: 'no', two: 'never', three: 'no' })).toStrictEqual([
    'a, not measured: one; three. Its reason: no',
    'a, not measured: two. Its reason: never',
  ]);
});

import { operationsOf, refusalNotes, requestsOf, signersOf } from '../../../bench/parts/asking';
import { type Host } from '../../../bench/parts/conversation';
import { type SnapRequest } from '../../../bench/runtime/request';

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

const EOA = ['personal_sign', 'eth_signTransaction', 'eth_signTypedData_v4', 'eth_sign'];

/** A keyring in this process that makes accounts for its page only, and one for each key. */
function keyring(manner: Manner = {}): { host: Host; asked: SnapRequest[] } {
  const { knowsOrigin = true, canToggle = true, type = 'eip155:eoa' } = manner;
  const methods = 'methods' in manner ? manner.methods : EOA;
  const asked: SnapRequest[] = [];
  const keys = new Set<string>();
  let isPending = manner.isAsynchronous ?? false;
  let isTold = false;
  const sign = ({ method, params }: Submitted['request']): unknown => {
    if (method === 'eth_signTransaction') return { r: '0x1', s: '0x2', v: '0x0' };
    if (method === 'personal_sign' && params[1] !== ADDRESS.toLowerCase()) throw new Error('verification failed');
    return SIGNATURE;
  };
  const answer = async ({ door, origin, method, params }: SnapRequest): Promise<unknown> => {
    if (method === 'keyring_listAccounts') return [];
    if (door === 'rpc') {
      if (origin !== PAGE) throw new Error(`Origin '${origin}' is not allowed`);
      if (method === 'snap.internal.setConfig') isTold = true;
      else if (method === 'snap.internal.toggleSynchronousApprovals' && canToggle) isPending = !isPending;
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
    const { host } = keyring();
    const { requests, refused } = await requestsOf('a', host, DIALECT);
    expect(Object.keys(requests)).toStrictEqual([
      'first answer again',
      'personal_sign, imported key',
      'eth_signTypedData_v4 (permit), imported key',
      'eth_signTransaction, imported key',
      'eth_signTypedData_v4 (1,000 items), imported key',
      'eth_sign, imported key',
    ]);
    expect(refused).toStrictEqual({
      'eth_signTypedData_v3 (permit), imported key': 'the account does not name the method',
      'eth_signTypedData_v1, imported key': 'the account does not name the method',
      'accounts with an own key': "Origin 'metamask' is not allowed / Private Key is required",
    });
  });

  it('are all methods where the account names none', async () => {
    const { host } = keyring({ methods: undefined });
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
      expect('origin' in (requests['personal_sign, imported key']?.params as Submitted)).toBe(!named);
    },
  );

  it('is made to answer at once where it waits for approvals', async () => {
    const { host } = keyring({ isAsynchronous: true });
    const { requests } = await requestsOf('a', host, DIALECT);
    expect(requests['personal_sign, imported key']).toBeDefined();
  });

  it('is no promise of a signature', async () => {
    const { host } = keyring({ isAsynchronous: true, canToggle: false });
    const { requests, refused } = await requestsOf('a', host, DIALECT);
    expect(Object.keys(requests)).toStrictEqual(['first answer again']);
    expect(refused['personal_sign, imported key']).toBe('it answers only once the request is approved on its page');
  });

  it.each([null, '0x', {}, `0x${'ab'.repeat(64)}`])('is no answer without a signature: %j', async (result) => {
    const { host } = keyring({ sign: () => result });
    const { requests, refused } = await requestsOf('a', host, DIALECT);
    expect(Object.keys(requests)).toStrictEqual(['first answer again']);
    expect(refused['eth_sign, imported key']).toBe('what it answered is not what the method answers');
  });

  it('leaves out what is not answered in time, and goes on', async () => {
    const { host } = keyring({
      sign: ({ method }) => (method === 'personal_sign' ? new Promise(() => undefined) : SIGNATURE),
    });
    const { requests, refused } = await requestsOf('a', host, DIALECT, 50);
    expect(refused['personal_sign, imported key']).toBe('no answer within 0.05 s');
    expect(requests['eth_sign, imported key']).toBeDefined();
  });

  it('names a reason in one line of a length that can be read', async () => {
    const { host } = keyring({
      sign: () => {
        throw new Error('x'.repeat(1000));
      },
    });
    const { refused } = await requestsOf('a', host, DIALECT);
    expect(refused['personal_sign, imported key']).toMatch(/^x{160} …$/u);
  });
});

describe('the user operations of a keyring', () => {
  const PREPARED = { nonce: '0x0', initCode: '0x', callData: '0x01', dummySignature: '0xff' };
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

  it('are prepared, patched and signed, by one that must be told of its contracts first', async () => {
    const { host } = keyring({ ...operations, mustBeTold: true });
    const { requests, refused } = await operationsOf('a', host, DIALECT);
    expect(refused).toStrictEqual({});
    expect(Object.keys(requests)).toStrictEqual([
      'eth_prepareUserOperation, imported key',
      'eth_patchUserOperation, imported key',
      'eth_signUserOperation, imported key',
    ]);
    const { request } = requests['eth_signUserOperation, imported key']?.params as Submitted;
    expect(request.params).toStrictEqual([
      expect.objectContaining({ sender: ADDRESS.toLowerCase(), callData: '0x01', signature: '0xff' }),
    ]);
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

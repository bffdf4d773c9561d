import { parseTransaction, type Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

import { refusalNotes, requestsOf } from '../../../bench/snap/asking';
import { type Host } from '../../../bench/snap/conversation';
import { KEY } from '../../../bench/snap/payloads';
import { type SnapRequest } from '../../../bench/snap/requests';

const PAGE = 'https://metamask.github.io';
const DIALECT = { managers: ['metamask', PAGE], hasOrigin: true };
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
  readonly sign?: (request: Submitted['request']) => unknown;
};

/** Without typed data, since its large message takes a while to check. */
const QUICK = ['personal_sign', 'eth_signTransaction'];

const ACCOUNT = privateKeyToAccount(`0x${KEY}`);

/** Signs as an account must. */
async function sign({ method, params }: Submitted['request']): Promise<unknown> {
  const [first, second] = params as [never, never];
  switch (method) {
    case 'personal_sign':
      return ACCOUNT.signMessage({ message: { raw: first } });
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

/** A keyring in this process that makes accounts for its page only, and one for each key. */
function keyring(manner: Manner = {}): { host: Host; asked: SnapRequest[] } {
  const { knowsOrigin = true, canToggle = true, type = 'eip155:eoa' } = manner;
  const methods = 'methods' in manner ? manner.methods : QUICK;
  const asked: SnapRequest[] = [];
  const keys = new Set<string>();
  let isPending = manner.isAsynchronous ?? false;
  const answer = async ({ handler, origin, method, params }: SnapRequest): Promise<unknown> => {
    if (method === 'keyring_listAccounts') return [];
    if (handler === 'rpc') {
      if (origin !== PAGE) throw new Error(`Origin '${origin}' is not allowed`);
      if (method === 'snap.internal.toggleSynchronousApprovals' && canToggle) isPending = !isPending;
      else throw new Error('Method not supported');
      return null;
    }
    if (method === 'keyring_createAccount') {
      if (origin !== PAGE) throw new Error(`Origin '${origin}' is not allowed`);
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
      'personal_sign, imported key',
      'eth_signTypedData_v4 (permit), imported key',
      'eth_signTransaction, imported key',
      'eth_signTypedData_v4 (1,000 items), imported key',
    ]);
    expect(refused).toStrictEqual({
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
    expect(Object.keys(requests)).toContain('eth_signTransaction, imported key');
  });

  it('are those that an account of old names in its own way', async () => {
    const { host } = keyring({ methods: undefined, supportedMethods: ['personal_sign'] });
    const { requests } = await requestsOf('a', host, DIALECT);
    expect(Object.keys(requests)).toStrictEqual(['personal_sign, imported key']);
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
    expect(Object.keys(requests)).toStrictEqual([]);
    expect(failed['personal_sign, imported key']).toBe('it answers only once the request is approved on its page');
  });

  it.each([null, '0x', {}, `0x${'ab'.repeat(64)}`, { error: 'no' }])(
    'is no answer without a signature: %j',
    async (result) => {
      const { host } = keyring({ sign: () => result });
      const { requests, failed } = await requestsOf('a', host, DIALECT);
      expect(Object.keys(requests)).toStrictEqual([]);
      for (const method of QUICK)
        expect(failed[`${method}, imported key`]).toBe('the response does not have the shape of the method');
    },
  );

  it('is no signature of another message', async () => {
    const { host } = keyring({
      sign: ({ method, params: [, second] }) => sign({ method, params: ['0x00', second] }),
      methods: ['personal_sign'],
    });
    const { requests, failed } = await requestsOf('a', host, DIALECT);
    expect(Object.keys(requests)).toStrictEqual([]);
    expect(failed['personal_sign, imported key']).toBe('the signature does not match the account');
  });

  it('is no signature of another account', async () => {
    const other = privateKeyToAccount(`0x${'01'.repeat(32)}`);
    const { host } = keyring({
      sign: ({ params: [first] }) => other.signMessage({ message: { raw: first as Hex } }),
      methods: ['personal_sign'],
    });
    const { failed } = await requestsOf('a', host, DIALECT);
    expect(failed['personal_sign, imported key']).toBe('the signature does not match the account');
  });

  it('are none of a smart account, whose contract says what a signature is', async () => {
    const { requests, refused } = await requestsOf('a', keyring({ type: 'eip155:erc4337' }).host, DIALECT);
    expect(requests).toStrictEqual({});
    expect(refused['signatures of an imported key']).toBe('its accounts are smart accounts');
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
    expect(requests['eth_signTransaction, imported key']).toBeDefined();
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

it('puts what has the same reason into one sentence', () => {
  expect(refusalNotes('a', { one: 'no', two: 'never', three: 'no' })).toStrictEqual([
    'a, not measured: one; three. Its reason: no',
    'a, not measured: two. Its reason: never',
  ]);
});

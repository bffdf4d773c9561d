import { jest } from '@jest/globals';

import { createKeysteadProvider, type RequestArguments } from '../../../src/provider';
import { reply, serveJsonRpc } from '../../support/json-rpc-server';
import { pageWallet } from '../../support/wallet/page-wallet';
import { ALICE, BOB, connected, failureOf, simulatedSnap, SNAP } from './connected';

describe('requests', () => {
  it('for accounts go to the snap, as JSON', async () => {
    const seen: unknown[] = [];
    const { provider } = connected({ wallet_sendCalls: (params) => seen.push(params) && { id: '0x1' } });
    const params = [{ version: '2.0.0', id: undefined, calls: [{ to: BOB, data: undefined }] }];
    await provider.request({ method: 'wallet_sendCalls', params } as never);
    expect(seen).toStrictEqual([[{ version: '2.0.0', calls: [{ to: BOB }] }]]);
  });

  it.each([
    [{ method: 'eth_call', params: [{ value: 1n }] }, -32602, /must be JSON/u],
    [{}, -32602, /method: must be a string/u],
    [undefined, -32602, /must be an object/u],
    [{ method: 'wallet_invokeSnap', params: { snapId: SNAP } }, 4200, /wallet_invokeSnap/u],
    [{ method: 'wallet_getSnaps' }, 4200, /wallet_getSnaps/u],
    [{ method: 'wallet_invokeKeyring' }, 4200, /wallet_invokeKeyring/u],
    [{ method: 'keyring_listAccounts' }, 4200, /keyring_listAccounts/u],
    [{ method: 'snap_getEntropy' }, 4200, /snap_getEntropy/u],
  ])('%o are rejected by the provider itself', async (args, code, message) => {
    const { wallet, provider } = connected();
    const error = await failureOf(provider.request(args as never));
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
    expect(wallet.calls).toEqual([]);
  });

  it.each(['constructor', 'toString', 'valueOf', 'hasOwnProperty', '__proto__'])(
    'for a method called %s are treated like any other',
    async (method) => {
      const { provider } = connected({}, { wallet: pageWallet('io.metamask.flask').provider });
      expect(await failureOf(provider.request({ method }))).toMatchObject({ code: 4100 });
      expect(await connected().provider.request({ method })).toBe(`${method} of the snap`);
    },
  );

  describe('for a signature that other owners of the account must give, too', () => {
    const MISSING = { code: -32_002, message: '2 of 3 owners must sign', data: { code: 'signatures-missing' } };
    beforeEach(() => {
      jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] });
    });
    afterEach(() => {
      jest.useRealTimers();
    });

    it('stay open, as the same request, until it is there, and hold up nothing else', async () => {
      const seen: unknown[] = [];
      let answer: unknown = MISSING;
      const { provider } = connected({
        personal_sign: (params) => {
          seen.push(params);
          if (answer === MISSING) throw MISSING;
          return answer;
        },
        eth_signTypedData_v4: () => '0x02',
      });
      const params = ['0x48', ALICE] as const;
      const signing = provider.request({ method: 'personal_sign', params: [...params] });
      await jest.advanceTimersByTimeAsync(11_000);
      expect(seen).toEqual([params, params, params]);
      const typed = { types: {}, primaryType: 'EIP712Domain', domain: {}, message: {} };
      expect(await provider.request({ method: 'eth_signTypedData_v4', params: [ALICE, typed] })).toBe('0x02');
      answer = '0x01';
      await jest.advanceTimersByTimeAsync(5000);
      expect(await signing).toBe('0x01');
      await jest.advanceTimersByTimeAsync(60_000);
      expect(seen).toHaveLength(4);
    });

    it('end when the person refuses, or with any other error of that number', async () => {
      const errors: unknown[] = [
        { ...MISSING, data: { code: 'service-failed' } },
        { code: 4001, message: 'no' },
        MISSING,
      ];
      const { provider } = connected({
        personal_sign: () => {
          throw errors.pop();
        },
      });
      const rejected = failureOf(provider.request({ method: 'personal_sign', params: ['0x48', ALICE] }));
      await jest.advanceTimersByTimeAsync(5000);
      expect((await rejected).code).toBe(4001);
      const failed = await failureOf(provider.request({ method: 'personal_sign', params: ['0x48', ALICE] }));
      expect(failed.data).toEqual({ code: 'service-failed' });
      expect(jest.getTimerCount()).toBe(0);
    });
  });

  it('are rejected if they are nested more than 128 levels deep', async () => {
    const { wallet, provider } = connected();
    const nested = (levels: number) => Array.from({ length: levels }).reduce<unknown>((inner) => [inner], 'latest');
    for (const levels of [129, 100_000]) {
      const error = await failureOf(provider.request({ method: 'eth_call', params: nested(levels) } as never));
      expect(error).toMatchObject({ code: -32602, message: 'params: must be at most 128 levels deep' });
    }
    expect(wallet.calls).toEqual([]);
    await provider.request({ method: 'eth_call', params: nested(128) } as never);
    expect(wallet.calls).not.toEqual([]);
  });

  it.each([
    [
      { code: 4001, message: 'no', data: { code: 'user-rejected' } },
      { code: 4001, message: 'no' },
    ],
    [Object.assign(new Error('reverted'), { code: 3, data: '0x08c379a0' }), { code: 3, message: 'reverted' }],
    [new Error('no code'), { code: -32603, message: 'no code' }],
    ['a string', { code: -32603, message: 'The wallet failed and gave no reason.' }],
    [undefined, { code: -32603, message: 'The wallet failed and gave no reason.' }],
  ])('keep the code, message and data of %o', async (thrown, expected) => {
    const { provider } = connected({
      personal_sign: () => {
        throw thrown as Error;
      },
    });
    const error = await failureOf(provider.request({ method: 'personal_sign', params: ['0x00', ALICE] }));
    expect(error).toMatchObject(expected);
    expect(error.data).toEqual((thrown as { data?: unknown } | undefined)?.data);
  });

  it('that may open a dialog run one after another; others do not wait', async () => {
    const order: string[] = [];
    let answerFirst: (() => void) | undefined;
    const { provider } = connected({
      personal_sign: (params) => {
        const [message] = params as [string];
        order.push(`asked ${message}`);
        if (message !== '0x01') return 'signed';
        return new Promise((_resolve, reject) => {
          answerFirst = () => {
            order.push('rejected 0x01');
            reject(Object.assign(new Error('no'), { code: 4001 }));
          };
        });
      },
    });
    const first = failureOf(provider.request({ method: 'personal_sign', params: ['0x01', ALICE] }));
    const second = provider.request({ method: 'personal_sign', params: ['0x02', ALICE] });
    expect(await provider.request({ method: 'eth_chainId' })).toBe('0x7a69');
    expect(order).toEqual(['asked 0x01']);
    answerFirst?.();
    expect((await first).code).toBe(4001);
    expect(await second).toBe('signed');
    expect(order).toEqual(['asked 0x01', 'rejected 0x01', 'asked 0x02']);
  });

  it('are not held up by one whose answer is lost', async () => {
    jest.useFakeTimers();
    const never = new Promise<never>(() => undefined);
    const answers: Record<string, (params: unknown) => unknown> = {
      personal_sign: (params) => ((params as string[])[0] === '0x01' ? never : 'signed'),
      eth_sendTransaction: () => never,
    };
    const { provider } = connected(answers);
    const sign = (message: string) => provider.request({ method: 'personal_sign', params: [message, ALICE] } as never);
    const lost = [failureOf(sign('0x01')), failureOf(provider.request({ method: 'eth_sendTransaction' } as never))];
    const next = sign('0x02');
    const settled = jest.fn();
    void Promise.race([...lost, next]).then(settled);
    await jest.advanceTimersByTimeAsync(179_999);
    expect(settled).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(1);
    // viem repeats a request after -32603, which would ask twice.
    expect(await lost[0]).toMatchObject({
      code: -32002,
      message: expect.stringMatching(
        /^personal_sign: the wallet did not answer within 180 s\. A dialog may/u,
      ) as string,
    });
    await jest.advanceTimersByTimeAsync(180_000);
    expect((await lost[1])?.message).toMatch(/^eth_sendTransaction: the wallet did not answer/u);
    expect(await next).toBe('signed');
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
  });

  it('are not held up by a lost answer about the chain or from installing', async () => {
    jest.useFakeTimers();
    const never = new Promise<never>(() => undefined);
    const { provider } = connected({ eth_chainId: () => never }, { nodes: { 1: { request: async () => '0x10' } } });
    const read = provider.request({ method: 'eth_blockNumber' });
    await jest.advanceTimersByTimeAsync(180_000);
    expect(await read).toBe('0x10');
    const wallet = pageWallet('io.metamask.flask', { snap: simulatedSnap().snap, install: () => never });
    const installing = createKeysteadProvider({ wallet: wallet.provider });
    const failed = failureOf(installing.request({ method: 'eth_requestAccounts' }));
    const second = failureOf(installing.request({ method: 'personal_sign', params: ['0x00', ALICE] }));
    await jest.advanceTimersByTimeAsync(180_000);
    expect((await failed).code).toBe(-32002);
    expect((await second).code).toBe(4100);
    jest.useRealTimers();
  });

  it.each(['eth_newFilter', 'eth_newBlockFilter', 'eth_newPendingTransactionFilter', 'eth_subscribe'])(
    'for %s go to a node of the options, or are refused as by a node',
    async (method) => {
      const node = { request: (args: RequestArguments) => Promise.resolve(`${args.method} of the node`) };
      expect(await connected({}, { nodes: { 31337: node } }).provider.request({ method })).toBe(
        `${method} of the node`,
      );
      const refusal = { code: -32601, message: `the method ${method} does not exist/is not available` };
      const { provider, wallet } = connected();
      expect(await failureOf(provider.request({ method }))).toMatchObject(refusal);
      expect(wallet.calls).toEqual([]);
      const elsewhere = connected({}, { nodes: { 10: node } });
      expect(await failureOf(elsewhere.provider.request({ method }))).toMatchObject(refusal);
      expect((await provider.sendAsync({ method })).error).toMatchObject(refusal);
    },
  );

  it('for a read that the snap does not know are refused as by a node', async () => {
    const { provider } = connected({
      eth_foo: () => {
        throw Object.assign(new Error('method: Keystead does not support "eth_foo"'), { code: 4200 });
      },
      eth_sign: () => {
        throw Object.assign(new Error('method: Keystead does not support "eth_sign". Use personal_sign'), {
          code: 4200,
        });
      },
    });
    expect(await failureOf(provider.request({ method: 'eth_foo' }))).toMatchObject({
      code: -32601,
      message: 'the method eth_foo does not exist/is not available',
    });
    // EIP-1193: an account method that the provider does not support.
    expect(await failureOf(provider.request({ method: 'eth_sign' }))).toMatchObject({ code: 4200 });
  });

  it('with null for parameters have none', async () => {
    const { provider, wallet } = connected();
    await provider.request({ method: 'wallet_getPermissions', params: null } as never);
    expect(wallet.calls.at(-1)?.params).toMatchObject({ request: { method: 'wallet_getPermissions' } });
    expect(JSON.stringify(wallet.calls.at(-1))).not.toContain('null');
  });

  it('that read go to the snap if no node is configured', async () => {
    const { provider } = connected();
    expect(await provider.request({ method: 'eth_getUncleByBlockHashAndIndex', params: ['0x00', '0x0'] })).toBe(
      'eth_getUncleByBlockHashAndIndex of the snap',
    );
  });

  it('that read go to the node of the current chain', async () => {
    const nodeOf = (chain: string) => ({
      request: ({ method }: RequestArguments) => Promise.resolve(`${method} of ${chain}`),
    });
    const { provider } = connected({}, { nodes: { 31337: nodeOf('31337'), 10: nodeOf('10') } });
    expect(await provider.request({ method: 'eth_blockNumber' })).toBe('eth_blockNumber of 31337');
    await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: '0xa' }] });
    expect(await provider.request({ method: 'eth_blockNumber' })).toBe('eth_blockNumber of 10');
    await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: '0x1' }] });
    expect(await provider.request({ method: 'eth_blockNumber' })).toBe('eth_blockNumber of the snap');
    const method = 'eth_signTypedData_v4';
    expect(await provider.request({ method, params: [ALICE, '{}'] })).toBe(`${method} of the snap`);
  });

  it('for a transaction that the node does not know go to the snap: it may be a user operation', async () => {
    const hash = `0x${'ab'.repeat(32)}`;
    const node = { request: ({ method }: RequestArguments) => Promise.resolve(method === 'eth_call' ? '0x' : null) };
    const answers = { eth_getTransactionReceipt: () => ({ status: '0x1' }) };
    const { provider } = connected(answers, { nodes: { 31337: node } });
    expect(await provider.request({ method: 'eth_getTransactionReceipt', params: [hash] })).toEqual({ status: '0x1' });
    expect(await provider.request({ method: 'eth_getBlockByHash', params: [hash, false] })).toBeNull();
    const unconnected = createKeysteadProvider({ wallet: pageWallet('io.metamask').provider, nodes: { 1: node } });
    expect(await unconnected.request({ method: 'eth_getTransactionReceipt', params: [hash] })).toBeNull();
  });

  it('to a node’s URL return its results and errors', async () => {
    const seen: unknown[] = [];
    const server = await serveJsonRpc(({ id, method, params }, response) => {
      seen.push([method, params]);
      if (method === 'eth_blockNumber') reply(response, { id, result: '0x10' });
      else reply(response, { id, error: { code: 3, message: 'execution reverted: no', data: '0x08c379a0' } });
    });
    const { provider } = connected({}, { nodes: { 31337: server.url } });
    expect(await provider.request({ method: 'eth_blockNumber' })).toBe('0x10');
    const error = await failureOf(provider.request({ method: 'eth_call', params: [{ to: BOB }, 'latest'] }));
    expect(error).toMatchObject({ code: 3, message: 'execution reverted: no', data: '0x08c379a0' });
    const byName = await failureOf(provider.request({ method: 'eth_call', params: { to: BOB } }));
    expect(byName).toMatchObject({ code: -32602, message: 'params: must be a list' });
    await server.stop();
    const gone = await failureOf(provider.request({ method: 'eth_blockNumber' }));
    expect(gone).toMatchObject({ code: -32002, message: expect.stringContaining('could not be reached') as string });
    expect(seen).toEqual([
      ['eth_blockNumber', []],
      ['eth_call', [{ to: BOB }, 'latest']],
    ]);
  });

  it.each([
    [
      'of the node, as it sent it',
      { code: 'node-refused', message: 'execution reverted', data: '0x08c379a0' },
      '0x08c379a0',
    ],
    ['that names no revert', { code: 'node-refused' }, { code: 'node-refused' }],
    ['of the snap itself', { code: 'invalid-params', field: 'to' }, { code: 'invalid-params', field: 'to' }],
  ])('that go to the snap reject with data %s', async (_name, data, expected) => {
    const refuse = (): never => {
      throw Object.assign(new Error('execution reverted'), { code: 3, data });
    };
    const { provider } = connected({ eth_call: refuse });
    const error = await failureOf(provider.request({ method: 'eth_call', params: [{ to: BOB }, 'latest'] }));
    expect(error).toMatchObject({ code: 3, message: 'execution reverted', data: expected });
  });

  it('cannot go to a remote node without https', () => {
    expect(() => createKeysteadProvider({ nodes: { 1: 'http://node.example' } })).toThrow(/url: must be an https URL/u);
  });
});

it.each(['http://localhost:8080', 'keystead', '', 5, null])('rejects the snap id %p', (snapId) => {
  expect(() => createKeysteadProvider({ snapId } as never)).toThrow('snapId: must begin with npm: or local:');
});

it.each([
  ['snapID', { snapID: 'local:http://localhost:8080' }],
  ['chainID', { chainID: 10 }],
  ['node', { wallet: pageWallet('io.metamask').provider, node: { 1: 'https://node.example' } }],
  ['toString', { toString: 'x' }],
])('rejects the unknown option %s', (name, options) => {
  expect(() => createKeysteadProvider(options as never)).toThrow(
    `${name}: must be one of the options snapId, version, wallet, chooseWallet, nodes, chainId, isMetaMask`,
  );
});

it('accepts undefined for every option', () => {
  const none = undefined;
  const options = {
    snapId: none,
    version: none,
    wallet: none,
    chooseWallet: none,
    nodes: none,
    chainId: none,
    isMetaMask: none,
  };
  expect(createKeysteadProvider(options as never)).toHaveProperty('request');
});

describe('chain ids in the options', () => {
  it.each([
    ['chainId', { chainId: 0 }],
    ['chainId', { chainId: -1 }],
    ['chainId', { chainId: 1.5 }],
    ['chainId', { chainId: NaN }],
    ['chainId', { chainId: 2 ** 53 }],
    ['nodes', { nodes: { 0: 'https://node.example' } }],
    ['nodes', { nodes: { mainnet: 'https://node.example' } }],
    ['nodes', { nodes: { '': 'https://node.example' } }],
    ['nodes', { nodes: { '1.5': 'https://node.example' } }],
  ])('rejects %s: %o and names the rule', (field, options) => {
    expect(() => createKeysteadProvider(options as never)).toThrow(
      `${field}: must be a chain id: a whole number above zero`,
    );
  });

  it('are reported until the snap is available', async () => {
    for (const [options, chainId] of [
      [{}, '0x1'],
      [{ chainId: 2 ** 53 - 1 }, '0x1fffffffffffff'],
      [{ nodes: { 10: 'https://node.example' } }, '0xa'],
    ] as const) {
      const provider = createKeysteadProvider({ ...options, wallet: pageWallet('io.metamask.flask').provider });
      expect(await provider.request({ method: 'eth_chainId' })).toBe(chainId);
    }
  });
});

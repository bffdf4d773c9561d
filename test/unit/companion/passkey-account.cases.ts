import { type Hex, parseEther, toHex } from 'viem';

import { accountOf, problemOf, proposalFor } from '../../../src/companion/model/passkey-account';
import { keepSent, sentFrom } from '../../../src/companion/model/passkey-sent';
import { type Passkey } from '../../../src/companion/model/passkeys';
import { safeToBe, type SafeState } from '../../../src/companion/model/safe';
import { type UserOperation } from '../../../src/core/erc4337/user-operation';
import { KINDS } from '../../../src/core/kinds';
import { newMessage } from '../../../src/core/schemas/safe-message';
import { newProposal } from '../../../src/core/schemas/safe-proposal';
import { emptyBrowserStorage } from '../../support/companion/browser-storage';
import { DEVNET } from '../../support/companion/samples';
import { type SimulatedNode, startSimulatedNode } from '../../support/simulated-node';

const SAFE: Hex = `0x${'5a'.repeat(20)}`;
const SIGNER: Hex = `0x${'51'.repeat(20)}`;
const KEY: Hex = `0x${'0a'.repeat(20)}`;
const hashOf = (digit: string): Hex => `0x${digit.repeat(64)}`;

const PASSKEY = {
  credentialId: 'AQID',
  safe: SAFE,
  name: 'Safe 1',
  chain: { ...DEVNET, bundlerUrl: 'http://127.0.0.1:1' },
  signer: SIGNER,
  factory: KEY,
  x: '0x1',
  y: '0x2',
  verifiers: '0x3',
} as const satisfies Passkey;

const OWNED: SafeState = {
  ...safeToBe(KEY),
  owners: [SIGNER, KEY],
  kinds: [
    { address: SIGNER, isContract: true },
    { address: KEY, isContract: false },
  ],
};

describe('the account of a passkey', () => {
  it.each<[string, SafeState | undefined, Partial<Passkey>, RegExp]>([
    ['is not there', undefined, {}, /no account at this address/u],
    ['has other owners', safeToBe(KEY), {}, /not an owner of the account/u],
    [
      'is on a network without the signer',
      { ...OWNED, kinds: OWNED.kinds.map((one) => ({ ...one, isContract: false })) },
      {},
      /no contract that verifies/u,
    ],
    ['lacks the module for user operations', { ...OWNED, modules: [] }, {}, /lacks Safe’s module/u],
    ['has no bundler', OWNED, { chain: DEVNET }, /knows no bundler/u],
  ])('cannot send if it %s', (_what, safe, change, problem) => {
    expect(problemOf(safe, { ...PASSKEY, ...change })).toMatch(problem);
  });

  it('can send or propose if the passkey is an owner', () => {
    expect(problemOf(OWNED, PASSKEY)).toBeUndefined();
    // It signs first, and another owner after it.
    expect(problemOf({ ...OWNED, threshold: 2 }, PASSKEY)).toBeUndefined();
    expect(accountOf(PASSKEY)).toMatchObject({ address: SAFE, scopes: [DEVNET.chainId], name: 'Safe 1' });
  });
});

describe('what another owner proposed', () => {
  const proposed = (change: Partial<UserOperation> = {}, chainId = 31_337n) =>
    newProposal(
      {
        ...{ sender: SAFE, nonce: 1n, initCode: '0x', callData: '0x', paymasterAndData: '0x', signature: '0x' },
        ...{ callGasLimit: 1n, verificationGasLimit: 1n, preVerificationGas: 1n },
        ...{ maxFeePerGas: 1n, maxPriorityFeePerGas: 1n },
        ...change,
      },
      chainId,
    );

  it('is signed by a passkey only if it is an operation of its account on its network', () => {
    const calls = [1n, 2n].map((value) => ({ to: KEY, value, data: '0x' as const }));
    const own = proposed({ callData: KINDS['safe-0.7'].encodeCalls(calls) });
    expect(proposalFor(PASSKEY, own)).toEqual({ proposal: own, calls: 2 });
    expect(proposalFor(PASSKEY, proposed())).toMatchObject({ calls: 1 });
    for (const other of [proposed({ sender: SIGNER }), proposed({}, 1n)])
      expect(() => proposalFor(PASSKEY, other)).toThrow('for another account or network');
    expect(() => proposalFor(PASSKEY, newMessage({ message: '0x00' }, SAFE, 31_337n))).toThrow('operations only');
  });
});

describe('what a passkey has sent', () => {
  let bundler: SimulatedNode;
  beforeEach(async () => {
    emptyBrowserStorage();
    Object.assign(globalThis, { location: { origin: 'http://localhost:8000' } });
    bundler = await startSimulatedNode();
  });
  afterEach(async () => {
    Reflect.deleteProperty(globalThis, 'location');
    await bundler.stop();
  });
  const chain = () => ({ ...DEVNET, bundlerUrl: bundler.url });
  const sent = (digit: string, change: object = {}) => ({
    account: SAFE,
    chainId: DEVNET.chainId,
    at: Number(digit),
    calls: 2,
    hash: hashOf(digit),
    isUnclear: false,
    ...change,
  });
  const receipt = (hash: Hex, success: boolean) => ({
    userOpHash: hash,
    success,
    sender: SAFE,
    nonce: '0x1',
    actualGasCost: toHex(parseEther('1')),
    actualGasUsed: '0x1',
    logs: [],
    receipt: { transactionHash: hashOf('f'), blockNumber: '0x1', logs: [], status: '0x1', type: '0x2' },
  });

  it('is confirmed only by the bundler’s receipt of the same operation', async () => {
    keepSent(sent('1'));
    bundler.answers.eth_getUserOperationReceipt = () => receipt(hashOf('9'), true);
    expect((await sentFrom(SAFE, chain())).map((one) => one.sent)).toMatchObject([{ status: 100, transactions: [] }]);
    bundler.answers.eth_getUserOperationReceipt = () => receipt(hashOf('1'), true);
    expect((await sentFrom(SAFE, chain())).map((one) => one.sent)).toMatchObject([
      { status: 200, transactions: [hashOf('f')], calls: 2 },
    ]);
    bundler.answers.eth_getUserOperationReceipt = () => receipt(hashOf('1'), false);
    expect((await sentFrom(SAFE, chain())).map((one) => one.sent)).toMatchObject([{ status: 500 }]);
  });

  it('is not what other accounts sent, or on other networks, the newest first', async () => {
    keepSent(sent('1'));
    keepSent(sent('2', { account: KEY }));
    keepSent(sent('3', { chainId: 'eip155:1' }));
    keepSent(sent('4'));
    expect((await sentFrom(SAFE, chain())).map(({ at }) => at)).toEqual([4, 1]);
  });

  it('is still known after the browser has no room, and a bundler does not answer', async () => {
    keepSent(sent('1'));
    const { localStorage } = globalThis as unknown as { localStorage: { setItem: unknown } };
    localStorage.setItem = () => {
      throw new Error('full');
    };
    expect(() => {
      keepSent(sent('2'));
    }).not.toThrow();
    expect((await sentFrom(SAFE, { ...DEVNET, bundlerUrl: 'http://127.0.0.1:1' })).map(({ at }) => at)).toEqual([1]);
  });
});

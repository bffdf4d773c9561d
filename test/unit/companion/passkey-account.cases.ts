import { type Hex, parseEther, toHex } from 'viem';

import { accountOf, problemOf } from '../../../src/companion/model/passkey-account';
import { keepSent, sentFrom } from '../../../src/companion/model/passkey-sent';
import { type Passkey } from '../../../src/companion/model/passkeys';
import { safeToBe, type SafeState } from '../../../src/companion/model/safe';
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
    ['needs more signatures', { ...OWNED, threshold: 2 }, {}, /^2 owners must sign/u],
    ['has no bundler', OWNED, { chain: DEVNET }, /knows no bundler/u],
  ])('cannot send if it %s', (_what, safe, change, problem) => {
    expect(problemOf(safe, { ...PASSKEY, ...change })).toMatch(problem);
  });

  it('can send if the passkey is an owner whose signature is enough', () => {
    expect(problemOf(OWNED, PASSKEY)).toBeUndefined();
    expect(accountOf(PASSKEY)).toMatchObject({ address: SAFE, scopes: [DEVNET.chainId], name: 'Safe 1' });
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

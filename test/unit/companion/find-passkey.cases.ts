import {
  decodeFunctionData,
  encodeFunctionResult,
  getAddress,
  type Hex,
  hexToBytes,
  keccak256,
  pad,
  parseAbi,
} from 'viem';

import { shortAddress } from '../../../src/companion/model/account-name';
import { type ShownPasskey } from '../../../src/companion/model/credential';
import { accountsOfPasskey, chainOfForm } from '../../../src/companion/model/find-passkey';
import { assertNewTitle, keepPasskey, passkeyAt, passkeyLink, passkeys } from '../../../src/companion/model/passkeys';
import { partsOf } from '../../../src/companion/model/route';
import { type Chain } from '../../../src/companion/model/types';
import { powersOf } from '../../../src/companion/model/safe';
import { SINGLETON } from '../../../src/core/safe/contracts';
import { recoverKeys } from '../../../src/core/safe/passkey/recover-keys';
import { KNOWN_VERIFIERS, SIGNER_FACTORIES, signerAddress } from '../../../src/core/safe/passkey/signer';
import { passkeySignature } from '../../../src/core/safe/passkey/webauthn';
import { SENTINEL } from '../../../src/core/eth/address';
import { emptyBrowserStorage } from '../../support/companion/browser-storage';
import { DEVNET } from '../../support/companion/samples';
import { makePasskey, PASSKEY_ORIGIN, signerAccepts, type TestPasskey } from '../../support/passkey';
import { preparedCode, PROXY_CODE } from '../../support/prepared-code';
import { NodeRefusal, type SimulatedNode, startSimulatedNode } from '../../support/simulated-node';

const ABI = parseAbi([
  'function getOwners() view returns (address[])',
  'function VERSION() view returns (string)',
  'function getModulesPaginated(address start, uint256 pageSize) view returns (address[] modules, address next)',
  'function isValidSignature(bytes data, bytes signature) view returns (bytes4)',
]);
const IS_VALID_SIGNATURE = '0x20c13b0b';
const VALID = `${IS_VALID_SIGNATURE}${'0'.repeat(56)}`;
const NO: Hex = `0x${'0'.repeat(64)}`;
const ADDED_OWNER = '0x9465fa0c962cc76958e6373a993326400c1c94f8be2fe3a952adfa7f60b2ea26';
const FACTORY = SIGNER_FACTORIES[0]!;
const DATA: Hex = '0x7465787420746f207369676e';

const MINE: Hex = `0x${'ab'.repeat(20)}`;
const OTHERS: Hex = `0x${'cd'.repeat(20)}`;
const EOA: Hex = `0x${'11'.repeat(20)}`;

type Contract = {
  readonly code?: Hex;
  readonly singleton?: Hex;
  readonly owners: readonly Hex[];
  readonly modules?: readonly Hex[];
};

const shownBy = (key: TestPasskey, safe?: Hex): ShownPasskey => {
  const challenge = hexToBytes(keccak256(DATA));
  const assertion = key.assert(challenge);
  return {
    credentialId: 'AQIDBA',
    home: safe && { chainId: 31_337n, safe, made: 1_764_288_000 },
    points: recoverKeys(assertion),
    signature: passkeySignature(assertion, challenge, PASSKEY_ORIGIN),
  };
};

describe('the account of a passkey', () => {
  const key = makePasskey();
  const signerOf = (of: TestPasskey, verifiers = KNOWN_VERIFIERS[0]!): Hex =>
    signerAddress(
      { factory: FACTORY.address, point: of.point, verifiers },
      preparedCode(FACTORY.address),
    ).toLowerCase() as Hex;
  const signer = signerOf(key);
  let node: SimulatedNode;
  /** The Safes of the network, by address. */
  let safes: Record<string, Contract>;
  let accepts: (data: Hex, signature: Hex) => boolean;
  let logged: () => readonly Hex[];
  /** Signers that nobody created. */
  let missing: readonly Hex[];

  beforeEach(async () => {
    emptyBrowserStorage();
    safes = { [MINE]: { owners: [EOA, signer] } };
    accepts = (data, signature) => signerAccepts(key, data, signature);
    logged = () => [MINE];
    missing = [];
    node = await startSimulatedNode({
      eth_getCode: ([address]) => {
        const at = (address as string).toLowerCase();
        if (at === FACTORY.address.toLowerCase()) return preparedCode(FACTORY.address);
        const safe = safes[at];
        return safe === undefined ? (at === EOA ? '0x' : '0x60') : (safe.code ?? PROXY_CODE);
      },
      eth_getStorageAt: ([address, slot]) => {
        const safe = safes[(address as string).toLowerCase()];
        if (safe === undefined) return NO;
        const at = BigInt(slot as string);
        return at === 0n ? pad(safe.singleton ?? SINGLETON) : at === 4n ? pad('0x01') : NO;
      },
      eth_call: ([call]) => {
        const { to, data } = call as { readonly to: Hex; readonly data: Hex };
        const safe = safes[to.toLowerCase()];
        if (missing.includes(to.toLowerCase() as Hex)) return '0x';
        if (safe === undefined && !data.startsWith(IS_VALID_SIGNATURE)) return '0x';
        const { functionName, args } = decodeFunctionData({ abi: ABI, data });
        if (functionName === 'isValidSignature') return accepts(...args) ? VALID : NO;
        if (functionName === 'VERSION') return encodeFunctionResult({ abi: ABI, functionName, result: '1.4.1' });
        if (functionName === 'getOwners')
          return encodeFunctionResult({ abi: ABI, functionName, result: safe?.owners ?? [] });
        return encodeFunctionResult({ abi: ABI, functionName, result: [safe?.modules ?? [], SENTINEL] });
      },
      eth_getLogs: () => logged().map((address) => ({ address })),
    });
  });
  afterEach(async () => {
    Reflect.deleteProperty(globalThis, 'localStorage');
    await node.stop();
  });

  const chain = (): Chain => ({ ...DEVNET, rpcUrl: node.url });
  const search = (shown: ShownPasskey, safe?: Hex) =>
    accountsOfPasskey({ shown, data: DATA, chain: chain(), modules: [], safe });
  const find = async (shown: ShownPasskey, safe?: Hex) => (await search(shown, safe)).found;
  /** Contracts that log what nobody asked for. */
  const crowdOf = (count: number): readonly Hex[] =>
    Array.from({ length: count }, (_, index): Hex => `0x${String(index + 1000).padStart(40, '0')}`);

  it('is not a Safe of somebody else that a forged user ID names', async () => {
    safes[OTHERS] = { owners: [EOA, signerOf(makePasskey())] };
    await expect(find(shownBy(key, OTHERS), OTHERS)).rejects.toThrow(
      /^This passkey does not own the Safe 0x[cd]{40} on .*, says the node at 127\.0\.0\.1:\d+\..*another account\.$/iu,
    );
  });

  it.each<[string, Contract]>([
    ['other code', { owners: [signer], code: '0x6001' }],
    ['the code of a proxy of another contract', { owners: [signer], singleton: OTHERS }],
  ])('is no contract with %s, which could say anything of its owners', async (_what, contract) => {
    safes[OTHERS] = contract;
    await expect(find(shownBy(key, OTHERS), OTHERS)).rejects.toThrow('does not own the Safe');
    logged = () => [OTHERS];
    await expect(find(shownBy(key))).rejects.toThrow('This passkey owns no account on');
  });

  it('is not that of another passkey', async () => {
    await expect(find(shownBy(makePasskey(), MINE), MINE)).rejects.toThrow('does not own the Safe');
    await expect(find(shownBy(makePasskey()))).rejects.toThrow('This passkey owns no account on');
  });

  it.each<[string, (data: Hex, signature: Hex) => boolean, RegExp]>([
    ['whose signer refuses the signature', () => false, /does not accept the signature of this passkey/u],
    ['whose signer accepts anything', () => true, /accepts any signature, so it proves nothing/u],
  ])('is not one of a node that lies about the owners, %s', async (_what, answer, sentence) => {
    accepts = answer;
    await expect(find(shownBy(key, MINE), MINE)).rejects.toThrow(sentence);
    await expect(find(shownBy(key))).rejects.toThrow(sentence);
  });

  it('is shown with a module that could take what it holds', async () => {
    safes[MINE] = { owners: [signer], modules: [OTHERS] };
    const [found] = await find(shownBy(key));
    expect(powersOf(found!.safe)).toMatchObject([
      { label: 'Module', isUnknown: true, meaning: expect.stringMatching(/It can do anything/u) as string },
    ]);
  });

  it('is not hidden by Safes of somebody else that cannot be read, or name a signer that does not exist', async () => {
    const [unreadable, pretending]: Hex[] = [`0x${'ee'.repeat(20)}`, OTHERS];
    safes[unreadable!] = { owners: [signer, ...crowdOf(201)] };
    safes[pretending!] = { owners: [signerOf(key, KNOWN_VERIFIERS[1])] };
    logged = () => [unreadable!, MINE, pretending!];
    missing = [signerOf(key, KNOWN_VERIFIERS[1])];
    expect((await find(shownBy(key))).map(({ passkey }) => passkey.safe.toLowerCase())).toEqual([MINE]);
  });

  it('is found as the first that logged its signer, however many contracts of others follow', async () => {
    safes[OTHERS] = { owners: [EOA, signer] };
    logged = () => [MINE, ...crowdOf(200), OTHERS];
    const { found, unseen } = await search(shownBy(key));
    expect(found.map(({ passkey }) => passkey.safe.toLowerCase())).toEqual([MINE, OTHERS]);
    expect(unseen).toBe(152);
  });

  it('is not said to be none if contracts of others crowd it out, or could not be read', async () => {
    logged = () => [...crowdOf(25), MINE, ...crowdOf(100).slice(50)];
    await expect(find(shownBy(key))).rejects.toThrow(
      '76 contracts say that they added this passkey, and not all could be looked at. Enter the account’s address.',
    );
    safes[OTHERS] = { owners: [signer, ...crowdOf(201)] };
    logged = () => [OTHERS, MINE];
    expect(await search(shownBy(key))).toMatchObject({ found: [{}], unseen: 1 });
  });

  it('is not looked for at a node of another network, or without Safe’s factory', async () => {
    node.answers.eth_chainId = () => '0x1';
    await expect(find(shownBy(key, MINE), MINE)).rejects.toThrow('must be a node for chain 31337');
    node.answers.eth_chainId = () => '0x7a69';
    node.answers.eth_getCode = () => '0x6001';
    await expect(find(shownBy(key, MINE), MINE)).rejects.toThrow('does not have Safe’s signer factory');
  });

  it('is asked for by its address if the node does not search its log', async () => {
    logged = () => {
      throw new NodeRefusal('block range is too large', -32_005);
    };
    await expect(find(shownBy(key))).rejects.toThrow(
      /^The account was not searched for, because the node at .* Enter the account’s address, or use another node\.$/u,
    );
    expect(await find(shownBy(key), MINE)).toHaveLength(1);
  });

  it('is the one that the user ID names, with all that its signer depends on', async () => {
    const [found, ...others] = await find(shownBy(key, MINE), MINE);
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      safe: { owners: [EOA, signer], threshold: 1 },
      passkey: {
        credentialId: 'AQIDBA',
        name: `Safe ${shortAddress(getAddress(MINE))}`,
        made: 1_764_288_000,
        hasSigned: true,
        chain: chain(),
        factory: FACTORY.address,
        verifiers: KNOWN_VERIFIERS[0],
        x: `0x${key.point.x.toString(16)}`,
        y: `0x${key.point.y.toString(16)}`,
      },
    });
    expect(found?.passkey.signer.toLowerCase()).toBe(signer);
    expect(node.asked.some(({ method }) => method === 'eth_getLogs')).toBe(false);
  });

  it.each(KNOWN_VERIFIERS)(
    'is found in the log of its owner, for a signer with the verifiers %s',
    async (verifiers) => {
      safes[MINE] = { owners: [signerOf(key, verifiers)] };
      logged = () => [OTHERS, MINE, MINE];
      const found = await find(shownBy(key));
      expect(found.map(({ passkey }) => [passkey.safe.toLowerCase(), passkey.verifiers])).toEqual([[MINE, verifiers]]);
      const { params } = node.asked.find(({ method }) => method === 'eth_getLogs')!;
      expect(params).toMatchObject([{ fromBlock: '0x0', toBlock: 'latest' }]);
      const [{ topics }] = params as [{ topics: [Hex, readonly Hex[]] }];
      expect(topics[0]).toBe(ADDED_OWNER);
      expect(topics[1].map((topic) => topic.toLowerCase())).toContain(pad(signerOf(key, verifiers)));
    },
  );

  it('does not take the place of the same account on another network', async () => {
    const [first] = await find(shownBy(key), MINE);
    const there = { ...chain(), chainId: 'eip155:10', rpcUrl: 'https://other.example' } as const;
    keepPasskey({ ...first!.passkey, chain: there });
    keepPasskey(first!.passkey);
    keepPasskey({ ...first!.passkey, name: 'Savings' });
    const known = passkeys.read();
    expect(known.map(({ name, chain: at }) => [name === 'Savings', at.chainId])).toEqual([
      [false, 'eip155:10'],
      [true, chain().chainId],
    ]);
    for (const passkey of known)
      expect(passkeyAt(partsOf(passkeyLink(passkey, 'owners')).slice(1), known)).toBe(passkey);
    expect(passkeyAt([first!.passkey.signer, MINE], known)).toBe(known[0]);
    expect(passkeyAt([first!.passkey.signer, MINE, 'send', 'eip155:1'], known)).toBeUndefined();
  });

  it('has no passkey with the name of another, or without one, so that they can be told apart', async () => {
    const [first] = await find(shownBy(key), MINE);
    keepPasskey({ ...first!.passkey, title: 'Laptop' });
    for (const title of ['Laptop', ''])
      expect(() => {
        assertNewTitle(title, MINE);
      }).toThrow('Name of the passkey: must be one that no other passkey of the account has');
    assertNewTitle('Phone', MINE);
    assertNewTitle('Laptop', OTHERS);
  });

  it('keeps the name that this browser has for it', async () => {
    const [first] = await find(shownBy(key, MINE), MINE);
    keepPasskey({ ...first!.passkey, name: 'Savings', title: 'Laptop' });
    const [again] = await find(shownBy(key));
    expect(again?.passkey).toMatchObject({ name: 'Savings', title: 'Laptop', made: 1_764_288_000 });
  });
});

describe('the network of a form that the snap does not see', () => {
  const FORM = { rpcUrl: 'https://node.example', bundlerUrl: '', paymasterUrl: '' };
  const BEFORE: Chain = { chainId: 'eip155:10', rpcUrl: 'https://old.example', bundlerUrl: 'https://bundler.example' };

  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['a node without encryption', { rpcUrl: 'http://node.example' }, 'rpcUrl: must be an https URL of a public host'],
    ['no node', { rpcUrl: '' }, 'rpcUrl: must be an https URL'],
    ['a node in the own network', { rpcUrl: 'https://192.168.1.1' }, 'rpcUrl: must be an https URL'],
    ['a node with a password', { rpcUrl: 'https://a:b@node.example' }, 'rpcUrl: must be an https URL'],
    ['a bundler that is a script', { bundlerUrl: 'javascript:alert(1)' }, 'bundlerUrl: must be an https URL'],
    ['a paymaster that is no URL', { paymasterUrl: '-' }, 'paymasterUrl: must be an https URL'],
  ])('is refused with %s', (_what, change, rule) => {
    expect(() => chainOfForm('eip155:10', { ...FORM, ...change }, [])).toThrow(rule);
  });

  it('has what the form says, and otherwise what the browser knows of that network', () => {
    const { rpcUrl } = FORM;
    expect(chainOfForm('eip155:10', FORM, [])).toEqual({ chainId: 'eip155:10', rpcUrl });
    const known = [{ ...BEFORE, chainId: 'eip155:1' } as const, BEFORE];
    expect(chainOfForm('eip155:10', FORM, known)).toEqual({ ...BEFORE, rpcUrl });
    const own = { bundlerUrl: 'http://localhost:4337', paymasterUrl: 'https://sponsor.example' };
    expect(chainOfForm('eip155:10', { ...FORM, ...own }, known)).toMatchObject(own);
  });
});

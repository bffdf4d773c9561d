import { decodeFunctionData, type Hex, hexToBytes, parseAbi } from 'viem';

import { nodeOf } from '../../../src/companion/model/node';
import { checkedChange } from '../../../src/companion/model/owner-change';
import { passkeySupport } from '../../../src/companion/model/passkey-network';
import { passkeyOwner, tryPasskey, unprovenAmong } from '../../../src/companion/model/passkey-owner';
import { assertRoomForPasskey, keepPasskey, type Passkey, passkeys } from '../../../src/companion/model/passkeys';
import { type OwnerChange } from '../../../src/core/safe/owners/changes';
import { ownerWith } from '../../../src/core/safe/owners/owners';
import { FALLBACK_VERIFIERS, SIGNER_FACTORIES, signerAddress } from '../../../src/core/safe/passkey/signer';
import { passkeySignature } from '../../../src/core/safe/passkey/webauthn';
import { preparedContracts } from '../../../src/devnet/chain/state';
import { makePasskey, PASSKEY_ORIGIN, signerAccepts } from '../../support/passkey';
import { type SimulatedNode, startSimulatedNode } from '../../support/simulated-node';
import { emptyBrowserStorage } from '../../support/companion/browser-storage';
import { DEVNET, SAFE } from '../../support/companion/samples';

const ABI = parseAbi(['function isValidSignature(bytes data, bytes signature) view returns (bytes4)']);
const VALID = `0x20c13b0b${'0'.repeat(56)}`;
const NO: Hex = `0x${'0'.repeat(64)}`;
const SAFE_ADDRESS = SAFE.address as Hex;
const OWN: Hex = `0x${'11'.repeat(20)}`;
const OTHER: Hex = `0x${'22'.repeat(20)}`;
const FACTORY = SIGNER_FACTORIES[0]!;
const FACTORY_0_2_1 = '0x1d31f259ee307358a26dfb23eb365939e8641195';
const FACTORY_CODE = preparedContracts().contracts[FACTORY.address.toLowerCase() as Hex]!.code;

describe('a passkey as an owner', () => {
  const key = makePasskey();
  let node: SimulatedNode;
  /** What the network has at the signer's address. */
  let code: Hex;
  let accepts: (data: Hex, signature: Hex) => boolean;
  let asked: number;
  /** What the network has for passkeys, by address in lower case, and how its precompile answers. */
  let codes: Record<string, Hex>;
  let precompile: Hex;
  beforeEach(async () => {
    code = '0x60';
    // The factory's code is public, so any node can serve it.
    codes = { [FACTORY.address.toLowerCase()]: FACTORY_CODE };
    precompile = `0x${'0'.repeat(63)}1`;
    accepts = (data, signature) => signerAccepts(key, data, signature);
    asked = 0;
    node = await startSimulatedNode({
      eth_getCode: ([address]) => {
        const at = (address as string).toLowerCase();
        return at === signer ? code : (codes[at] ?? '0x');
      },
      eth_call: ([call]) => {
        const { to, data } = call as { readonly to: Hex; readonly data: Hex };
        if (BigInt(to) === 0x100n) return precompile;
        if (to.toLowerCase() !== signer || code === '0x') return '0x';
        const [signed, signature] = decodeFunctionData({ abi: ABI, data }).args;
        return accepts(signed, signature) ? VALID : NO;
      },
    });
    emptyBrowserStorage();
  });
  afterEach(async () => {
    Reflect.deleteProperty(globalThis, 'localStorage');
    await node.stop();
  });

  const parts = { factory: FACTORY.address, point: key.point, verifiers: `0x0100${'00'.repeat(20)}` } as const;
  const signer = signerAddress(parts, FACTORY_CODE).toLowerCase() as Hex;
  const passkey: Passkey = {
    credentialId: 'AAAA',
    safe: SAFE_ADDRESS,
    name: 'Safe 1',
    chain: DEVNET,
    signer,
    factory: parts.factory,
    verifiers: parts.verifiers,
    x: `0x${key.point.x.toString(16)}`,
    y: `0x${key.point.y.toString(16)}`,
  };
  const client = () => nodeOf({ ...DEVNET, rpcUrl: node.url });
  const sign = (hash: Hex): Promise<Hex> => {
    asked += 1;
    const challenge = hexToBytes(hash);
    return Promise.resolve(passkeySignature(key.assert(challenge), challenge, PASSKEY_ORIGIN));
  };
  const attempt = () => tryPasskey({ signer }, sign, client());

  it('cannot sign if a node serves the code of the factory and creates nothing, and nothing may depend on it', async () => {
    code = '0x';
    expect((await passkeySupport(client())).factory.code).toBe(FACTORY_CODE);
    await expect(attempt()).rejects.toThrow(/cannot sign here/u);
    expect(asked).toBe(0);
    const owners = [ownerWith(signer, code), ownerWith(OWN, '0x')];
    // That it signed elsewhere, or earlier, changes nothing.
    for (const known of [passkey, { ...passkey, hasSigned: true } as const]) {
      expect(passkeyOwner(owners[0]!, DEVNET, [known])?.standing).toBe('cannot-sign');
      expect(unprovenAmong(owners, DEVNET, [known])).toEqual([signer]);
    }
  });

  it.each<[string, () => void, RegExp]>([
    [
      'no factory',
      () => (codes = {}),
      /does not have Safe’s signer factory 0\.2\.0.* so a passkey cannot be an owner/u,
    ],
    [
      'other code at the address of the factory',
      () => (codes[FACTORY.address.toLowerCase()] = `${FACTORY_CODE}00`),
      /does not have Safe’s signer factory 0\.2\.0, with the code that Keystead knows/u,
    ],
    [
      'only the factory 0.2.1, which makes other signers',
      () => (codes = { [FACTORY_0_2_1]: '0x6001' }),
      /does not have Safe’s signer factory 0\.2\.0/u,
    ],
    [
      'the code of the factory at another address only',
      () => (codes = { [FACTORY_0_2_1]: FACTORY_CODE }),
      /does not have Safe’s signer factory 0\.2\.0/u,
    ],
    [
      'neither the precompile nor a verifier',
      () => (precompile = '0x'),
      /neither the precompile nor a verifier contract .* so a passkey cannot be an owner/u,
    ],
    [
      'a precompile that confirms nothing, and other code at the address of a verifier',
      () => {
        precompile = NO;
        codes[FALLBACK_VERIFIERS[0]!.address.toLowerCase()] = '0x6001';
      },
      /neither the precompile nor a verifier contract/u,
    ],
  ])('cannot be on a network with %s, which is said', async (_what, change, sentence) => {
    change();
    await expect(passkeySupport(client())).rejects.toThrow(sentence);
  });

  it('needs no verifier contract if the precompile confirms a signature', async () => {
    expect(await passkeySupport(client())).toMatchObject({ verifiers: parts.verifiers });
  });

  it.each<[string, (data: Hex, signature: Hex) => boolean, RegExp]>([
    ['refuses its signature', () => false, /does not accept the signature/u],
    ['accepts whatever was signed', () => true, /accepts any signature/u],
    ['verifies another key', (data, signature) => signerAccepts(makePasskey(), data, signature), /does not accept/u],
  ])('has not signed if the network %s', async (_what, answer, rule) => {
    accepts = answer;
    await expect(attempt()).rejects.toThrow(rule);
  });

  it('has signed once the network accepts its signature of one text, and of no other', async () => {
    await attempt();
    expect(asked).toBe(1);
    const owner = ownerWith(signer, code);
    expect(passkeyOwner(owner, DEVNET, [passkey])).toEqual({ passkey, standing: 'untried' });
    expect(passkeyOwner(owner, DEVNET, [{ ...passkey, hasSigned: true }])?.standing).toBe('signs');
    expect(unprovenAmong([owner], DEVNET, [{ ...passkey, hasSigned: true }])).toEqual([]);
  });

  it('is another owner on another network, and no passkey of this browser is a mere key', () => {
    expect(passkeyOwner(ownerWith(signer, code), { chainId: 'eip155:1' }, [passkey])).toBeUndefined();
    expect(passkeyOwner(ownerWith(OWN, '0x'), DEVNET, [passkey])).toBeUndefined();
  });

  const two = { owners: [signer, OWN], threshold: 1 };
  const three = { owners: [signer, OWN, OTHER], threshold: 2 };
  const refused = expect.objectContaining({
    field: 'threshold',
    message: expect.stringMatching(/^Required signatures: must be at most 1, without the passkeys/u) as string,
  }) as Error;

  it.each<[string, typeof two, OwnerChange]>([
    ['by more signatures', two, { kind: 'threshold', threshold: 2 }],
    ['by one owner less', three, { kind: 'remove', owner: OTHER, threshold: 2 }],
    [
      'by its taking the place of another',
      { owners: [OWN, OTHER], threshold: 2 },
      { kind: 'replace', owner: OTHER, by: signer },
    ],
    ['as it is added', { owners: [OWN], threshold: 1 }, { kind: 'add', owner: signer, threshold: 2 }],
  ])('that has not signed is not made necessary: %s', (_how, current, change) => {
    expect(() => checkedChange(SAFE_ADDRESS, current, change, [signer])).toThrow(refused);
    expect(checkedChange(SAFE_ADDRESS, current, change, []).threshold).toBe(2);
  });

  it.each<[string, typeof two, OwnerChange]>([
    ['its removal', three, { kind: 'remove', owner: signer, threshold: 2 }],
    ['its replacement', { owners: [signer, OWN], threshold: 2 }, { kind: 'replace', owner: signer, by: OTHER }],
    ['another owner', two, { kind: 'add', owner: OTHER, threshold: 2 }],
    ['fewer signatures', { owners: [signer, OWN], threshold: 2 }, { kind: 'threshold', threshold: 1 }],
  ])('that has not signed stops no change that does without it: %s', (_what, current, change) => {
    expect(() => checkedChange(SAFE_ADDRESS, current, change, [signer])).not.toThrow();
  });

  it('is not made if the browser could not keep it, and trying leaves everything as it was', () => {
    const of = { safe: SAFE_ADDRESS, name: 'Safe 2', chain: DEVNET };
    keepPasskey(passkey);
    assertRoomForPasskey(of);
    expect(passkeys.read()).toEqual([passkey]);
    Object.assign(localStorage, {
      setItem: () => {
        throw new DOMException('exceeded the quota', 'QuotaExceededError');
      },
    });
    expect(() => {
      assertRoomForPasskey(of);
    }).toThrow(/no room left/u);
    expect(passkeys.read()).toEqual([passkey]);
  });
});

import { nodeOf } from '../../../src/companion/model/node';
import { resolveRecipient, worthKeeping } from '../../../src/companion/model/recipient';
import { nameOf } from '../../../src/companion/model/recipient-name';
import { ALICE, BOB, DEVNET, SAFE, STANDARD } from '../../support/companion/samples';

const known = {
  accounts: [STANDARD, SAFE],
  contacts: [
    { name: 'Alice', address: ALICE },
    { name: 'Safe 1', address: BOB },
  ],
} as const;
const resolve = (text: string) => resolveRecipient(text, { ...known, chain: DEVNET, node: nodeOf(DEVNET) }, 'To');

describe('nameOf', () => {
  it('prefers the name of an own account', () => {
    const contacts = [{ name: 'Somebody', address: STANDARD.address as typeof ALICE }];
    expect(nameOf(STANDARD.address.toLowerCase(), { ...known, contacts })).toBe('Keystead 1');
    expect(nameOf(ALICE.toLowerCase(), known)).toBe('Alice');
    expect(nameOf('0x0000000000000000000000000000000000000001', known)).toBeUndefined();
  });
});

describe('resolveRecipient', () => {
  it('finds names in any case', async () => {
    expect(await resolve('ALICE')).toEqual({ address: ALICE, name: 'Alice', isOwn: false });
    expect(await resolve('keystead 1')).toEqual({ address: STANDARD.address, name: 'Keystead 1', isOwn: true });
  });

  it('refuses a name that several have: which of them is meant must not be guessed', async () => {
    await expect(resolve('Safe 1')).rejects.toThrow('To: several accounts or contacts are called Safe 1');
  });

  it('takes an address without a name, with its checksum', async () => {
    const address = '0x00000000000000000000000000000000000000A1';
    expect(await resolve(address.toLowerCase())).toEqual({ address, isOwn: false });
    await expect(resolve(ALICE.replace('C5', 'c5'))).rejects.toThrow('To: must be an address with the right checksum');
  });

  it.each(['', 'nobody', '0x12'])('refuses "%s"', async (text) => {
    await expect(resolve(text)).rejects.toThrow(
      'To: must be an address (0x followed by 40 hex digits), a contact or an ENS name',
    );
  });
});

describe('worthKeeping', () => {
  const to = (address: string, name?: string) => ({
    address: address as typeof ALICE,
    isOwn: false,
    ...(name !== undefined && { name }),
  });

  it('never offers an address that nobody controls', () => {
    const nobody = [
      '0x0000000000000000000000000000000000000000',
      '0x0000000000000000000000000000000000000001',
      '0x000000000000000000000000000000000000dEaD',
      '0xdEAD000000000000000042069420694206942069',
      '0xFFfFfFffFFfffFFfFFfFFFFFffFFFffffFfFFFfF',
    ];
    expect(worthKeeping(nobody.map((address) => to(address)))).toEqual([]);
  });

  it('offers every recipient without a name, each once', () => {
    const offered = worthKeeping([to(ALICE), to(BOB), to(ALICE.toLowerCase()), to(SAFE.address, 'Safe 1')]);
    expect(offered.map(({ address }) => address)).toEqual([ALICE, BOB]);
  });
});

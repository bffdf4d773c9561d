import { type Json } from '@metamask/snaps-sdk';
import { type Hex } from 'viem';

import { type Kept } from '../../../../../src/core/ledger/signed/kept';
import { noteSignature } from '../../../../../src/snap/account/signed/manage-signatures';
import { SignedRepository } from '../../../../../src/snap/account/signed/repository';

const [ONE, OTHER]: Hex[] = [`0x${'a1'.repeat(20)}`, `0x${'b2'.repeat(20)}`];
const HASH: Hex = `0x${'11'.repeat(32)}`;
const kept = (account: Hex): Kept => ({
  ...{ account, origin: 'https://dapp.example', at: 1, hash: HASH, title: 'Permit' },
  chainId: 'eip155:1',
});

async function start(): Promise<SignedRepository> {
  let stored: Json = null;
  const signed = new SignedRepository({
    read: () => Promise.resolve(stored),
    write: (_key, value) => {
      stored = value;
      return Promise.resolve();
    },
  });
  // A message of Permit2 names no owner, so that two accounts can sign the same.
  await signed.add([kept(ONE!), kept(OTHER!)], 1n);
  return signed;
}

describe('what a node said of a signature', () => {
  it('is not taken for what it said of another account that signed the same', async () => {
    const signed = await start();
    await noteSignature(
      { account: ONE!.toUpperCase().replace('0X', '0x'), hash: HASH, goneAt: 'the node' },
      { signed },
    );
    expect(await signed.read()).toEqual([{ ...kept(ONE!), goneAt: 'the node' }, kept(OTHER!)]);
  });

  it('has a name of a limited length', async () => {
    const signed = await start();
    const note = (goneAt: string) => noteSignature({ account: ONE!, hash: HASH, goneAt }, { signed });
    await expect(note('x'.repeat(301))).rejects.toThrow('params.goneAt: must be a string of at most 300 characters');
    expect(await signed.read()).toEqual([kept(ONE!), kept(OTHER!)]);
  });
});

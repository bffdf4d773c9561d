import { hashMessage, hashTypedData, keccak256, size, stringToHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

import { safeMessageOf } from '../../../../src/core/safe/safe-message';
import { signedPreimage } from '../../../../src/core/safe/safe-op';
import { type InvalidParamsError } from '../../../../src/core/errors';
import { type Hex } from '../../../../src/core/eth/bytes';
import { accountOf, readProposal, writeProposal } from '../../../../src/core/schemas/any-proposal';
import { withSignature } from '../../../../src/core/schemas/owner-signatures';
import { contentHash, messageTypedData, newMessage, type SafeMessage } from '../../../../src/core/schemas/safe-message';

const OWNER = privateKeyToAccount(`0x${'17'.repeat(32)}`);
const OTHER = privateKeyToAccount(`0x${'18'.repeat(32)}`);
const SAFE: Hex = `0x${'5a'.repeat(20)}`;
const TEXT = 'dapp.example wants you to sign in';
const TYPED = {
  types: { EIP712Domain: [{ name: 'chainId', type: 'uint256' }], Note: [{ name: 'text', type: 'string' }] },
  primaryType: 'Note',
  domain: { chainId: 31_337 },
  message: { text: 'Hello' },
};

const lower = (address: Hex): Hex => address.toLowerCase() as Hex;
const message = newMessage({ message: stringToHex(TEXT) }, SAFE, 31_337n);

async function signed(): Promise<SafeMessage> {
  const signature = await OWNER.sign({ hash: message.hash });
  return withSignature(message, { address: lower(OWNER.address), isContract: false, signature });
}

type File = { signatures: Record<string, unknown>[]; typedData: typeof TYPED } & Record<string, unknown>;

/** The file after a change. */
async function changed(change: (file: File) => unknown): Promise<string> {
  const file = JSON.parse(writeProposal(await signed())) as File;
  await change(file);
  return JSON.stringify(file);
}

/** Typed data instead of the text, under the hash of that typed data. */
const typedInstead = (file: File, typedData: object = TYPED): void => {
  delete file.message;
  Object.assign(file, { typedData, hash: newMessage({ typedData: TYPED }, SAFE, 31_337n).hash, signatures: [] });
};

describe('a message file that deceives', () => {
  it.each<[string, string, RegExp, (file: File) => unknown]>([
    [
      'a text that does not belong to the hash',
      'proposal.hash',
      /must be the hash of SafeMessage/u,
      (file) => {
        file.message = stringToHex('Something else');
      },
    ],
    [
      'another Safe under the same hash',
      'proposal.hash',
      /must be the hash of SafeMessage/u,
      (file) => {
        file.safe = `0x${'66'.repeat(20)}`;
      },
    ],
    [
      'another network under the same hash',
      'proposal.hash',
      /must be the hash of SafeMessage/u,
      (file) => {
        file.chainId = 1;
      },
    ],
    [
      'a text and typed data',
      'proposal',
      /must have either message or typedData/u,
      (file) => {
        file.typedData = TYPED;
      },
    ],
    [
      'nothing to sign',
      'proposal',
      /must have either message or typedData/u,
      (file) => {
        delete file.message;
      },
    ],
    [
      'typed data of another network',
      'proposal.typedData.domain.chainId',
      /must be chainId/u,
      (file) => {
        typedInstead(file, { ...TYPED, domain: { chainId: 1 } });
      },
    ],
    [
      'typed data that contradicts its types',
      'typedData.message.text',
      /must be/u,
      (file) => {
        typedInstead(file, { ...TYPED, message: { text: 1 } });
      },
    ],
    [
      'other typed data under the same hash',
      'proposal.hash',
      /must be the hash of SafeMessage/u,
      (file) => {
        typedInstead(file, { ...TYPED, message: { text: 'Bye' } });
      },
    ],
    [
      'an unknown member',
      'proposal.title',
      /is not a known field/u,
      (file) => {
        file.title = 'Harmless';
      },
    ],
    [
      'another version',
      'proposal.version',
      /must be 1/u,
      (file) => {
        file.version = 2;
      },
    ],
    [
      'a signature of somebody else in the name of an owner',
      'proposal.signatures[0].signature',
      /must be the owner's/u,
      async (file) => {
        file.signatures[0]!.signature = await OTHER.sign({ hash: message.hash });
      },
    ],
    [
      'a signature of the text itself',
      'proposal.signatures[0].signature',
      /must be the owner's/u,
      async (file) => {
        file.signatures[0]!.signature = await OWNER.signMessage({ message: TEXT });
      },
    ],
    [
      'a signature for another network',
      'proposal.signatures[0].signature',
      /must be the owner's/u,
      async (file) => {
        file.signatures[0]!.signature = await OWNER.sign({ hash: newMessage(message.content, SAFE, 1n).hash });
      },
    ],
    [
      'an owner that signs twice',
      'proposal.signatures[1].owner',
      /must not sign twice/u,
      (file) => {
        file.signatures.push({ ...file.signatures[0], owner: OWNER.address.toUpperCase().replace('0X', '0x') });
      },
    ],
  ])('%s', async (_what, field, rule, change) => {
    const error: unknown = await readProposal(await changed(change)).catch((thrown: unknown) => thrown);
    expect((error as InvalidParamsError).field).toBe(field);
    expect((error as Error).message).toMatch(rule);
  });
});

describe('a message that several owners sign', () => {
  it('is hashed as Safe hashes it: the text, then SafeMessage for this account and network', () => {
    const safeMessage = (hash: Hex): Hex =>
      hashTypedData({
        domain: { chainId: 31_337, verifyingContract: SAFE },
        types: { SafeMessage: [{ name: 'message', type: 'bytes' }] },
        primaryType: 'SafeMessage',
        message: { message: hash },
      });
    expect(message.hash).toBe(safeMessage(hashMessage(TEXT)));
    const typed = newMessage({ typedData: TYPED }, SAFE, 31_337n);
    expect(typed.hash).toBe(safeMessage(hashTypedData(TYPED as Parameters<typeof hashTypedData>[0])));
    expect(hashTypedData(messageTypedData(typed) as unknown as Parameters<typeof hashTypedData>[0])).toBe(typed.hash);
    const preimage = signedPreimage(safeMessageOf(contentHash(message.content), SAFE, 31_337n));
    expect([size(preimage), keccak256(preimage)]).toEqual([66, message.hash]);
  });

  it('is read as it was written, with its signatures, beside operations', async () => {
    const whole = await signed();
    expect(await readProposal(writeProposal(whole))).toEqual(whole);
    expect(accountOf(whole)).toBe(SAFE);
    const typed = newMessage({ typedData: TYPED }, SAFE, 31_337n);
    expect(await readProposal(writeProposal(typed))).toEqual(typed);
  });
});

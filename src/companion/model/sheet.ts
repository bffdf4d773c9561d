import { ContactNameStruct } from '../../core/accounts/contact';
import { quotable } from '../../core/decode/words/text';
import { isIn, isSameAddress } from '../../core/eth/address';
import { type Hex } from '../../core/eth/bytes';
import { counted } from '../../core/eth/units';
import { type Network } from '../../core/networks/network';
import { delayInWords } from '../../core/safe/recovery/modules';
import { type Recoverable } from '../../core/safe/recovery/situation';
import { type Contact } from './contacts';
import { InvalidFieldError } from './errors';
import { ABSENT, addressIn, numberIn, serviceIn } from './recovery-proposal';
import { stored } from './stored';
import { type Chain } from './types';

/** A guardian, with the name that the owner gave. */
type NamedGuardian = { readonly address: Hex; readonly name: string | undefined };

/**
 * What brings an account back without its phrase: where it is, and who guards it. It holds no secret, but whoever finds
 * a sheet may have changed it.
 */
export type Sheet = {
  readonly chainId: bigint;
  readonly safe: Hex;
  /** Undefined if the network has to tell. */
  readonly module?: Hex | undefined;
  readonly name?: string | undefined;
  readonly rpcUrl?: string | undefined;
  readonly bundlerUrl?: string | undefined;
  readonly guardians: readonly NamedGuardian[];
};

/** More than anyone has, though the contract accepts more: a node may answer thousands. */
const MAX_GUARDIANS = 100;
/** Between the address and the name of a guardian. */
const NAMED = ' ';

/** @returns The parts of the link to a lost account, as `linkTo` takes them. */
export const sheetParts = (sheet: Sheet): readonly string[] => [
  'lost',
  String(sheet.chainId),
  sheet.safe,
  sheet.module ?? ABSENT,
  sheet.name ?? ABSENT,
  sheet.rpcUrl ?? ABSENT,
  sheet.bundlerUrl ?? ABSENT,
  ...sheet.guardians.map(({ address, name }) => (name === undefined ? address : `${address}${NAMED}${name}`)),
];

/** A name that the snap would not take as a contact's is left out. */
const soundName = (name: string): string | undefined =>
  name !== ABSENT && ContactNameStruct.is(name) ? name : undefined;

/**
 * Reads a link to a lost account, which anyone may have written.
 *
 * @param parts - The parts of the link after `lost`.
 * @throws {InvalidFieldError} Names the field and the rule.
 */
export function readSheet(parts: readonly string[]): Sheet {
  const [chainId = '', safe = '', module = ABSENT, name = ABSENT, rpcUrl = ABSENT, bundlerUrl = ABSENT] = parts;
  const guardians = parts.slice(6);
  if (guardians.length > MAX_GUARDIANS)
    throw new InvalidFieldError('guardians', `guardians: must be at most ${MAX_GUARDIANS}`);
  return {
    chainId: numberIn(chainId, 'network'),
    safe: addressIn(safe, 'account'),
    module: module === ABSENT ? undefined : addressIn(module, 'module'),
    name: soundName(name),
    rpcUrl: serviceIn(rpcUrl, 'node'),
    bundlerUrl: serviceIn(bundlerUrl, 'bundler'),
    guardians: guardians.map((guardian) => {
      const [address = '', ...words] = guardian.split(NAMED);
      return { address: addressIn(address, 'guardians'), name: soundName(words.join(' ')) };
    }),
  };
}

const LINK = /#\/lost\/\S+/u;

/** @returns The link in a saved sheet. @throws If there is none. */
export function linkInSheet(text: string): string {
  const [link] = LINK.exec(text) ?? [];
  if (link === undefined)
    throw new Error('Sheet: must be one that this page saved. This file has no link to an account');
  return link;
}

/** The sheet of the account that is being recovered in this browser, so that its names come back. */
export const lostSheet = stored<readonly string[]>(
  'keystead.lost',
  (json) => (Array.isArray(json) ? json.map(String) : undefined),
  [],
);

/** A name that the link says, and nobody else: it must not look like one that this browser knows. */
export const saidName = (name: string | undefined): string | undefined => name && `“${quotable(name, 64)}”`;

/** @returns The sheet in {@link lostSheet}; undefined if there is none, or another version of the page wrote it. */
export function soughtSheet(parts: readonly string[]): Sheet | undefined {
  try {
    return parts.length === 0 ? undefined : readSheet(parts.slice(1));
  } catch {
    return undefined;
  }
}

/** @returns What a lost account was called, if it is the one of {@link lostSheet}. */
export function lostName(address: string): string | undefined {
  const sheet = soughtSheet(lostSheet.read());
  return sheet !== undefined && isSameAddress(sheet.safe, address) ? sheet.name : undefined;
}

/**
 * @param guardians - The guardians that the network names.
 * @param known - The contacts of this browser.
 * @returns The contacts that a sheet, which anyone may have changed, can add: no one but guardians, and nobody under
 * the name of a contact with another address.
 */
export const contactsOn = (
  sheet: Pick<Sheet, 'guardians'>,
  guardians: readonly Hex[],
  known: readonly Contact[],
): readonly Contact[] =>
  sheet.guardians.flatMap(({ address, name }) =>
    name !== undefined &&
    isIn(guardians, address) &&
    !known.some((one) => isSameAddress(one.address, address) || one.name.toLowerCase() === name.toLowerCase())
      ? [{ address, name }]
      : [],
  );

/** @returns Whether a sheet and the network name other guardians. A full sheet need not name all. */
export function areOthers({ guardians }: Pick<Sheet, 'guardians'>, now: readonly Hex[]): boolean {
  const written = guardians.map(({ address }) => address);
  const isPartial = written.length === 0 || written.length === MAX_GUARDIANS;
  return written.some((one) => !isIn(now, one)) || (!isPartial && now.some((one) => !isIn(written, one)));
}

/** @returns The text of a sheet to save or print. @param link - The whole link to the lost account. */
export function sheetText(sheet: Sheet, { name }: Network, link: string, { module, state }: Recoverable): string {
  const more = state.guardians.length - sheet.guardians.length;
  const guardians = sheet.guardians.map(
    (one) => `  ${one.name === undefined ? one.address : `${one.name}: ${one.address}`}`,
  );
  return [
    'If the recovery phrase of this account is lost',
    '',
    'Nothing here is secret: it does not help anyone to take the account. Do not write the recovery phrase on it.',
    '',
    `Account: ${sheet.name ?? ''} ${sheet.safe}`,
    `Network: ${name} (chain ${sheet.chainId})`,
    `Node: ${sheet.rpcUrl ?? 'left out, because its URL may hold an access key. Any node of the network will do.'}`,
    `Guardians, of whom ${state.threshold} must confirm:`,
    ...guardians,
    ...(more > 0 ? [`  and ${counted(more, 'more guardian')}, whom the network names`] : []),
    `Recovery module: ${sheet.module ?? ''}`,
    `Delay after the guardians have confirmed: ${delayInWords(module.period)}`,
    '',
    'What to do:',
    '1. Open this link, or open this file under “I lost my recovery phrase” on the first screen of the page:',
    link,
    '2. Set up a wallet with a new recovery phrase. The page guides you to it.',
    '3. Send the guardians the link that the page makes. Talk to each, by phone or in person: read out the six words below it.',
    '4. When enough have confirmed, wait until the delay is over. Then finish the recovery, or ask a guardian to do it, which costs a network fee, and add the account.',
    '',
  ].join('\n');
}

/** @returns The sheet of an account that has guardians. @param nameOf - What the page calls a guardian. */
export function sheetOf(
  { address, name }: { readonly address: string; readonly name: string },
  { chainId }: Chain,
  services: Pick<Sheet, 'rpcUrl' | 'bundlerUrl'>,
  { module, state }: Recoverable,
  nameOf: (address: string) => string | undefined,
): Sheet {
  return {
    ...services,
    chainId: BigInt(chainId.slice('eip155:'.length)),
    safe: addressIn(address, 'account'),
    module: module.address,
    name,
    guardians: state.guardians.slice(0, MAX_GUARDIANS).map((one) => ({
      address: addressIn(one, 'guardians'),
      name: nameOf(one),
    })),
  };
}

import { encodeFunctionData, hashMessage, isAddressEqual, parseAbi, recoverMessageAddress } from 'viem';
import { call, getCode } from 'viem/actions';

import { dayWords } from '../../core/decode/words/time';
import { isSameAddress } from '../../core/eth/address';
import { type Hex } from '../../core/eth/bytes';
import { isImported } from './account-name';
import { InvalidFieldError } from './errors';
import { type NodeClient } from './node';
import { type Practice, practiceMessage } from './practice';
import { addressIn, numberIn } from './recovery-proposal';
import { listOf, stored } from './stored';
import { type Account } from './types';

/** When something that brings accounts back was last seen to work. */
export type Drill = {
  /** `backup`, or what {@link phraseDrills} or {@link guardianDrill} returns. */
  readonly what: string;
  /** In seconds since 1970. */
  readonly at: number;
};

export const drills = stored(
  'keystead.drills',
  listOf((entry): entry is Drill => {
    const { what, at } = (entry ?? {}) as Partial<Record<keyof Drill, unknown>>;
    return typeof what === 'string' && Number.isSafeInteger(at);
  }),
  [],
);

/** @returns The time of this machine, in seconds since 1970. */
export const nowInSeconds = (): number => Math.floor(Date.now() / 1000);

/** @returns What a drill with a guardian of an account is called. */
export const guardianDrill = (chainId: bigint, safe: string, guardian: string): string =>
  `${chainId}/${safe}/${guardian}`.toLowerCase();

/**
 * @returns What a drill of the phrase of these accounts is called, by each key of it: another phrase in this
 * browser was not seen to work.
 */
export const phraseDrills = (accounts: readonly Account[]): readonly string[] => [
  ...new Set(
    accounts
      .filter((account) => !isImported(account))
      .map(({ address, options: { owner } }) => `phrase/${String(owner ?? address)}`.toLowerCase()),
  ),
];

/** @returns What a drill with a passkey is called. */
export const passkeyDrill = (signer: string): string => `passkey/${signer}`.toLowerCase();

/** In seconds: after that, a drill is due again. */
const YEAR = 365 * 86_400;

/** @returns When a drill last went well and whether it is due, in words. */
export const drillWords = (at: number | undefined): string =>
  at === undefined
    ? 'never seen to work here. Due now.'
    : `seen to work on ${dayWords(BigInt(at))}.${nowInSeconds() - at > YEAR ? ' Due again.' : ''}`;

/** Remembers a drill, unless a later one is known. */
export function keepDrill(what: string, at = nowInSeconds()): void {
  const all = drills.read();
  if (all.some((one) => one.what === what && one.at >= at)) return;
  drills.write([...all.filter((one) => one.what !== what), { what, at }]);
}

/** @returns When a drill last went well, in seconds since 1970. */
export const lastDrill = (all: readonly Drill[], ...what: readonly string[]): number | undefined =>
  all.filter((one) => what.includes(one.what)).sort((a, b) => b.at - a.at)[0]?.at;

/** What a guardian sends back after a practice run. */
export type Practised = Practice & { readonly guardian: Hex; readonly signature: Hex };

/** @returns The parts of the link that a guardian sends back, as `linkTo` takes them. */
export const practisedParts = ({ chainId, safe, module, at, guardian, signature }: Practised): readonly string[] => [
  'practised',
  String(chainId),
  safe,
  module,
  String(at),
  guardian,
  signature,
];

/** Signatures of contracts can be longer than those of keys. */
const SIGNATURE = /^0x(?:[0-9a-f]{2}){65,2000}$/iu;

/**
 * Reads what a guardian sent back, which anyone may have written.
 *
 * @param parts - The parts of the link after `practised`.
 * @throws {InvalidFieldError} Names the field and the rule.
 */
export function readPractised(parts: readonly string[]): Practised {
  const [chainId = '', safe = '', module = '', at = '', guardian = '', signature = ''] = parts;
  if (!SIGNATURE.test(signature)) throw new InvalidFieldError('signature', 'signature: must be hex bytes, at least 65');
  return {
    chainId: numberIn(chainId, 'network'),
    safe: addressIn(safe, 'account'),
    module: addressIn(module, 'module'),
    at: numberIn(at, 'time'),
    guardian: addressIn(guardian, 'guardian'),
    signature: signature as Hex,
  };
}

const ERC1271 = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)']);
/** The answer of `isValidSignature(bytes32,bytes)` for a valid signature. */
const VALID = '0x1626ba7e';

/** Clocks differ by so many seconds at most. */
const CLOCKS = 600n;

async function isSignedBy({ guardian, signature, ...practice }: Practised, node: NodeClient): Promise<boolean> {
  const message = practiceMessage(practice);
  const signer = await recoverMessageAddress({ message, signature }).catch(() => undefined);
  if (signer !== undefined && isAddressEqual(signer, guardian)) return true;
  if ((await getCode(node, { address: guardian })) === undefined) return false;
  const data = encodeFunctionData({ abi: ERC1271, args: [hashMessage(message), signature] });
  const { data: answer = '0x' } = await call(node, { to: guardian, data }).catch(() => ({ data: '0x' as Hex }));
  return answer.startsWith(VALID);
}

/**
 * Checks what a guardian sent back, and remembers the day.
 *
 * @param guardians - The guardians of the account at the module, as the network has them.
 * @throws {Error} If it is not the signature of one of them, or from the future.
 */
export async function keepPractised(
  practised: Practised,
  guardians: readonly Hex[],
  node: NodeClient,
  now = BigInt(nowInSeconds()),
): Promise<void> {
  const { chainId, safe, guardian, at } = practised;
  if (!guardians.some((one) => isSameAddress(one, guardian)))
    throw new Error('guardian: must be a guardian of the account. The network does not have this one.');
  if (at > now + CLOCKS) throw new Error('time: must not be in the future');
  if (!(await isSignedBy(practised, node)))
    throw new Error('signature: must be the guardian’s own, of the practice run for this account');
  keepDrill(guardianDrill(chainId, safe, guardian), Number(at));
}

import { GET_THRESHOLD } from '../owners/owners';
import { P256_VERIFIERS, SIGNER_FACTORY } from '../contracts';
import { address, array, uint256 } from '../../eth/abi';
import { type Hex } from '../../eth/bytes';
import { BytesStruct } from '../../structs/hex';
import { askContract, type NodeReader, type ReadAt, wordsCall } from './answer';
import { type Guardians } from './calls';
import { hasModuleCode, RECOVERY_MODULES, recoveryModuleAt } from './modules';
import { assertLinkedList, type PendingRecovery, readPending } from './pending';
import { readModules } from './safe-modules';
import { GET_GUARDIANS, GET_GUARDIANS_NEEDED, readOwners } from './state';

/** The guardians of an account at one module, and the recovery that has begun there. */
export type GuardedState = Guardians & { readonly module: Hex; readonly pending?: PendingRecovery | undefined };

/** Who controls a Safe: what a change of that is compared with. */
export type OwnState = {
  readonly owners: readonly Hex[];
  /** How many of them must sign. */
  readonly threshold: bigint;
  readonly modules: readonly Hex[];
  /** Of the modules that were asked about. */
  readonly guarded: readonly GuardedState[];
};

/** What a change of an account's owners, guardians and modules depends on. */
export type OwnQuestion = {
  /** Undefined if the request itself deploys it: then its state is known. */
  readonly account: Hex | undefined;
  /** The recovery modules that the change concerns. */
  readonly modules: readonly Hex[];
  /** The signers of passkeys that it creates: public key and verifiers, in hex. */
  readonly signers: readonly (readonly [x: Hex, y: Hex, verifiers: Hex])[];
};

/** What a node says about a change of an account's owners, guardians and modules. */
export type OwnFacts = {
  /** Absent if the node did not say it, or nothing that a Safe could have. */
  readonly state?: OwnState | undefined;
  /** The modules that have other code than Keystead knows at their address, or none. */
  readonly otherCode: readonly Hex[];
  /** The addresses of the signers, as the factory answers. */
  readonly passkeys: readonly Hex[];
};

const orNothing = <T>(promise: Promise<T>): Promise<T | undefined> => promise.catch(() => undefined);

async function readGuarded(module: Hex, account: Hex, at: ReadAt): Promise<GuardedState> {
  const [[guardians], [threshold], pending] = await Promise.all([
    askContract(module, wordsCall(GET_GUARDIANS, account), { returns: [array(address)], field: 'guardians' }, at),
    askContract(module, wordsCall(GET_GUARDIANS_NEEDED, account), { returns: [uint256], field: 'threshold' }, at),
    readPending(module, account, at),
  ]);
  assertLinkedList(guardians, 'guardians');
  return { module, guardians, threshold, pending };
}

async function readState(account: Hex, modules: readonly Hex[], at: ReadAt): Promise<OwnState | undefined> {
  const [owners, [threshold], enabled, ...guarded] = await Promise.all([
    readOwners(account, at),
    askContract(account, GET_THRESHOLD, { returns: [uint256], field: 'threshold' }, at),
    readModules(account, at),
    ...modules.map((module) => orNothing(readGuarded(module, account, at))),
  ]);
  if (threshold === 0n || threshold > owners.length) return undefined;
  return { owners, threshold, modules: enabled, guarded: guarded.filter((one) => one !== undefined) };
}

const codeAt = (contract: Hex, { node, block }: ReadAt): Promise<Hex | undefined> =>
  orNothing(node.ask('eth_getCode', [contract, block], BytesStruct));

/** `getSigner(uint256,uint256,uint176)` of the factory. */
const GET_SIGNER = '0xa541d91a';

/** The precompile of P-256 as a verifier: two bytes before the address of another one. */
const PRECOMPILE = 0x100n << 160n;

/** Verifiers whose code is known: they accept only signatures of the passkey itself. */
const SOUND = [PRECOMPILE, ...P256_VERIFIERS.map(BigInt).flatMap((one) => [one, PRECOMPILE + one])];

const signerOf = async (parts: OwnQuestion['signers'][number], at: ReadAt): Promise<Hex> =>
  (await askContract(SIGNER_FACTORY, wordsCall(GET_SIGNER, ...parts), { returns: [address], field: 'signer' }, at))[0];

/**
 * Reads what a change of an account's owners, guardians and modules is compared with. Never rejects: what the node does
 * not say is absent.
 */
export async function readOwnFacts(
  { account, modules, signers }: OwnQuestion,
  node: NodeReader,
  known = RECOVERY_MODULES,
): Promise<OwnFacts> {
  const at: ReadAt = { node, block: 'latest' };
  const [state, passkeys, ...codes] = await Promise.all([
    account && orNothing(readState(account, modules, at)),
    Promise.all(
      signers.map((parts) => (SOUND.includes(BigInt(parts[2])) ? orNothing(signerOf(parts, at)) : undefined)),
    ),
    ...modules.map((module) => codeAt(module, at)),
  ]);
  const isOther = (module: Hex, index: number): boolean => {
    const [code, release] = [codes[index], recoveryModuleAt(module, known)];
    return code !== undefined && release !== undefined && !hasModuleCode(release, code);
  };
  return { state, passkeys: passkeys.filter((one) => one !== undefined), otherCode: modules.filter(isOther) };
}

import { DELEGATE_VERSIONS, type DelegateVersion } from '../delegates';
import { DUMMY_SIGNATURE } from '../dummy-signature';
import { ENTRY_POINTS } from '../entry-points';
import { type AccountKind } from '../kind';
import { BATCH_08 } from './batches';
import { decodeCalls, encodeCalls } from './execute';

/** Simple7702Account of eth-infinitism/account-abstraction: it accepts the account's own signature of the operation's hash. */
const delegatedKind = (version: DelegateVersion): AccountKind => ({
  title: `Simple7702Account ${version}`,
  entryPointVersion: version,
  entryPoint: ENTRY_POINTS[version],
  dummySignature: DUMMY_SIGNATURE,
  encodeCalls: (intents) => encodeCalls(intents, BATCH_08, 'delegated account'),
  decodeCalls: (callData) => decodeCalls(callData, BATCH_08),
  signingDigest: (userOperationHash) => userOperationHash,
  wrapSignature: (signature) => signature,
});

/**
 * How an externally owned account is called and signs while it is delegated (EIP-7702), by the entry point version of its
 * delegate.
 *
 * @example
 * ```ts
 * DELEGATED_KINDS['0.8'].entryPoint; // => '0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108'
 * const call = { to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', value: 1n, data: '0x' } as const;
 * DELEGATED_KINDS['0.9'].encodeCalls([call, call]).slice(0, 10); // => '0x34fcd5be'
 * ```
 */
export const DELEGATED_KINDS = Object.fromEntries(
  DELEGATE_VERSIONS.map((version) => [version, delegatedKind(version)]),
) as Readonly<Record<DelegateVersion, AccountKind>>;

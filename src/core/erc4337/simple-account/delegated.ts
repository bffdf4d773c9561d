import { DELEGATE_VERSIONS, type DelegateVersion } from '../delegates';
import { DUMMY_SIGNATURE } from '../dummy-signature';
import { ENTRY_POINTS } from '../entry-points';
import { type AccountKind } from '../kind';
import { BATCH_08 } from './batches';
import { decodeCalls, encodeCalls } from './execute';

/**
 * Simple7702Account of eth-infinitism/account-abstraction: it accepts the account's own signature of the operation's
 * hash.
 */
const delegatedKind = (version: DelegateVersion): AccountKind => ({
  title: `Simple7702Account ${version}`,
  entryPointVersion: version,
  entryPoint: ENTRY_POINTS[version],
  dummySignature: DUMMY_SIGNATURE,
  encodeCalls: (intents) => encodeCalls(intents, BATCH_08, 'an upgraded account'),
  decodeCalls: (callData) => decodeCalls(callData, BATCH_08),
  signingDigest: (userOperationHash) => userOperationHash,
  wrapSignature: (signature) => signature,
});

/** The kinds of a delegated externally owned account (EIP-7702), by the entry point version of its delegate. */
export const DELEGATED_KINDS = Object.fromEntries(
  DELEGATE_VERSIONS.map((version) => [version, delegatedKind(version)]),
) as Readonly<Record<DelegateVersion, AccountKind>>;

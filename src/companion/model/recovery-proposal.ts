import { getAddress } from 'viem';

import { type Hex, lowerCase } from '../../core/eth/bytes';
import { MAX_NEW_OWNERS, type NewOwners } from '../../core/recovery/new-owners';
import { InvalidFieldError } from './errors';

/** A recovery that guardians are asked to confirm: which account gets which owners, on which network. */
export type Proposal = NewOwners & { readonly chainId: bigint; readonly safe: Hex; readonly module: Hex };

const ADDRESS = /^0x[0-9a-fA-F]{40}$/u;
const NUMBER = /^[1-9][0-9]{0,17}$/u;

function addressIn(text: string, field: string): Hex {
  if (!ADDRESS.test(text)) throw new InvalidFieldError(field, `${field}: must be an address: 0x and 40 hex digits`);
  return getAddress(lowerCase(text as Hex));
}

function numberIn(text: string, field: string): bigint {
  if (!NUMBER.test(text)) throw new InvalidFieldError(field, `${field}: must be a whole number above 0`);
  return BigInt(text);
}

/** @returns The parts of the link to a proposal, as `linkTo` takes them. It holds everything that guardians confirm. */
export const proposalParts = ({ chainId, safe, module, newOwners, newThreshold }: Proposal): readonly string[] => [
  'recover',
  String(chainId),
  safe,
  module,
  String(newThreshold),
  newOwners.join('.'),
];

/**
 * Reads a proposal from a link, which anyone may have written.
 *
 * @param parts - The parts of the link after `recover`.
 * @throws {InvalidFieldError} Names the field and the rule.
 */
export function readProposal(parts: readonly string[]): Proposal {
  const [chainId = '', safe = '', module = '', newThreshold = '', owners = '', ...others] = parts;
  if (others.length > 0) throw new InvalidFieldError('link', 'link: must have exactly five parts');
  const list = owners.split('.');
  if (list.length > MAX_NEW_OWNERS)
    throw new InvalidFieldError('new owners', `new owners: must be at most ${MAX_NEW_OWNERS}`);
  return {
    chainId: numberIn(chainId, 'network'),
    safe: addressIn(safe, 'account'),
    module: addressIn(module, 'module'),
    newThreshold: numberIn(newThreshold, 'required signatures'),
    newOwners: list.map((owner) => addressIn(owner, 'new owners')),
  };
}

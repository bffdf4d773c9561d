import { type Address, getAddress } from 'viem';
import { getEnsAddress } from 'viem/actions';

import { isBurnAddress } from '../../core/decode/words/keyless';
import { isSameAddress } from '../../core/eth/address';
import { networkOfChain } from './network';
import { type NodeClient } from './node';
import { readAddress } from './read-fields';
import { type Known, nameOf } from './recipient-name';
import { type Chain } from './types';

/** A recipient, and what the page calls it. */
export type Recipient = {
  readonly address: Address;
  /** The name of one's own account, of a contact, or the ENS name that was entered. */
  readonly name?: string;
  readonly isOwn: boolean;
};

/** Names of the Ethereum Name Service end so, or in any other domain of the internet. */
const isEnsName = (text: string): boolean => /^[^\s.]+(?:\.[^\s.]+)+$/u.test(text);

/** @throws If the name does not exist, or ENS is not on this network; the message names the field. */
async function resolveEns(name: string, chain: Chain, node: NodeClient, field: string): Promise<Address> {
  if (node.chain.contracts?.ensUniversalResolver === undefined)
    throw new Error(`${field}: ENS names do not exist on ${networkOfChain(chain).name}; enter an address`);
  // Loaded only for names: its tables of letters are large.
  const { normalize } = await import('viem/ens');
  let normalized: string;
  try {
    normalized = normalize(name);
  } catch {
    throw new Error(`${field}: must be a valid ENS name or an address`);
  }
  const address = await getEnsAddress(node, { name: normalized });
  if (address === null) throw new Error(`${field}: the ENS name ${normalized} has no address`);
  return address;
}

/**
 * @param text - An address, the name of a contact or of an own account, or an ENS name.
 * @param field - The name of the field, for errors.
 * @throws If the text is neither.
 */
export async function resolveRecipient(
  text: string,
  { accounts, contacts, chain, node }: Known & { readonly chain: Chain; readonly node: NodeClient },
  field: string,
): Promise<Recipient> {
  const of = (address: string, entered?: string): Recipient => {
    const name = nameOf(address, { accounts, contacts }) ?? entered;
    return {
      address: getAddress(address),
      ...(name !== undefined && { name }),
      isOwn: accounts.some((account) => isSameAddress(account.address, address)),
    };
  };
  if (/^0x[0-9a-f]{40}$/iu.test(text)) return of(readAddress(text, field));
  const isCalled = (name: string): boolean => name.toLowerCase() === text.toLowerCase();
  const named = [...accounts.map((account) => ({ name: account.name, address: account.address })), ...contacts].filter(
    ({ name }) => isCalled(name),
  );
  const [only] = named;
  if (only !== undefined && named.length === 1) return of(only.address);
  if (named.length > 1) throw new Error(`${field}: several accounts or contacts are called ${text}; enter the address`);
  if (isEnsName(text)) return of(await resolveEns(text, chain, node, field), text);
  throw new Error(`${field}: must be an address (0x followed by 40 hex digits), a contact or an ENS name`);
}

/**
 * @returns The recipients that may become contacts, each once: those without a name, except addresses that nobody
 * controls.
 */
export const worthKeeping = (recipients: readonly Recipient[]): readonly Recipient[] =>
  recipients.filter(
    ({ address, name }, index) =>
      name === undefined &&
      !isBurnAddress(address) &&
      recipients.findIndex((other) => isSameAddress(other.address, address)) === index,
  );

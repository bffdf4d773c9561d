import { isSameAddress, ZERO_ADDRESS } from '../../eth/address';
import { type Authorization } from '../../eth/authorization';
import { type Hex } from '../../eth/bytes';
import { type Line } from '../explanation';
import { type WordScene } from '../scene';
import { address, leftOut, text } from '../words/lines';
import { namedAddress } from '../words/names';

/** An authorization (EIP-7702) and the account whose code it changes. */
export type Delegation = Authorization & { readonly authority: Hex };

/** @returns Whether an authorization takes a delegation back. */
export const takesBack = ({ address: delegate }: Pick<Authorization, 'address'>): boolean => delegate === ZERO_ADDRESS;

/**
 * @param nonce - The transaction's. The sender's nonce goes up before the first authorization, and with each of its
 * own.
 * @returns The authorizations that take effect with a transaction, as far as can be told: nonces of others are not
 * known.
 */
export function effectiveDelegations(delegations: readonly Delegation[], nonce: bigint, sender: Hex): Delegation[] {
  let next = nonce + 1n;
  return delegations.filter((delegation) => {
    if (!isSameAddress(delegation.authority, sender)) return true;
    if (delegation.nonce !== next) return false;
    next++;
    return true;
  });
}

/**
 * Explains the authorizations of a transaction.
 *
 * @param nonce - The transaction's.
 */
export function delegationLines(
  delegations: readonly Delegation[],
  nonce: bigint,
  { findings, view }: WordScene,
): Line[] {
  const effective = effectiveDelegations(delegations, nonce, view.signer);
  return delegations.flatMap((delegation, index) => {
    const { address: delegate, authority, chainId } = delegation;
    findings.add([
      {
        kind: 'delegation',
        delegate,
        authority,
        chainId,
        ...(!effective.includes(delegation) && { idleNonce: delegation.nonce }),
      },
    ]);
    const label = delegations.length === 1 ? 'Authorization' : `Authorization ${index + 1}`;
    return [
      address(`${label}: account`, authority),
      takesBack(delegation) ? text(`${label}: runs`, 'no code') : namedAddress(`${label}: runs`, delegate, view),
      text(`${label}: nonce`, delegation.nonce.toString()),
    ];
  });
}

type Upgrade = { readonly address: Hex; readonly nonce?: bigint | undefined; readonly authority?: Hex };

/**
 * Explains that a request of Keystead's own makes an account run the code of a delegate, or no code any more.
 *
 * @param authorization - Its nonce, where it is known, and its account, if that is not the one that signs the request.
 */
export function upgradeLines({ address: delegate, nonce, authority }: Upgrade, { findings, view }: WordScene): Line[] {
  findings.add([{ kind: 'delegation', delegate, isOwn: true, ...(authority !== undefined && { authority }) }]);
  const authorizationLines =
    nonce === undefined
      ? []
      : [
          text('Authorization nonce', nonce.toString()),
          text(
            'Authorization stays valid',
            `Until the account's nonce on this network is above ${nonce}. Until then, anyone who has it can apply it, even if this is not included.`,
          ),
        ];
  const code = takesBack({ address: delegate })
    ? text('Account code', 'none')
    : namedAddress('Account code', delegate, view);
  return [code, ...authorizationLines];
}

/** A screen shows no more contracts. */
const MAX_DELEGATES = 20;

/**
 * Explains authorizations that are not signed yet, so whose they are is not known.
 *
 * @param delegates - The contracts that they name.
 */
export function unsignedLines(delegates: readonly Hex[], { findings, view }: WordScene): Line[] {
  findings.add(delegates.map((delegate) => ({ kind: 'delegation', delegate })));
  const contracts = delegates.filter((delegate) => !takesBack({ address: delegate }));
  return [
    ...contracts.slice(0, MAX_DELEGATES).map((delegate) => namedAddress('Authorization: runs', delegate, view)),
    ...leftOut(contracts.length - MAX_DELEGATES, 'contract', 'Authorization'),
  ];
}

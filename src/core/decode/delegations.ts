import { isSameAddress, ZERO_ADDRESS } from '../eth/address';
import { type Authorization } from '../eth/authorization';
import { type Hex } from '../eth/bytes';
import { contractName } from './known-contracts';
import { address, leftOut, text } from './lines';
import { nameOf, shortAddress } from './sentences';
import { type TokenScene } from './tokens';
import { type Line } from './types';
import { networkIn } from './units';
import { networkTitle } from '../networks/network';

/** An authorization (EIP-7702) and the account whose code it changes. */
export type Delegation = Authorization & { readonly authority: Hex };

/** @returns What a delegate is called: the name of a contract on the list, or its short address. */
export const delegateName = (delegate: Hex): string => contractName(delegate) ?? shortAddress(delegate);

/** @returns Whether an authorization takes a delegation back. */
export const takesBack = ({ address: delegate }: Pick<Authorization, 'address'>): boolean => delegate === ZERO_ADDRESS;

/**
 * @param nonce - The transaction's. The sender's nonce goes up before the first authorization, and with each of its own.
 * @returns The authorizations that take effect with a transaction, as far as can be told: nonces of others are not known.
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

function caution({ authority, ...authorization }: Delegation, isEffective: boolean, scene: TokenScene): void {
  const { chainId, findings, view } = scene;
  const network = networkIn(scene, chainId ?? authorization.chainId).name;
  const who = nameOf(authority, view);
  if (!isEffective)
    findings.warn(
      `The authorization of ${who} with nonce ${authorization.nonce} has no effect here. It may take effect later.`,
    );
  if (takesBack(authorization)) {
    findings.warn(
      `This takes back the upgrade (EIP-7702) of ${who} on ${network}. The account is then an ordinary one again.`,
    );
    return;
  }
  findings.danger(
    'account-delegation',
    () =>
      `This makes ${who} run the code of ${delegateName(authorization.address)} on ${network}. That code decides over everything that the account holds there, until the delegation is taken back.`,
  );
}

/**
 * Explains the authorizations of a transaction, each with a danger or a warning.
 *
 * @param nonce - The transaction's.
 */
export function delegationLines(delegations: readonly Delegation[], nonce: bigint, scene: TokenScene): Line[] {
  const effective = effectiveDelegations(delegations, nonce, scene.view.signer);
  return delegations.flatMap((delegation, index) => {
    caution(delegation, effective.includes(delegation), scene);
    const label = delegations.length === 1 ? 'Authorization' : `Authorization ${index + 1}`;
    return [
      address(`${label}: account`, delegation.authority),
      takesBack(delegation) ? text(`${label}: runs`, 'no code') : address(`${label}: runs`, delegation.address),
      text(`${label}: nonce`, delegation.nonce.toString()),
    ];
  });
}

type Upgrade = { readonly address: Hex; readonly nonce?: bigint | undefined; readonly authority?: Hex };

/**
 * Explains that a request of Keystead's own makes the account run the code of a delegate, or no code any more, with a warning.
 *
 * @param authorization - Its nonce, where it is known, and its account, if that is not the one that signs the request.
 */
export function upgradeLines({ address: delegate, nonce, authority }: Upgrade, scene: TokenScene): Line[] {
  const { chainId, findings } = scene;
  const network =
    chainId === undefined ? 'this network' : networkTitle(chainId, scene.view.networks?.[chainId.toString()]);
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
  if (takesBack({ address: delegate })) {
    const { view } = scene;
    const isOwn = authority === undefined || isSameAddress(authority, view.signer);
    const whose = isOwn ? 'your account' : nameOf(authority, view);
    findings.warn(
      `This takes back the upgrade (EIP-7702) of ${whose} on ${network}. The account is then an ordinary one again.`,
    );
    return [text('Account code (EIP-7702)', 'none'), ...authorizationLines];
  }
  findings.warn(
    `This upgrades your account on ${network} only: it runs the code of ${delegateName(delegate)} from now on, which makes several calls at once and lets others pay the fee. Address, key and assets stay the same. You can take it back on Keystead's home page.`,
  );
  return [address('Account code (EIP-7702)', delegate), ...authorizationLines];
}

/** A screen shows no more contracts. */
const MAX_DELEGATES = 20;

/**
 * Explains authorizations that are not signed yet, so whose they are is not known.
 *
 * @param delegates - The contracts that they name.
 */
export function unsignedLines(delegates: readonly Hex[], { findings }: TokenScene): Line[] {
  const contracts = delegates.filter((delegate) => !takesBack({ address: delegate }));
  for (const delegate of contracts)
    findings.danger(
      'account-delegation',
      () =>
        `This makes an account run the code of ${delegateName(delegate)}, which decides over everything that the account holds.`,
    );
  if (contracts.length < delegates.length) findings.warn('This takes back the upgrade (EIP-7702) of an account.');
  return [
    ...contracts.slice(0, MAX_DELEGATES).map((delegate) => address('Authorization: runs', delegate)),
    ...leftOut(contracts.length - MAX_DELEGATES, 'contract', 'Authorization'),
  ];
}

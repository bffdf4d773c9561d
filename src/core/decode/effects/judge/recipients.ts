import { isSameAddress } from '../../../eth/address';
import { type Hex } from '../../../eth/bytes';
import { type RecipientFacts } from '../../explanation';
import { entryOf } from '../../metadata/contract-metadata';
import { type WordScene } from '../../scene';
import { rowAmount } from '../../words/amounts';
import { contractName, knownContracts } from '../../words/known-contracts';
import { isBurnAddress, isPrecompile } from '../../words/keyless';
import { nameOf, spelled } from '../../words/names';
import { nativeAmount, networkIn } from '../../words/units';
import { assetOf } from '../changes';
import { type FoundEffect } from '../effect';
import { endsOf } from '../recipients';
import { type Verdict } from '../verdict';

/**
 * Dangers of where something goes: `address-poisoning`, `burn-address`, `sent-to-token-contract`, `call-without-code`.
 */

/** An address to which a request sends something, or which it calls. */
export type Recipient = {
  readonly address: Hex;
  /** Whether the call to it carries data. A contract creation has no recipient. */
  readonly carriesData: boolean;
  /** It may spend something. Contracts usually do; a person has no use for it. */
  readonly isSpender?: true;
  /** The amount that it receives, as screens write it: "1.5 ETH". Absent if it receives nothing. */
  readonly asset?: string;
  /** Whether it is the contract of the very token that it receives. */
  readonly isToken?: boolean;
};

/** The same values under addresses in lower case. */
const byAddress = <T>(values: Readonly<Record<Hex, T>>): ReadonlyMap<string, T> =>
  new Map(Object.entries<T>(values).map(([address, value]) => [address.toLowerCase(), value]));

/** Addresses by their ends, which people compare; the first of several. */
const byEnds = (addresses: readonly string[]): ReadonlyMap<string, string> =>
  new Map([...addresses].reverse().map((address) => [endsOf(address), address]));

const KNOWN_BY_ENDS = byEnds(knownContracts());

/**
 * Judges where a request sends something. An address that the account has sent to before, a contact or an own one never
 * counts as an imitation.
 *
 * @param recipients - In the order of the request. Several may have the same address.
 */
export function judgeRecipients(
  recipients: readonly Recipient[],
  { used, own, contacts = {}, hasCode }: RecipientFacts,
  verdict: Verdict,
): void {
  if (recipients.length === 0) return;
  const names = byAddress(own);
  const code = byAddress(hasCode);
  const before = new Set(used.map((address) => address.toLowerCase()));
  const saved = byAddress(contacts);
  const familiar = byEnds([...names.keys(), ...saved.keys(), ...before]);
  for (const { address, carriesData, asset, isToken, isSpender } of recipients) {
    const key = address.toLowerCase();
    const isOwn = names.has(key);
    const isFamiliar = isOwn || saved.has(key) || before.has(key) || contractName(address) !== undefined;
    const ends = endsOf(key);
    const original = isFamiliar ? undefined : (familiar.get(ends) ?? KNOWN_BY_ENDS.get(ends));
    if (original !== undefined)
      verdict.danger('address-poisoning', () => {
        const known = contractName(original as Hex);
        const contact = saved.get(original);
        const whose = names.has(original)
          ? 'is your own account'
          : contact !== undefined
            ? `is your contact ${contact}`
            : before.has(original) || known === undefined
              ? 'you have sent to before'
              : `is ${known}`;
        return `${spelled(address)} imitates ${spelled(original as Hex)}, which ${whose}.`;
      });
    if (asset !== undefined && isBurnAddress(address))
      verdict.danger(
        'burn-address',
        () => `This sends ${asset} to ${spelled(address)}, an address that nobody controls. Nobody can get it back.`,
      );
    if (isToken === true)
      verdict.danger(
        'sent-to-token-contract',
        () =>
          `This sends ${asset ?? 'tokens'} to ${spelled(address)}, the contract of the token itself. Most tokens cannot be recovered from there.`,
      );
    if (isSpender === true && code.get(key) === false && !isOwn)
      verdict.warn(
        `${spelled(address)}, which may spend your tokens, is no contract on this network. Whoever has the key of that address can take them.`,
      );
    // An own smart account may be deployed by the very operation that calls it. Precompiled contracts have no code.
    if (carriesData && code.get(key) === false && !isOwn && !isPrecompile(address))
      verdict.danger('call-without-code', () => {
        const fate =
          asset === undefined
            ? '.'
            : `, and ${asset} will belong to whoever holds the key of that address, if anyone does.`;
        return `There is no contract at ${spelled(address)} on this network. The data does nothing${fate}`;
      });
  }
}

/**
 * Assets for an own smart account on a network that it was not made for. It has the same address there, but nothing may
 * be able to deploy it, or its owners may be others.
 */
export function judgeForeignNetworks(effects: readonly FoundEffect[], scene: WordScene, verdict: Verdict): void {
  const { chainId, view } = scene;
  if (chainId === undefined) return;
  for (const effect of effects) {
    if (effect.kind !== 'move' || effect.to === undefined || effect.amount === 0n) continue;
    const networks = entryOf(view.smartOn ?? {}, effect.to.toLowerCase());
    if (networks === undefined || networks.includes(chainId.toString())) continue;
    const [name, here] = [nameOf(effect.to, view), networkIn(scene, chainId).name];
    const places = networks.map((id) => networkIn(scene, BigInt(id)).name).join(', ');
    verdict.warn(
      `${capitalized(name)} is set up on ${places} only, not on ${here}. You may not be able to use it there.`,
    );
  }
}

const capitalized = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** Everybody whom a request names, and what each is sent or called with. */
export function recipientsIn(effects: readonly FoundEffect[], scene: WordScene): Recipient[] {
  const { signer } = scene.view;
  const named = (address: Hex | undefined): Recipient[] =>
    address === undefined ? [] : [{ address, carriesData: false }];
  return effects.flatMap((effect): Recipient[] => {
    switch (effect.kind) {
      case 'move': {
        const { to, from, amount, asset } = effect;
        if (to === undefined || amount === 0n || isSameAddress(to, signer)) return [];
        if (from !== undefined && isSameAddress(from, to)) return [];
        const isToken = asset.kind !== 'native' && isSameAddress(asset.token, to);
        return [{ address: to, carriesData: false, asset: rowAmount(assetOf(effect, scene), scene), isToken }];
      }
      case 'call':
        // Whether there is code is known of what the account itself calls.
        return [{ address: effect.to, carriesData: effect.from !== undefined && isSameAddress(effect.from, signer) }];
      case 'allow':
        return effect.amount === 0n ? [] : [{ address: effect.spender, carriesData: false, isSpender: true }];
      case 'named':
        return named(effect.address);
      case 'control':
      case 'limits-unread':
        return named(effect.by);
      case 'permission':
        return named(effect.to);
      case 'foreign-code':
        return named(effect.code);
      case 'delegation':
        return effect.isOwn === true ? [] : named(effect.delegate);
      case 'operation':
        return named(effect.sender);
      case 'withdrawal':
        return [{ address: effect.to, carriesData: false, asset: nativeAmount(effect.wei, scene) }];
      default:
        return [];
    }
  });
}

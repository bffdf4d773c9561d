import { type VNode } from 'preact';

import { type Hex } from '../../core/eth/bytes';
import { delayInWords } from '../../core/safe/recovery/modules';
import { type Situation } from '../../core/safe/recovery/situation';
import { Warning } from './icons';

type Other = { readonly address: Hex; readonly meaning: string };

const othersIn = ({ unknown, delays }: Situation): readonly Other[] => [
  ...unknown.map((address) => ({
    address,
    meaning: 'Keystead does not know this module. It can do anything with the account, without your signature.',
  })),
  ...delays.map(({ address, version, isWeak, cooldown }) => ({
    address,
    meaning: isWeak
      ? `Zodiac’s Delay modifier ${version} accepts forged signatures: anyone could act for the account.`
      : `Zodiac’s Delay modifier ${version}: the addresses that it lists can do anything with the account after ${delayInWords(cooldown)}. Safe{Wallet} shows them.`,
  })),
];

type Props = {
  readonly situation: Situation;
  readonly isBusy: boolean;
  readonly onRemove: (module: Hex) => void;
};

/** The modules that can act for an account besides its guardians, with the way to remove them; nothing if none can. */
export function OtherModules({ situation, isBusy, onRemove }: Props): VNode | null {
  const others = othersIn(situation);
  if (others.length === 0) return null;
  return (
    <>
      <h3>Others that can act for this account</h3>
      {others.map(({ address, meaning }) => (
        <div class="item" key={address}>
          <p class="address">{address}</p>
          <Warning>{meaning}</Warning>
          <div class="actions">
            <button type="button" aria-disabled={isBusy} onClick={() => onRemove(address)}>
              Remove<span class="visually-hidden"> module {address}</span>
            </button>
          </div>
        </div>
      ))}
    </>
  );
}

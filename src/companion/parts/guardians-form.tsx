import { type ComponentChildren, type VNode } from 'preact';
import { useState } from 'preact/hooks';

import { type Hex } from '../../core/eth/bytes';
import { type Guardians, type Guarding } from '../../core/safe/recovery/calls';
import { delayInWords, LEAST_PERIOD, type RecoveryModule } from '../../core/safe/recovery/modules';
import { isSameAddress } from '../../core/eth/address';
import { shortAddress } from '../model/account-name';
import { contacts } from '../model/contacts';
import { readAddress } from '../model/read-fields';
import { useNames } from '../model/use-names';
import { Field, valuesOf } from './field';
import { Icon, Warning } from './icons';

const linesOf = (text: string): readonly string[] => text.split(/[\s,]+/u).filter((line) => line !== '');

/** @throws If a line is no address, or its checksum is broken; names it. */
const guardiansIn = (text: string): readonly Hex[] =>
  linesOf(text).map((line, index) => readAddress(line, `Guardians: line ${index + 1}`));

type ListProps = { readonly text: string; readonly onText: (text: string) => void };

/** The guardians that have names, and a button for each contact that is not one yet. */
function GuardianNames({ text, onText }: ListProps): VNode {
  const called = useNames();
  const known = contacts.use();
  const lines = linesOf(text);
  const named = lines.flatMap((line) => {
    const name = called(line);
    return name === undefined ? [] : [`${name} (${shortAddress(line)})`];
  });
  const others = known.filter(({ address }) => !lines.some((line) => isSameAddress(line, address)));
  return (
    <>
      {named.length === 0 ? null : <p role="status">By name: {named.join(', ')}</p>}
      {others.length === 0 ? null : (
        <div class="actions" role="group" aria-label="Contacts">
          {others.map(({ name, address }) => (
            <button type="button" class="small" key={address} onClick={() => onText([...lines, address].join('\n'))}>
              <Icon name="plus" />
              {name}
            </button>
          ))}
        </div>
      )}
    </>
  );
}

type Props = {
  readonly module: RecoveryModule;
  /** The settings of the account at the module. */
  readonly now: Guarding;
  readonly isEnabled: boolean;
  readonly isBusy: boolean;
  /** Chooses the module, if none is in use yet. */
  readonly children?: ComponentChildren;
  /** @param read - Reads what was entered. Throws if it is not addresses and a number. */
  readonly onChosen: (read: () => Guardians) => void;
};

/** Chooses the guardians of a module, and how many of them have to confirm. */
export function GuardiansForm({ module, now, isEnabled, isBusy, children, onChosen }: Props): VNode {
  const [text, setText] = useState(now.guardians.join('\n'));
  return (
    <form
      class="form"
      aria-label={`Guardians, ${delayInWords(module.period)}`}
      onSubmit={(event) => {
        event.preventDefault();
        const { guardians = '', threshold = '' } = valuesOf(event.currentTarget);
        onChosen(() => ({
          guardians: guardiansIn(guardians),
          threshold: /^[0-9]{1,3}$/u.test(threshold) ? BigInt(threshold) : 0n,
        }));
      }}
    >
      {children}
      <p>
        A recovery takes {delayInWords(module.period)}. During that time Keystead tells you that it has begun, and you
        can cancel it. Keep enough in the account for the network fee of that.
      </p>
      {module.period < LEAST_PERIOD ? (
        <Warning>This delay is for tests. It leaves too little time to notice a recovery and cancel it.</Warning>
      ) : null}
      <Field
        label="Guardians"
        name="guardians"
        rows={6}
        value={text}
        onInput={setText}
        hint="One address on each line: people you trust, or a hardware wallet of your own. Do not choose accounts of your recovery phrase, or those that MetaMask made from it: they are lost and stolen with it. Guardians do nothing and pay nothing until you need them."
      />
      <GuardianNames text={text} onText={setText} />
      <Field
        label="How many of them have to confirm"
        name="threshold"
        numeric
        value={String(now.threshold === 0n ? 2n : now.threshold)}
        hint="With 2 of 3, no single guardian can take the account, and one may be lost."
      />
      <div class="actions">
        <button type="submit" class="main" aria-disabled={isBusy}>
          {isEnabled ? 'Change guardians' : 'Turn on recovery'}
        </button>
      </div>
    </form>
  );
}

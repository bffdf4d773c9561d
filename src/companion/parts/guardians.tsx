import { type VNode } from 'preact';
import { useState } from 'preact/hooks';

import { isSameAddress } from '../../core/eth/address';
import { type Hex } from '../../core/eth/bytes';
import { type Guarding, setGuardians, turnOff } from '../../core/recovery/calls';
import { delayInWords } from '../../core/recovery/check-up';
import { LEAST_PERIOD, type RecoveryModule } from '../../core/recovery/modules';
import { type Situation } from '../../core/recovery/situation';
import { contacts } from '../model/contacts';
import { networkOfChain } from '../model/network';
import { guardingOf, modulesOf, situationOn } from '../model/recovery';
import { sendOwnCalls } from '../model/send-own-calls';
import { useSession } from '../model/session';
import { type Account, type Chain } from '../model/types';
import { useAction } from '../model/use-action';
import { useLookup } from '../model/use-lookup';
import { ActionStatus } from './action-status';
import { Choice, Field, valuesOf } from './field';
import { Icon } from './icons';

/** The addresses that were entered, one on each line. */
const linesOf = (text: string): readonly Hex[] =>
  text
    .split(/[\s,]+/u)
    .filter((line) => line !== '')
    .map((line) => line as Hex);

const ADDRESS = /^0x[0-9a-fA-F]{40}$/u;

/** @throws If a line is no address; names it. */
function guardiansIn(text: string): readonly Hex[] {
  const lines = linesOf(text);
  lines.forEach((line, index) => {
    if (!ADDRESS.test(line)) throw new Error(`Guardians: line ${index + 1} must be an address: 0x and 40 hex digits`);
  });
  return lines;
}

type FormProps = {
  readonly account: Account;
  readonly chain: Chain;
  readonly situation: Situation;
  readonly onChanged: () => void;
};

/** The module whose guardians the form changes: the one in use, or the first that the network has. */
const moduleInUse = ({ recoveries, offered }: Situation): RecoveryModule | undefined =>
  recoveries[0]?.module ?? offered[0];

/** Chooses guardians, how many of them have to confirm, and with a new module the delay. */
function GuardiansForm({ account, chain, situation, onChanged }: FormProps): VNode {
  const { client, devnet } = useSession();
  const action = useAction('Look for Keystead’s dialog. Then the network includes it.');
  const [address, setAddress] = useState(moduleInUse(situation)?.address);
  const module = situation.offered.find((one) => isSameAddress(one.address, address ?? ''));
  const network = networkOfChain(chain).name;
  if (module === undefined)
    return (
      <p>
        {network} does not have a recovery module that Keystead knows, so guardians cannot be set there. Keystead never
        turns on a module that it does not know.
      </p>
    );
  const now: Guarding = guardingOf(account, module, situation);
  const isOn = situation.recoveries.length > 0;
  const send = async (callsOf: (now: Guarding) => ReturnType<typeof setGuardians>, done: string): Promise<string> => {
    // Guardians may have begun a recovery since the form was drawn.
    const calls = callsOf(guardingOf(account, module, await situationOn(account.address, chain, modulesOf(devnet))));
    if (calls.length === 0) return 'Nothing to change.';
    await sendOwnCalls(calls, account, chain, client);
    // The snap watches the module from now on.
    await client.dapp('keystead_getRecoveries');
    onChanged();
    return done;
  };
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        const { guardians = '', threshold = '' } = valuesOf(event.currentTarget);
        action.run(async () => {
          const chosen = {
            guardians: guardiansIn(guardians),
            threshold: /^[0-9]{1,3}$/u.test(threshold) ? BigInt(threshold) : 0n,
          };
          return send((fresh) => setGuardians(chosen, fresh), 'Your guardians are set.');
        });
      }}
    >
      {isOn || situation.offered.length < 2 ? null : (
        <Choice
          label="Delay"
          name="module"
          value={module.address}
          onChange={(chosen) => {
            setAddress(chosen as Hex);
          }}
        >
          {situation.offered.map((one) => (
            <option key={one.address} value={one.address}>
              {delayInWords(one.period)}
            </option>
          ))}
        </Choice>
      )}
      <p>
        A recovery takes {delayInWords(module.period)}. During that time you can cancel it, and Keystead tells you that
        it has begun.
      </p>
      {module.period < LEAST_PERIOD ? (
        <p class="warning">
          <Icon name="warning" />
          <span>This delay is for trying it out. It leaves too little time to notice a recovery and cancel it.</span>
        </p>
      ) : null}
      <Field
        label="Guardians"
        name="guardians"
        rows={4}
        value={now.guardians.join('\n')}
        hint={`One address on each line: people you trust, a hardware wallet of your own, another account. They see nothing and pay nothing until you need them.${contacts.read().length > 0 ? ' Your contacts are in Settings.' : ''}`}
      />
      <Field
        label="How many of them have to confirm"
        name="threshold"
        numeric
        value={String(now.threshold === 0n ? 2n : now.threshold)}
        hint="With 2 of 3, no single guardian can take the account, and one may be lost."
      />
      <div class="actions">
        <button type="submit" class="main" aria-disabled={action.isBusy}>
          {isOn ? 'Change guardians' : 'Turn on recovery'}
        </button>
        {isOn ? (
          <button
            type="button"
            aria-disabled={action.isBusy}
            onClick={() => {
              action.run(() => send(turnOff, 'Recovery is off: this module has no guardians of the account.'));
            }}
          >
            Turn off recovery
          </button>
        ) : null}
      </div>
      <ActionStatus action={action} />
    </form>
  );
}

/** The guardians of a Safe on one network. */
export function Guardians({ account, chain }: { readonly account: Account; readonly chain: Chain }): VNode {
  const { devnet } = useSession();
  const [changes, setChanges] = useState(0);
  const { value, error } = useLookup(
    () => situationOn(account.address, chain, modulesOf(devnet)),
    [account.address, chain.rpcUrl, changes],
  );
  const { name } = networkOfChain(chain);
  return (
    <section class="panel" aria-label={`Guardians on ${name}`}>
      <h2>Guardians on {name}</h2>
      {value === undefined ? (
        <p class={`status ${error === undefined ? '' : 'error'}`} role="status">
          {error ?? 'Asking the network…'}
        </p>
      ) : (
        <GuardiansForm
          account={account}
          chain={chain}
          situation={value}
          onChanged={() => {
            setChanges((before) => before + 1);
          }}
        />
      )}
    </section>
  );
}

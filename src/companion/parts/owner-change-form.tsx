import { type VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Address } from 'viem';
import { getCode } from 'viem/actions';

import { type OwnerChange } from '../../core/safe/owners/changes';
import { type Owner, ownerWith, type SafeOwners } from '../../core/safe/owners/owners';
import { isSmart } from '../model/account-name';
import { contacts } from '../model/contacts';
import { inField, InvalidFieldError, messageOf } from '../model/errors';
import { nodeOf } from '../model/node';
import { checkedChange, entrantOf } from '../model/owner-change';
import { unprovenAmong } from '../model/passkey-owner';
import { passkeys } from '../model/passkeys';
import { resolveRecipient } from '../model/recipient';
import { type SafeState } from '../model/safe';
import { useViewing } from '../model/session';
import { type Chain } from '../model/types';
import { counted } from '../model/units';
import { BackButton } from './action-button';
import { Choice } from './choice';
import { Field, valuesOf } from './field';

type Kind = OwnerChange['kind'];

const TITLES: Readonly<Record<Kind, string>> = {
  add: 'Add an owner',
  remove: 'Remove an owner',
  replace: 'Replace an owner',
  threshold: 'Change how many must sign',
};

type Props = {
  readonly safe: Address;
  readonly chain: Chain;
  readonly current: SafeState;
  readonly kind: Kind;
  /** The owner that is removed or replaced. */
  readonly owner: Address | undefined;
  readonly onBack: () => void;
  readonly onReview: (change: OwnerChange) => Promise<void> | void;
};

/** The number of owners afterwards. */
const countAfter = (kind: Kind, { owners }: SafeOwners): number =>
  owners.length + (kind === 'add' ? 1 : kind === 'remove' ? -1 : 0);

/** Asks for the new owner and the number of required signatures, as far as a change needs them. */
export function OwnerChangeForm({ safe, chain, current, kind, owner, onBack, onReview }: Props): VNode {
  const { accounts } = useViewing();
  const known = contacts.use();
  const [error, setError] = useState<InvalidFieldError>();
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  const count = countAfter(kind, current);
  const needsOwner = kind === 'add' || kind === 'replace';

  /** The owners that a change may depend on. */
  const ownersWith = async (change: OwnerChange): Promise<readonly Owner[]> => {
    const entrant = entrantOf(change);
    if (entrant === undefined) return current.kinds;
    return [...current.kinds, ownerWith(entrant, (await getCode(nodeOf(chain), { address: entrant })) ?? '0x')];
  };
  const read = async (values: Readonly<Record<string, string>>): Promise<OwnerChange> => {
    const threshold = Number(values.threshold);
    const place = { accounts, contacts: known, chain, node: nodeOf(chain) };
    const entered = async (field: string) =>
      (await inField(field, () => resolveRecipient(values[field] ?? '', place, 'New owner'))).address;
    switch (kind) {
      case 'add':
        return { kind, owner: await entered('owner'), threshold };
      case 'remove':
        return { kind, owner: owner ?? safe, threshold };
      case 'replace':
        return { kind, owner: owner ?? safe, by: await entered('by') };
      case 'threshold':
        return { kind, threshold };
    }
  };

  const suggestions = accounts
    .filter((account) => !isSmart(account))
    .map((account) => ({ value: account.address, label: account.name }));
  const field = needsOwner ? (kind === 'add' ? 'owner' : 'by') : undefined;
  return (
    <section class="panel" aria-labelledby="change">
      <h2 id="change" tabIndex={-1} ref={title}>
        {TITLES[kind]}
      </h2>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          setError(undefined);
          read(valuesOf(event.currentTarget))
            .then(async (change) => {
              const owners = await ownersWith(change);
              checkedChange(safe, current, change, unprovenAmong(owners, chain, passkeys.read()));
              await onReview(change);
            })
            .catch((thrown: unknown) =>
              setError(thrown instanceof InvalidFieldError ? thrown : new InvalidFieldError('', messageOf(thrown))),
            );
        }}
      >
        {kind === 'remove' || kind === 'replace' ? (
          <p>
            <span class="hint">Present owner</span> <span class="address">{owner}</span>
          </p>
        ) : null}
        {field === undefined ? null : (
          <Field
            label="New owner"
            name={field}
            placeholder="0x… or a contact"
            suggestions={suggestions}
            error={error?.field === field ? error.message : undefined}
            hint="The address of someone you trust, of your hardware wallet, or of another account of yours. It must be an account that can sign: a key, or a contract that verifies signatures (ERC-1271)."
          />
        )}
        {kind === 'replace' ? null : (
          <Choice
            label="Required signatures"
            name="threshold"
            value={String(Math.min(current.threshold, count))}
            options={Array.from({ length: count }, (_, index) => [
              String(index + 1),
              `${index + 1} of ${counted(count, 'owner')}`,
            ])}
          />
        )}
        {error === undefined || error.field === field ? null : (
          <p class="status error" role="alert">
            {error.message}
          </p>
        )}
        <div class="actions">
          <button type="submit" class="main">
            Review
          </button>
          <BackButton onBack={onBack} />
        </div>
      </form>
    </section>
  );
}

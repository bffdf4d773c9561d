import { type VNode } from 'preact';

import { type AnyProposal } from '../../core/schemas/any-proposal';
import { openProposal, textOf } from '../model/proposals';
import { useAction } from '../model/use-action';
import { ActionStatus } from './action-status';
import { Field, valuesOf } from './field';

/** Opens a proposal from a file or a link. */
export function OpenProposal({ onOpen }: { readonly onOpen: (proposal: AnyProposal) => void }): VNode {
  const action = useAction('Reading…');
  const open = (read: () => Promise<string>): void => {
    action.run(async () => {
      onOpen(await openProposal(await read()));
      return undefined;
    });
  };
  return (
    <section class="panel" aria-labelledby="open">
      <h2 id="open">Open a proposal</h2>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          const { text = '' } = valuesOf(event.currentTarget);
          open(() => Promise.resolve(text));
        }}
      >
        <Field
          label="Proposal"
          name="text"
          rows={4}
          hint="The link or the content of the file that a co-owner sent you."
        />
        <div class="actions">
          <button type="submit" class="main" aria-disabled={action.isBusy}>
            Open
          </button>
          <label class="button">
            Choose a file
            <input
              class="visually-hidden"
              type="file"
              accept="application/json,.json"
              onChange={({ currentTarget }) => {
                const [file] = currentTarget.files ?? [];
                if (file !== undefined) open(() => textOf(file));
              }}
            />
          </label>
        </div>
      </form>
      <ActionStatus action={action} />
    </section>
  );
}

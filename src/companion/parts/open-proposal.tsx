import { type VNode } from 'preact';

import { type AnyProposal } from '../../core/schemas/any-proposal';
import { openProposal, textOf } from '../model/proposals';
import { useAction } from '../model/use-action';
import { ActionForm } from './action-form';
import { Field } from './field';
import { Panel } from './panel';

/** Opens a proposal from a file or a link. */
export function OpenProposal({ onOpen }: { readonly onOpen: (proposal: AnyProposal) => void }): VNode {
  const action = useAction('Reading…');
  const open = async (text: string): Promise<undefined> => {
    onOpen(await openProposal(text));
  };
  return (
    <Panel id="open" title="Open a proposal">
      <ActionForm
        action={action}
        submit="Open"
        isMain
        work={({ text = '' }) => open(text)}
        beside={
          <label class="button">
            Choose a file
            <input
              class="visually-hidden"
              type="file"
              accept="application/json,.json"
              onChange={({ currentTarget }) => {
                const [file] = currentTarget.files ?? [];
                if (file !== undefined) action.run(async () => open(await textOf(file)));
              }}
            />
          </label>
        }
      >
        <Field
          label="Proposal"
          name="text"
          rows={4}
          hint="The link or the content of the file that a co-owner sent you."
        />
      </ActionForm>
    </Panel>
  );
}

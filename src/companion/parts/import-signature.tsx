import { type VNode } from 'preact';
import { getAddress } from 'viem';

import { type Owner, type SafeOwners } from '../../core/safe/owners/owners';
import { type OwnerSignature } from '../../core/safe/owners/signatures';
import { isSameAddress } from '../../core/eth/address';
import { type AnyProposal } from '../../core/schemas/any-proposal';
import { type NodeClient } from '../model/node';
import { addSignatures, openProposal } from '../model/proposals';
import { checkSignatures, signatureFrom } from '../model/sign-proposal';
import { counted } from '../model/units';
import { ActionForm } from './action-form';
import { Choice } from './choice';
import { Field } from './field';

type Props = {
  readonly proposal: AnyProposal;
  readonly safe: SafeOwners;
  /** The signatures of the proposal that do not count. */
  readonly refused: readonly OwnerSignature[];
  /** The owners that have not signed. */
  readonly waiting: readonly Owner[];
  readonly node: NodeClient;
  readonly onAdded: () => void;
};

/** Takes signatures that were made elsewhere: a co-owner's copy of the proposal, or one signature. */
export function ImportSignature({ proposal, safe, refused, waiting, node, onAdded }: Props): VNode {
  const add = async ({ owner = '', text = '' }: Readonly<Record<string, string>>): Promise<string> => {
    if (!/^0x[0-9a-f]*$/iu.test(text)) {
      const copy = await openProposal(text);
      if (copy.hash !== proposal.hash)
        throw new Error('proposal.hash: must be that of this proposal. The copy is of another one');
      const { valid } = await checkSignatures(copy, safe, node);
      if (valid.length === 0) throw new Error('The copy has no valid signature of a present owner. Nothing was added.');
      await addSignatures(proposal, valid, refused);
      return `Added ${counted(valid.length, 'signature')} of the copy.`;
    }
    const signer = waiting.find(({ address }) => isSameAddress(address, owner));
    if (signer === undefined) throw new Error('Owner: must be an owner that has not signed');
    await addSignatures(proposal, [await signatureFrom(proposal, signer, text, node)], refused);
    return 'Added the signature.';
  };
  return (
    <details>
      <summary>Add a signature that was made elsewhere</summary>
      <ActionForm
        busyText="Checking…"
        submit="Add"
        work={async (values) => {
          const done = await add(values);
          onAdded();
          return done;
        }}
      >
        <Field
          label="Signature or copy of the proposal"
          name="text"
          rows={3}
          hint="The file or link that a co-owner signed and sent back, or one signature in hex."
        />
        <Choice
          label="Owner who made it"
          name="owner"
          options={waiting.map(({ address }) => [address, getAddress(address)])}
        />
      </ActionForm>
    </details>
  );
}

import { type VNode } from 'preact';

/** Leads back to what was filled in or chosen before. */
export const BackButton = ({ onBack }: { readonly onBack: () => void }): VNode => (
  <button type="button" onClick={onBack}>
    Back
  </button>
);

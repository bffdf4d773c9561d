import { type VNode } from 'preact';

import { Field } from './field';

type Props = {
  readonly label: string;
  readonly name: string;
  readonly value: string | undefined;
  readonly hint?: string;
  readonly required?: boolean;
};

/** A text field for the address of a service. */
export const UrlField = (props: Props): VNode => <Field required={false} placeholder="https://…" {...props} />;

/** The address of a network's node. */
export const NodeField = ({ value }: Pick<Props, 'value'>): VNode => (
  <UrlField label="Node (RPC URL)" name="rpcUrl" required value={value} hint="https, or http on this machine" />
);

/** The address of a network's bundler. */
export const BundlerField = (props: Pick<Props, 'value' | 'hint'>): VNode => (
  <UrlField label="Bundler URL" name="bundlerUrl" {...props} />
);

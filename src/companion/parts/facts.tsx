import { type ComponentChildren, type VNode } from 'preact';

/** A list of names and values, one per line. Undefined values are left out. */
export const Facts = ({ facts }: { readonly facts: readonly (readonly [string, ComponentChildren])[] }): VNode => (
  <dl class="facts">
    {facts
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);

/** Facts of several addresses, numbered if there is more than one: each fact has a name of its own. */
export const addressFacts = (name: string, addresses: readonly string[]): readonly (readonly [string, VNode])[] =>
  addresses.map((address, index) => [
    addresses.length === 1 ? name : `${name} ${index + 1}`,
    <span class="address">{address}</span>,
  ]);

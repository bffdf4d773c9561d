import { type ComponentChildren, type VNode } from 'preact';

type Props = {
  readonly class?: string;
  readonly onClick: () => void;
  readonly children: ComponentChildren;
};

/** A button in a line of its own, for what is done at once. `ActionLine` is for work. */
export const ButtonLine = (props: Props): VNode => (
  <div class="actions">
    <button type="button" {...props} />
  </div>
);

import { type VNode } from 'preact';
import { useId } from 'preact/hooks';

type Props = {
  readonly label: string;
  readonly name: string;
  /** Each value, with what it is called. */
  readonly options: readonly (readonly [value: string, title: string])[];
  /** The first value; with `onChange`, the value at any time. */
  readonly value?: string | undefined;
  readonly onChange?: ((value: string) => void) | undefined;
};

/** A drop-down list with its label. */
export function Choice({ label, name, options, value, onChange }: Props): VNode {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} name={name} onChange={({ currentTarget }) => onChange?.(currentTarget.value)}>
        {options.map(([each, title]) => (
          // Selects the option: with a value of the list, each render would undo the person’s choice.
          <option key={each} value={each} selected={each === value}>
            {title}
          </option>
        ))}
      </select>
    </div>
  );
}

import { type ComponentChildren, type VNode } from 'preact';
import { useId } from 'preact/hooks';

type Props = {
  readonly label: string;
  readonly name: string;
  readonly hint?: string;
  readonly value?: string;
  readonly placeholder?: string;
  readonly required?: boolean;
  readonly rows?: number;
  readonly secret?: boolean;
};

/** A text field with its label and hint. */
export function Field({ label, name, hint, value, placeholder, required = true, rows, secret = false }: Props): VNode {
  const id = useId();
  const common = {
    id,
    name,
    required,
    placeholder: placeholder ?? '',
    autocomplete: 'off',
    spellcheck: false,
    defaultValue: value ?? '',
    ...(hint !== undefined && { 'aria-describedby': `${id}-hint` }),
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {rows !== undefined ? (
        <textarea {...common} rows={rows} />
      ) : secret ? (
        <input {...common} type="password" />
      ) : (
        <input {...common} type="text" />
      )}
      {hint === undefined ? null : (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

type ChoiceProps = {
  readonly label: string;
  readonly name: string;
  readonly value?: string;
  readonly onChange?: (value: string) => void;
  readonly children: ComponentChildren;
};

/** A drop-down list with its label. */
export function Choice({ label, name, value, onChange, children }: ChoiceProps): VNode {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        name={name}
        {...(value !== undefined && { value })}
        onChange={({ currentTarget }) => onChange?.(currentTarget.value)}
      >
        {children}
      </select>
    </div>
  );
}

/** @returns The form's values by field name, trimmed. */
export function valuesOf(form: HTMLFormElement): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...new FormData(form)].map(([name, value]) => [name, typeof value === 'string' ? value.trim() : '']),
  );
}

import { type ComponentChildren, type VNode } from 'preact';
import { useId } from 'preact/hooks';

type Props = {
  readonly label: string;
  readonly name: string;
  readonly hint?: ComponentChildren;
  /** The error of the value. */
  readonly error?: string | undefined;
  /** The first value; with `onInput`, the value at any time. */
  readonly value?: string | undefined;
  readonly onInput?: (value: string) => void;
  readonly placeholder?: string;
  readonly required?: boolean;
  readonly rows?: number;
  readonly secret?: boolean;
  readonly numeric?: boolean;
  /** Values to choose from, each with what it is called. */
  readonly suggestions?: readonly { readonly value: string; readonly label: string }[];
  /** Next to the field, such as a button that fills it in. */
  readonly children?: ComponentChildren;
};

/** A text field with its label and hint. */
export function Field(props: Props): VNode {
  const { label, name, hint, error, value = '', onInput, placeholder = '', required = true } = props;
  const { rows, secret = false, numeric = false, suggestions = [], children } = props;
  const id = useId();
  const described = [...(error === undefined ? [] : [`${id}-error`]), ...(hint === undefined ? [] : [`${id}-hint`])];
  const common = {
    id,
    name,
    required,
    placeholder,
    autocomplete: 'off',
    spellcheck: false,
    ...(onInput === undefined
      ? { defaultValue: value }
      : {
          value,
          onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement | HTMLTextAreaElement }) =>
            onInput(currentTarget.value),
        }),
    ...(described.length > 0 && { 'aria-describedby': described.join(' ') }),
    ...(error !== undefined && { 'aria-invalid': true }),
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="control">
        {rows !== undefined ? (
          <textarea {...common} rows={rows} />
        ) : secret ? (
          <input {...common} type="password" />
        ) : suggestions.length > 0 ? (
          <input {...common} type="text" list={`${id}-list`} />
        ) : (
          <input {...common} type="text" {...(numeric && { inputMode: 'decimal' as const })} />
        )}
        {children}
      </div>
      {suggestions.length === 0 ? null : (
        <datalist id={`${id}-list`}>
          {suggestions.map((each) => (
            <option key={each.value} value={each.value}>
              {each.label}
            </option>
          ))}
        </datalist>
      )}
      {error === undefined ? null : (
        <p class="status error" id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
      {hint === undefined ? null : (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

/** @returns The form's values by field name, trimmed. */
export function valuesOf(form: HTMLFormElement): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...new FormData(form)].map(([name, value]) => [name, typeof value === 'string' ? value.trim() : '']),
  );
}

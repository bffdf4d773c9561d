import { type Json } from '@metamask/snaps-sdk';
import { useContext } from 'preact/hooks';

import { childElements, type InterfaceState } from '../interfaces';
import { type SnapComponent, SnapNode } from './snap-node';
import { FormContext, useField, useSurface } from './surface';

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const idOf = (prefix: string, form: string | undefined, name: unknown): string =>
  `${prefix}-${form ?? ''}-${text(name)}`;

/** @returns The id that a field's label refers to. */
function useFieldId(name: unknown): string {
  const { prefix } = useSurface();
  return idOf(prefix, useContext(FormContext), name);
}

function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

async function readFile(file: File | undefined): Promise<Json> {
  if (file === undefined) return null;
  const contents = toBase64(new Uint8Array(await file.arrayBuffer()));
  return { name: file.name, size: file.size, contentType: file.type, contents };
}

/** The components that take input. */
export const FORM_COMPONENTS: Readonly<Record<string, SnapComponent>> = {
  Button: ({ name, type, variant, disabled, form, children }) => {
    const surface = useSurface();
    const inForm = useContext(FormContext);
    const target = typeof form === 'string' ? form : inForm;
    const click = (): void => {
      surface.send({ type: 'ButtonClickEvent', ...(typeof name === 'string' && { name }) });
      if (type === 'submit' && target !== undefined && inForm === undefined)
        surface.send({ type: 'FormSubmitEvent', name: target, value: (surface.state[target] ?? {}) as InterfaceState });
    };
    return (
      <button
        type={type === 'submit' && inForm !== undefined ? 'submit' : 'button'}
        class={variant === 'destructive' ? 'danger' : ''}
        disabled={disabled === true}
        onClick={click}
      >
        <SnapNode>{children}</SnapNode>
      </button>
    );
  },
  Checkbox: ({ name, label, disabled }) => {
    const { value, change } = useField(text(name));
    return (
      <label class="check">
        <input
          type="checkbox"
          checked={value === true}
          disabled={disabled === true}
          onChange={({ currentTarget }) => change(currentTarget.checked)}
        />
        <span>{text(label)}</span>
      </label>
    );
  },
  Dropdown: ({ name, disabled, children }) => {
    const { value, change } = useField(text(name));
    return (
      <select
        id={useFieldId(name)}
        disabled={disabled === true}
        value={text(value)}
        onChange={({ currentTarget }) => change(currentTarget.value)}
      >
        {childElements(children).map(({ props }) => (
          <option key={text(props.value)} value={text(props.value)} disabled={props.disabled === true}>
            <SnapNode>{props.children}</SnapNode>
          </option>
        ))}
      </select>
    );
  },
  Field: ({ label, error, children }) => {
    const [control] = childElements(children).filter(({ type }) => type !== 'Box' && type !== 'Button');
    const id = useFieldId(control?.props.name);
    // A label cannot refer to a group of controls.
    const isGroup = control?.type === 'RadioGroup' || control?.type === 'Checkbox';
    return (
      <div class="field" {...(isGroup && { role: 'group', 'aria-labelledby': `${id}-label` })}>
        {label === undefined ? null : isGroup ? (
          <span id={`${id}-label`} class="label">
            {text(label)}
          </span>
        ) : (
          <label for={id}>{text(label)}</label>
        )}
        <SnapNode>{children}</SnapNode>
        {error === undefined ? null : <p class="text error">{text(error)}</p>}
      </div>
    );
  },
  FileInput: ({ name, accept }) => {
    const { change } = useField(text(name));
    return (
      <input
        id={useFieldId(name)}
        type="file"
        {...(Array.isArray(accept) && { accept: accept.join(',') })}
        onChange={({ currentTarget }) => void readFile(currentTarget.files?.[0]).then(change)}
      />
    );
  },
  Form: ({ name, children }) => {
    const { state, send } = useSurface();
    const form = text(name);
    return (
      <FormContext.Provider value={form}>
        <form
          class="box"
          onSubmit={(event) => {
            event.preventDefault();
            send({ type: 'FormSubmitEvent', name: form, value: (state[form] ?? {}) as InterfaceState });
          }}
        >
          <SnapNode>{children}</SnapNode>
        </form>
      </FormContext.Provider>
    );
  },
  Input: ({ name, type, placeholder, disabled }) => {
    const { value, change } = useField(text(name));
    const common = {
      id: useFieldId(name),
      placeholder: text(placeholder),
      disabled: disabled === true,
      value: text(value),
      autocomplete: 'off',
      onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => change(currentTarget.value),
    };
    return type === 'password' ? <input {...common} type="password" /> : <input {...common} type="text" />;
  },
  RadioGroup: ({ name, children }) => {
    const { value, change } = useField(text(name));
    const id = useFieldId(name);
    return (
      <div class="box">
        {childElements(children).map(({ props }) => (
          <label class="check" key={text(props.value)}>
            <input
              type="radio"
              name={id}
              value={text(props.value)}
              checked={value === props.value}
              disabled={props.disabled === true}
              onChange={() => change(props.value ?? null)}
            />
            <span>
              <SnapNode>{props.children}</SnapNode>
            </span>
          </label>
        ))}
      </div>
    );
  },
};

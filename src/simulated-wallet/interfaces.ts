import { type Json } from '@metamask/snaps-sdk';

import { invalidParams } from './rpc-error';

/** A JSX element of a snap, as serialized JSON. */
export type SnapElement = {
  readonly type: string;
  readonly props: Readonly<Record<string, Json>> & { readonly children?: SnapChildren };
  readonly key: string | null;
};
export type SnapChildren = SnapElement | string | boolean | null | readonly SnapChildren[];

/** The values of an interface's fields, by name; those in a form are nested under the form's name. */
export type InterfaceState = Record<string, Json>;

export type Interface = { readonly content: SnapElement; readonly context: Json; readonly state: InterfaceState };

/** The initial value of each kind of field. Other elements are not fields. */
const INITIAL: Readonly<Record<string, (props: SnapElement['props']) => Json>> = {
  Input: ({ value }) => value ?? null,
  Dropdown: (props) => props.value ?? firstOption(props),
  RadioGroup: (props) => props.value ?? firstOption(props),
  Selector: (props) => props.value ?? firstOption(props),
  Checkbox: ({ checked }) => checked ?? false,
  FileInput: () => null,
};

const VALUE_PROPERTY: Readonly<Record<string, string>> = { Checkbox: 'checked' };

/** @returns The child elements, flattened from nested lists, without text. */
export function childElements(children: SnapChildren | undefined): SnapElement[] {
  if (Array.isArray(children)) return children.flatMap((child) => childElements(child as SnapChildren));
  return typeof children === 'object' && children !== null ? [children as SnapElement] : [];
}

const firstOption = ({ children }: SnapElement['props']): Json => childElements(children)[0]?.props.value ?? null;

/** The state of new content: the content's own value first, then the previous value, then the field's initial value. */
function stateOf(content: SnapElement, before: InterfaceState): InterfaceState {
  const state: InterfaceState = {};
  const visit = (element: SnapElement, form: InterfaceState, formBefore: InterfaceState): void => {
    const { type, props } = element;
    const name = String(props.name);
    if (type === 'Form') {
      const inner: InterfaceState = {};
      if (name in state) throw invalidParams(`Two components of the interface have the name "${name}".`);
      state[name] = inner;
      const innerBefore = (before[name] ?? {}) as InterfaceState;
      for (const child of childElements(props.children)) visit(child, inner, innerBefore);
      return;
    }
    const initial = INITIAL[type];
    if (initial !== undefined) {
      if (name in form) throw invalidParams(`Two components of the interface have the name "${name}".`);
      form[name] = props[VALUE_PROPERTY[type] ?? 'value'] ?? formBefore[name] ?? initial(props);
    }
    for (const child of childElements(props.children)) visit(child, form, formBefore);
  };
  visit(content, state, before);
  return state;
}

/** The interfaces of a running snap: their content and the values of their fields. */
export class Interfaces {
  readonly #all = new Map<string, Interface>();
  readonly #watchers = new Set<() => void>();
  #onResolve = new Map<string, (value: Json) => void>();

  create(content: SnapElement, context: Json = null): string {
    const id = crypto.randomUUID();
    this.#all.set(id, { content, context, state: stateOf(content, {}) });
    return id;
  }

  /** @throws {RpcError} If no interface has this id. */
  get(id: string): Interface {
    const found = this.#all.get(id);
    if (found === undefined) throw invalidParams(`There is no interface with the id "${id}".`);
    return found;
  }

  update(id: string, content: SnapElement, context: Json = null): void {
    this.#all.set(id, { content, context, state: stateOf(content, this.get(id).state) });
    this.#changed();
  }

  setField(id: string, form: string | undefined, name: string, value: Json): void {
    const before = this.get(id);
    const state =
      form === undefined
        ? { ...before.state, [name]: value }
        : { ...before.state, [form]: { ...(before.state[form] as InterfaceState), [name]: value } };
    this.#all.set(id, { ...before, state });
    this.#changed();
  }

  /** Registers the callback for `snap_resolveInterface`, which answers a dialog without buttons of its own. */
  onResolve(id: string, answer: (value: Json) => void): void {
    this.#onResolve.set(id, answer);
  }

  resolve(id: string, value: Json): void {
    const answer = this.#onResolve.get(id);
    if (answer === undefined)
      throw invalidParams(`The interface "${id}" is not shown in a dialog that it can resolve.`);
    this.#onResolve.delete(id);
    answer(value);
  }

  delete(id: string): void {
    this.#all.delete(id);
    this.#onResolve.delete(id);
  }

  watch(onChange: () => void): () => void {
    this.#watchers.add(onChange);
    return () => this.#watchers.delete(onChange);
  }

  #changed(): void {
    for (const watcher of this.#watchers) watcher();
  }
}

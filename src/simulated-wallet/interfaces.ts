import { type Json } from '@metamask/snaps-sdk';

import { invalidParams } from './rpc-error';

/** A JSX element of a snap, as it comes over the wire. */
export type SnapElement = {
  readonly type: string;
  readonly props: Readonly<Record<string, Json>> & { readonly children?: SnapChildren };
  readonly key: string | null;
};
export type SnapChildren = SnapElement | string | boolean | null | readonly SnapChildren[];

/** What the fields of an interface hold: by name, and in forms by the form's name first. */
export type InterfaceState = Record<string, Json>;

export type Interface = { readonly content: SnapElement; readonly context: Json; readonly state: InterfaceState };

/** What a field starts with; undefined if the element is no field. */
const INITIAL: Readonly<Record<string, (props: SnapElement['props']) => Json>> = {
  Input: ({ value }) => value ?? null,
  Dropdown: (props) => props.value ?? firstOption(props),
  RadioGroup: (props) => props.value ?? firstOption(props),
  Selector: (props) => props.value ?? firstOption(props),
  Checkbox: ({ checked }) => checked ?? false,
  FileInput: () => null,
};

const TAKES_ITS_VALUE: Readonly<Record<string, string>> = { Checkbox: 'checked' };

/** The elements among the children of an element, however they are nested. */
export function childElements(children: SnapChildren | undefined): SnapElement[] {
  if (Array.isArray(children)) return children.flatMap((child) => childElements(child as SnapChildren));
  return typeof children === 'object' && children !== null ? [children as SnapElement] : [];
}

const firstOption = ({ children }: SnapElement['props']): Json => childElements(children)[0]?.props.value ?? null;

/** The state of new content: a value of the content counts first, then what was there, then what a field starts with. */
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
      form[name] = props[TAKES_ITS_VALUE[type] ?? 'value'] ?? formBefore[name] ?? initial(props);
    }
    for (const child of childElements(props.children)) visit(child, form, formBefore);
  };
  visit(content, state, before);
  return state;
}

/** The interfaces of a running snap: what it shows, and what was typed into it. */
export class Interfaces {
  readonly #all = new Map<string, Interface>();
  readonly #watchers = new Set<() => void>();
  #onResolve = new Map<string, (value: Json) => void>();

  create(content: SnapElement, context: Json = null): string {
    const id = crypto.randomUUID();
    this.#all.set(id, { content, context, state: stateOf(content, {}) });
    return id;
  }

  /** @throws {RpcError} If there is none with this id. */
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

  /** Waits for `snap_resolveInterface`, which answers a dialog that has no buttons of its own. */
  onResolve(id: string, answer: (value: Json) => void): void {
    this.#onResolve.set(id, answer);
  }

  resolve(id: string, value: Json): void {
    const answer = this.#onResolve.get(id);
    if (answer === undefined) throw invalidParams(`The interface "${id}" is not shown in a dialog that it can answer.`);
    this.#onResolve.delete(id);
    answer(value);
  }

  delete(id: string): void {
    this.#all.delete(id);
    this.#onResolve.delete(id);
  }

  watch(onChange: () => void): () => void {
    this.#watchers.add(onChange);
    return () => {
      this.#watchers.delete(onChange);
    };
  }

  #changed(): void {
    for (const watcher of this.#watchers) watcher();
  }
}

import { type Json } from '@metamask/snaps-sdk';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

import { type InterfaceState } from '../interfaces';
import { type UserInput } from '../wallet';

/** The part of an interface that its components need. */
export type Surface = {
  readonly id: string;
  readonly prefix: string;
  readonly state: InterfaceState;
  readonly setField: (form: string | undefined, name: string, value: Json) => void;
  readonly send: (event: UserInput) => void;
};

export const SurfaceContext = createContext<Surface | undefined>(undefined);
/** The name of the form that contains a field. */
export const FormContext = createContext<string | undefined>(undefined);

export function useSurface(): Surface {
  const surface = useContext(SurfaceContext);
  if (surface === undefined) throw new Error('A snap component was rendered outside an interface.');
  return surface;
}

/** @returns The value of a field, and a function that changes it. */
export function useField(name: string): { readonly value: Json; readonly change: (value: Json) => void } {
  const { state, setField, send } = useSurface();
  const form = useContext(FormContext);
  const fields = form === undefined ? state : ((state[form] ?? {}) as InterfaceState);
  return {
    value: fields[name] ?? null,
    change: (value) => {
      setField(form, name, value);
      send({ type: 'InputChangeEvent', name, value });
    },
  };
}

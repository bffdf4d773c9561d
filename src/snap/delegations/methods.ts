import { type Json } from '@metamask/snaps-sdk';

import { addDelegate } from './add-delegate';
import { type DelegateDeps } from './deps';
import { removeDelegate } from './remove-delegate';

export type DelegateMethodName = 'keystead_addDelegate' | 'keystead_getDelegates' | 'keystead_removeDelegate';

/** The methods that configure delegates. A name without a handler does not compile. */
export const DELEGATE_METHODS: Readonly<
  Record<DelegateMethodName, (params: unknown, deps: DelegateDeps) => Promise<unknown>>
> = {
  keystead_addDelegate: addDelegate,
  keystead_getDelegates: (_params, { delegates }) => delegates.list(),
  keystead_removeDelegate: removeDelegate,
};

/** @returns Whether the table has this method. Only own properties count. */
export const isDelegateMethod = (name: string): name is DelegateMethodName => Object.hasOwn(DELEGATE_METHODS, name);

/** Runs a method that configures delegates. */
export const answerDelegateMethod = async (
  name: DelegateMethodName,
  params: unknown,
  deps: DelegateDeps,
): Promise<Json> => (await DELEGATE_METHODS[name](params, deps)) as Json;

import { type Json } from '@metamask/snaps-sdk';

import { type ActivityDeps, getActivity } from './get-activity';

export type ActivityMethodName = 'keystead_getActivity';

/** The methods that report what was done. A name without a handler does not compile. */
export const ACTIVITY_METHODS: Readonly<
  Record<ActivityMethodName, (params: unknown, deps: ActivityDeps) => Promise<unknown>>
> = {
  keystead_getActivity: getActivity,
};

/** @returns Whether the table has this method. Only own properties count. */
export const isActivityMethod = (name: string): name is ActivityMethodName => Object.hasOwn(ACTIVITY_METHODS, name);

/** Runs a method that reports what was done. */
export const answerActivityMethod = async (
  name: ActivityMethodName,
  params: unknown,
  deps: ActivityDeps,
): Promise<Json> => (await ACTIVITY_METHODS[name](params, deps)) as Json;

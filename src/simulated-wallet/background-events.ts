import { type Json } from '@metamask/snaps-sdk';

import { invalidParams } from './rpc-error';
import { type Store } from './store';

type Request = { readonly method: string; readonly params?: Json };
export type BackgroundEvent = {
  readonly id: string;
  /** ISO 8601 */
  readonly scheduledAt: string;
  readonly date: string;
  readonly request: Request;
};

const DURATION = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/u;

/** @param duration - ISO 8601, with days, hours, minutes and seconds only. @returns Milliseconds. */
function millisecondsOf(duration: string): number {
  const [matched, ...parts] = DURATION.exec(duration) ?? [];
  if (matched === undefined || parts.every((part) => part === undefined))
    throw invalidParams('duration: must be an ISO 8601 duration such as PT30S');
  const [days, hours, minutes, seconds] = parts.map((part) => Number(part ?? 0)) as [number, number, number, number];
  return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
}

/** The longest delay of a browser timer, in milliseconds. Later events are armed again when it ends. */
const LONGEST_WAIT = 2 ** 31 - 1;

/** Requests that the wallet sends the snap later, while the page is open (`snap_scheduleBackgroundEvent`). */
export class BackgroundEvents {
  readonly #store: Store;
  readonly #fire: (request: Request) => void;
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();

  constructor(store: Store, fire: (request: Request) => void) {
    this.#store = store;
    this.#fire = fire;
  }

  async list(): Promise<readonly BackgroundEvent[]> {
    return (await this.#store.get<readonly BackgroundEvent[]>('background-events')) ?? [];
  }

  /** Arms the events that were scheduled before the page opened. Overdue ones fire now. */
  async resume(): Promise<void> {
    for (const event of await this.list()) this.#arm(event);
  }

  async schedule({ date, duration, request }: { date?: string; duration?: string; request: Request }): Promise<string> {
    const at = date === undefined ? Date.now() + millisecondsOf(String(duration)) : Date.parse(date);
    if (Number.isNaN(at)) throw invalidParams('date: must be an ISO 8601 date');
    if (date !== undefined && at < Date.now()) throw invalidParams('date: must not be in the past');
    const event = {
      id: crypto.randomUUID(),
      scheduledAt: new Date().toISOString(),
      date: new Date(at).toISOString(),
      request,
    };
    await this.#change((all) => [...all, event]);
    this.#arm(event);
    return event.id;
  }

  async cancel(id: string): Promise<void> {
    if (!(await this.list()).some((event) => event.id === id))
      throw invalidParams(`There is no background event with the id "${id}".`);
    clearTimeout(this.#timers.get(id));
    await this.#change((all) => all.filter((event) => event.id !== id));
  }

  #arm(event: BackgroundEvent): void {
    const wait = Math.max(0, Date.parse(event.date) - Date.now());
    const timer = setTimeout(
      () => {
        if (wait > LONGEST_WAIT) this.#arm(event);
        else void this.#fireOnce(event);
      },
      Math.min(wait, LONGEST_WAIT),
    );
    this.#timers.set(event.id, timer);
  }

  /** Fires an event only if this tab removes it from the list: another tab may have fired it already. */
  async #fireOnce({ id, request }: BackgroundEvent): Promise<void> {
    let isMine = false;
    await this.#change((all) => {
      isMine = all.some((event) => event.id === id);
      return all.filter((event) => event.id !== id);
    });
    if (isMine) this.#fire(request);
  }

  async #change(change: (all: readonly BackgroundEvent[]) => readonly BackgroundEvent[]): Promise<void> {
    await this.#store.update<readonly BackgroundEvent[]>('background-events', (before = []) => change(before));
  }
}

import { type ComponentChildren } from 'preact';

/** What a dialog of the wallet shows, and what its buttons say. */
export type Dialog<T> = {
  readonly title: string;
  readonly body: ComponentChildren;
  /** The first is the one that says no; Escape means it. The last one is shown as the main one. */
  readonly choices: readonly { readonly label: string; readonly value: () => T; readonly isDisabled?: () => boolean }[];
  /** The answer when the dialog is closed without a choice. */
  readonly dismissed: T;
  /** Wide dialogs show whole interfaces. */
  readonly kind?: 'question' | 'page';
};

export type Shown = {
  readonly id: string;
  readonly dialog: Dialog<unknown>;
  readonly answer: (value: unknown) => void;
};

/** The dialogs that wait for the person, one after the other. */
export class Dialogs {
  #waiting: readonly Shown[] = [];
  readonly #watchers = new Set<(waiting: readonly Shown[]) => void>();

  ask<T>(dialog: Dialog<T>): Promise<T> {
    return this.open(dialog).answered;
  }

  /** As `ask`, for a caller who may close the dialog before it is answered. */
  open<T>(dialog: Dialog<T>): { readonly answered: Promise<T>; readonly close: (value: T) => void } {
    const id = crypto.randomUUID();
    let resolve: (value: T) => void;
    const answered = new Promise<T>((done) => {
      resolve = done;
    });
    const close = (value: T): void => {
      this.#change(this.#waiting.filter((shown) => shown.id !== id));
      resolve(value);
    };
    this.#change([
      ...this.#waiting,
      { id, dialog: dialog as Dialog<unknown>, answer: close as (value: unknown) => void },
    ]);
    return { answered, close };
  }

  watch(onChange: (waiting: readonly Shown[]) => void): void {
    this.#watchers.add(onChange);
    onChange(this.#waiting);
  }

  #change(waiting: readonly Shown[]): void {
    this.#waiting = waiting;
    for (const watcher of this.#watchers) watcher(waiting);
  }
}

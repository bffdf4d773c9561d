import { type ComponentChildren } from 'preact';

/** The content and the buttons of a dialog. */
export type Dialog<T> = {
  readonly title: string;
  readonly body: ComponentChildren;
  /** The first choice cancels; the last one is the main button. */
  readonly choices: readonly { readonly label: string; readonly value: () => T; readonly isDisabled?: () => boolean }[];
  /** The answer if the dialog is closed with Escape. */
  readonly dismissed: T;
  /** Pages are wider, and stay open below questions. Defaults to `question`. */
  readonly kind?: 'question' | 'page';
};

export type Shown = {
  readonly id: string;
  readonly dialog: Dialog<unknown>;
  readonly answer: (value: unknown) => void;
};

/** The open dialogs, in order. */
export class Dialogs {
  #waiting: readonly Shown[] = [];
  readonly #watchers = new Set<(waiting: readonly Shown[]) => void>();

  ask<T>(dialog: Dialog<T>): Promise<T> {
    return this.open(dialog).answered;
  }

  /** Like `ask`, but the caller can close the dialog before it is answered. */
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

import { type VNode } from 'preact';
import { useEffect, useId, useReducer, useRef, useState } from 'preact/hooks';

import { type Dialogs, type Shown } from '../dialogs';

const LABEL = 'Simulated wallet: do not use real funds';

/** @returns The focused element, on the page or in one of its shadow trees, such as the wallet's. */
function focusedElement(): HTMLElement | undefined {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element instanceof HTMLElement ? element : undefined;
}

type Props = {
  readonly shown: Shown;
  /** The number of questions that wait behind this one. */
  readonly others: number;
  /** The number of dialogs below this one. */
  readonly below: number;
};

/** A modal dialog of the wallet. The keyboard focus stays in it; Escape dismisses it. */
function OneDialog({ shown, others, below }: Props): VNode {
  const { dialog, answer } = shown;
  const element = useRef<HTMLDialogElement>(null);
  const heading = useId();
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const focused = focusedElement();
    return () => {
      // The dialog is unmounted without being closed, so the browser does not restore the focus.
      focused?.focus();
    };
  }, []);
  useEffect(() => {
    // The dialog opened last is on top. Reopen a question so that it stays above a page that opens later.
    element.current?.close();
    element.current?.showModal();
  }, [below]);

  return (
    <dialog
      ref={element}
      aria-labelledby={heading}
      class={dialog.kind ?? 'question'}
      onCancel={(event) => {
        event.preventDefault();
        answer(dialog.dismissed);
      }}
      onInput={() => redraw(undefined)}
    >
      <p class="simulated">{LABEL}</p>
      <h2 id={heading} tabIndex={-1} autofocus>
        {dialog.title}
      </h2>
      <div class="body" tabIndex={0} role="group" aria-label="Details">
        {dialog.body}
      </div>
      <div class="choices">
        {others > 0 ? <span class="label">{others} more waiting</span> : null}
        {dialog.choices.map((choice, index, all) => (
          <button
            key={choice.label}
            type="button"
            class={index === all.length - 1 ? 'main' : ''}
            disabled={choice.isDisabled?.() === true}
            onClick={() => answer(choice.value())}
          >
            {choice.label}
          </button>
        ))}
      </div>
    </dialog>
  );
}

/** Shows the open pages, and the first question on top of them. */
export function DialogHost({ dialogs }: { readonly dialogs: Dialogs }): VNode {
  const [waiting, setWaiting] = useState<readonly Shown[]>([]);
  useEffect(() => dialogs.watch(setWaiting), [dialogs]);
  const pages = waiting.filter(({ dialog }) => dialog.kind === 'page');
  const [question, ...others] = waiting.filter(({ dialog }) => dialog.kind !== 'page');
  return (
    <>
      {pages.map((shown) => (
        <OneDialog key={shown.id} shown={shown} others={0} below={0} />
      ))}
      {question === undefined ? null : (
        <OneDialog key={question.id} shown={question} others={others.length} below={pages.length} />
      )}
    </>
  );
}

import { type VNode } from 'preact';
import { useEffect, useId, useReducer, useRef, useState } from 'preact/hooks';

import { type Dialogs, type Shown } from '../dialogs';

const LABEL = 'Simulated wallet: do not use real funds';

/** What has the focus, on the page or in a shadow tree of it, such as the wallet's own. */
function focusedElement(): HTMLElement | undefined {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element instanceof HTMLElement ? element : undefined;
}

type Props = {
  readonly shown: Shown;
  /** How many dialogs wait for this one. */
  readonly others: number;
  /** How many lie under this one. */
  readonly below: number;
};

/** A modal dialog of the wallet. The keyboard stays in it; Escape refuses. */
function OneDialog({ shown, others, below }: Props): VNode {
  const { dialog, answer } = shown;
  const element = useRef<HTMLDialogElement>(null);
  const heading = useId();
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const focused = focusedElement();
    return () => {
      // Back to where the person was; the dialog itself is gone without having been closed.
      focused?.focus();
    };
  }, []);
  useEffect(() => {
    // Whatever was opened last lies on top, also a page that took longer to come than a question.
    element.current?.close();
    element.current?.showModal();
  }, [below]);
  const [refuse, ...rest] = dialog.choices;
  return (
    <dialog
      ref={element}
      aria-labelledby={heading}
      class={dialog.kind ?? 'question'}
      onCancel={(event) => {
        event.preventDefault();
        answer(dialog.dismissed);
      }}
      onInput={() => {
        redraw(undefined);
      }}
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
        {[refuse, ...rest].map((choice, index, all) =>
          choice === undefined ? null : (
            <button
              key={choice.label}
              type="button"
              class={index === all.length - 1 ? 'main' : ''}
              disabled={choice.isDisabled?.() === true}
              onClick={() => {
                answer(choice.value());
              }}
            >
              {choice.label}
            </button>
          ),
        )}
      </div>
    </dialog>
  );
}

/** Shows the dialogs that wait: of the questions the first, above the pages that stay open. */
export function DialogHost({ dialogs }: { readonly dialogs: Dialogs }): VNode {
  const [waiting, setWaiting] = useState<readonly Shown[]>([]);
  useEffect(() => {
    dialogs.watch(setWaiting);
  }, [dialogs]);
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

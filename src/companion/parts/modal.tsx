import { type ComponentChildren, type VNode } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

import { Icon } from './icons';

type Props = { readonly title: string; readonly onClose: () => void; readonly children: ComponentChildren };

/** A dialog over the page. The browser keeps the focus in it, closes it with Escape, and returns the focus after. */
export function Modal({ title, onClose, children }: Props): VNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const opener = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  return (
    <dialog ref={dialog} class="modal" aria-labelledby={id} onClose={onClose}>
      <div class="modal-head">
        <h2 id={id}>{title}</h2>
        <button type="button" class="small quiet" onClick={() => dialog.current?.close()}>
          <Icon name="close" />
          <span class="visually-hidden">Close</span>
        </button>
      </div>
      {children}
    </dialog>
  );
}

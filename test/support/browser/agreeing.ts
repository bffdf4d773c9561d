/**
 * A script for a page. It presses the main button of every dialog of the simulated wallet once, as a person does who
 * agrees to everything.
 */
export const AGREEING = `{
  let answered;
  let again = 0;
  setInterval(() => {
    const dialogs = document.querySelector('keystead-simulated-wallet')?.shadowRoot?.querySelectorAll('dialog[open]') ?? [];
    const dialog = [...dialogs].at(-1);
    const main = dialog?.querySelector('.choices button:last-of-type');
    if (main?.disabled) dialog.querySelector('.body input[type=checkbox]:not(:checked)')?.click();
    else if (dialog && (dialog.textContent !== answered || Date.now() > again)) {
      main?.click();
      // A click on a dialog that is still being drawn is lost.
      again = Date.now() + 3000;
    }
    answered = main?.disabled ? undefined : dialog?.textContent;
  }, 20);
}`;

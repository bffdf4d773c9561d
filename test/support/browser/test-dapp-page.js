// Runs in the page of MetaMask's test dapp, before its own scripts: installs the provider, loads the simulated wallet,
// records what the dapp requests, and approves every dialog of the wallet.
(() => {
  const { announceKeystead } = globalThis.Keystead;
  const { snapId, walletScript, account } = globalThis.KEYSTEAD_SETTINGS;
  // The dapp uses the first provider that announces itself, which is this one, and takes it only for MetaMask's.
  const { provider } = announceKeystead({ snapId, chainId: 31337, isMetaMask: true });
  const { request, sendAsync } = provider;
  const log = [];
  const state = { pending: 0, lastChange: 0 };
  const changed = (by) => {
    state.pending += by;
    state.lastChange = performance.now();
  };
  const textOf = (result) => (typeof result === 'string' ? result : JSON.stringify(result));
  const record = async (args) => {
    const entry = { method: args.method };
    log.push(entry);
    changed(1);
    try {
      const result = await request(args);
      entry.result = textOf(result);
      return result;
    } catch (error) {
      Object.assign(entry, { code: error.code, message: error.message });
      throw error;
    } finally {
      changed(-1);
    }
  };
  provider.request = record;
  // The dapp sends one batch, without a callback.
  provider.sendAsync = async (batch) => {
    const entries = batch.map(({ method }) => ({ method }));
    log.push(...entries);
    changed(1);
    const responses = await sendAsync(batch);
    for (const [index, { result, error }] of responses.entries())
      Object.assign(entries[index], error ? { code: error.code, message: error.message } : { result: textOf(result) });
    changed(-1);
    return responses;
  };

  const dialogsOf = () => [
    ...(document.querySelector('keystead-simulated-wallet')?.shadowRoot?.querySelectorAll('dialog[open]') ?? []),
  ];
  const choose = (fields) => {
    for (const field of fields) {
      if (field.type === 'radio' && field.value === account.type && !field.checked) field.click();
      if (field.tagName !== 'SELECT' || field.value === account.kind) continue;
      field.value = account.kind;
      for (const event of ['input', 'change']) field.dispatchEvent(new Event(event, { bubbles: true }));
    }
  };
  setInterval(() => {
    const dialog = dialogsOf().at(-1);
    if (dialog === undefined) return;
    changed(0);
    const main = dialog.querySelector('.choices button:last-of-type');
    const fields = [...dialog.querySelectorAll('input[type=radio], select')];
    // The snap draws the dialog again after each choice, so wait until it says what is created.
    if (fields.length > 0 && !dialog.textContent.includes(account.title)) choose(fields);
    else if (main.disabled) dialog.querySelector('.body input[type=checkbox]:not(:checked)')?.click();
    else main.click();
  }, 20);

  const QUIET = 250;
  globalThis.testDapp = {
    provider,
    /**
     * Asks again, without recording it, until an answer passes the check.
     *
     * @param check - `(result) => value or undefined`
     */
    until: async (args, check) => {
      for (;;) {
        const value = check(await request(args));
        if (value !== undefined) return value;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    },
    /** Fills in fields of the dapp, by their ids. */
    fill: (fields) => {
      for (const [id, value] of Object.entries(fields)) {
        const field = document.getElementById(id);
        field.value = value;
        for (const event of ['input', 'change']) field.dispatchEvent(new Event(event, { bubbles: true }));
      }
    },
    /** Runs an action, and waits until every request is answered and no dialog is open. @returns The requests. */
    during: async (action, patience = 180_000) => {
      const from = log.length;
      const end = performance.now() + patience;
      changed(0);
      const failure = await Promise.resolve(action()).then(
        () => undefined,
        (error) => error,
      );
      while (performance.now() < end) {
        await new Promise((resolve) => setTimeout(resolve, 25));
        if (state.pending === 0 && dialogsOf().length === 0 && performance.now() - state.lastChange > QUIET)
          return { requests: log.slice(from), failure: failure && String(failure.message ?? failure) };
      }
      return { requests: log.slice(from), failure: 'unanswered' };
    },
  };
  document.addEventListener('DOMContentLoaded', () => {
    const script = document.createElement('script');
    script.type = 'module';
    script.src = walletScript;
    document.head.append(script);
  });
})();

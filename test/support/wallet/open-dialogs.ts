/** The open dialogs of a wallet. As in MetaMask, there is one of each type at a time, and a second one is refused. */
export class OpenDialogs {
  readonly #types = new Set<string>();
  #onOpen: () => void = () => undefined;

  /** @throws MetaMask's refusal, if a dialog of the type is open. */
  open(type: unknown): void {
    const name = typeof type === 'string' ? `snap_dialog:${type}` : 'snap_dialog';
    if (this.#types.has(name))
      // As the wallet's errors are for the snap, a plain object.
      throw {
        code: -32002,
        message: `Request of type '${name}' already pending for origin npm:keystead. Please wait.`,
      };
    this.#types.add(name);
    this.#onOpen();
  }

  close(type: unknown): void {
    this.#types.delete(typeof type === 'string' ? `snap_dialog:${type}` : 'snap_dialog');
  }

  closeAll(): void {
    this.#types.clear();
  }

  get isOneOpen(): boolean {
    return this.#types.size > 0;
  }

  /** Waits until a dialog is open. */
  async untilOpen(): Promise<void> {
    if (this.isOneOpen) return;
    await new Promise<void>((resolve) => {
      this.#onOpen = resolve;
    });
  }

  /** Shows a dialog until it is answered. */
  async show<Answer>(type: unknown, dialog: () => Promise<Answer>): Promise<Answer> {
    this.open(type);
    try {
      return await dialog();
    } finally {
      this.close(type);
    }
  }
}

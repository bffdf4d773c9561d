import { type Json } from '@metamask/snaps-sdk';

type Mined = {
  readonly from: string;
  readonly to: string | null;
  readonly nonce: string;
  readonly value: string;
  readonly input: string;
};
type Call = { readonly from: string; readonly to?: string | null; readonly value?: string; readonly data?: string };

/** A chain with empty blocks and blocks of one transaction, and what its node answers about nonces and blocks. */
export class MinedChain {
  readonly #blocks: Mined[][] = Array.from({ length: 100 }, () => []);

  #nonceAt(account: string, block: number): number {
    const own = ({ from }: Mined) => from.toLowerCase() === account.toLowerCase();
    return this.#blocks
      .slice(0, block + 1)
      .flat()
      .filter(own).length;
  }

  get #latest(): number {
    return this.#blocks.length - 1;
  }

  /** Mines a number of empty blocks. */
  wait(blocks: number): void {
    for (let n = 0; n < blocks; n++) this.#blocks.push([]);
  }

  /** Mines a transaction in a block of its own. */
  mine({ from, to = null, value = '0x0', data = '0x' }: Call): void {
    const nonce = `0x${this.#nonceAt(from, this.#latest).toString(16)}`;
    this.#blocks.push([{ from, to, value, input: data, nonce }]);
  }

  readonly answers: Record<string, (params: readonly Json[]) => Json> = {
    eth_blockNumber: () => `0x${this.#latest.toString(16)}`,
    eth_getTransactionCount: ([account, at]) =>
      `0x${this.#nonceAt(account as string, at === 'latest' || at === 'pending' ? this.#latest : Number(at)).toString(16)}`,
    eth_getBlockByNumber: ([at]) => ({ number: at!, transactions: (this.#blocks[Number(at)] ?? []) as Json[] }),
  };
}

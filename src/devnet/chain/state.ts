import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { type AccountVersion } from '../../core/erc4337/entry-points';
import { type Hex } from '../../core/eth/bytes';

/** A contract as anvil keeps it; storage by slot. */
export type ContractState = {
  readonly nonce: number;
  readonly balance: Hex;
  readonly code: Hex;
  readonly storage: Readonly<Record<Hex, Hex>>;
};

/** What is on the devnet's chain from the start; made by `npm run make:chain-state`. */
export type PreparedContracts = {
  /** The test paymasters, with a deposit at their entry point. */
  readonly paymasters: Readonly<Record<AccountVersion, Hex>>;
  /** Every contract by address: entry points, account factories, and what those made. */
  readonly contracts: Readonly<Record<Hex, ContractState>>;
};

/** The file of the prepared contracts. */
export const CONTRACTS_FILE = join(process.cwd(), 'src/devnet/chain/contracts.json');

/** @returns What is in {@link CONTRACTS_FILE}. */
export const preparedContracts = (): PreparedContracts =>
  JSON.parse(readFileSync(CONTRACTS_FILE, 'utf8')) as PreparedContracts;

/** Who gives test ether away: the tenth account of anvil's test phrase. The chain's node signs for it. */
export const FAUCET_ADDRESS: Hex = '0xa0Ee7A142d267C1f36714E4a8F75612F20a79720';

/** A thousand million ether, in wei. */
const FAUCET_BALANCE: Hex = `0x${(10n ** 27n).toString(16)}`;

/**
 * Writes a state of the chain that anvil can start from, unless the file is there already: the prepared contracts
 * at block 0.
 *
 * @param path - Of the file.
 */
export function writeFirstState(path: string): void {
  if (existsSync(path)) return;
  const faucet: ContractState = { nonce: 0, balance: FAUCET_BALANCE, code: '0x', storage: {} };
  const state = {
    block: null,
    accounts: { ...preparedContracts().contracts, [FAUCET_ADDRESS.toLowerCase()]: faucet },
    best_block_number: 0,
    blocks: [],
    transactions: [],
    historical_states: null,
  };
  writeFileSync(path, JSON.stringify(state));
}

import { writeFileSync } from 'node:fs';

import { CONTRACTS_FILE } from '../src/devnet/chain/state';
import { makeContracts } from '../test/chain/support/prepared-contracts';

const { paymasters, contracts } = await makeContracts();
const lines = Object.entries(contracts).map(([address, state]) => `    "${address}": ${JSON.stringify(state)}`);
writeFileSync(
  CONTRACTS_FILE,
  `{\n  "paymasters": ${JSON.stringify(paymasters)},\n  "contracts": {\n${lines.join(',\n')}\n  }\n}\n`,
);
console.log(`${CONTRACTS_FILE}: ${lines.length} contracts`);

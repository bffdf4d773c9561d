import { writeFileSync } from 'node:fs';

import { CONTRACTS_FILE } from '../src/devnet/chain/state';
import { hasPeers } from '../test/support/chain/peers';
import { makeContracts } from '../test/support/chain/prepared-contracts';

if (!hasPeers) {
  console.error('The contracts are not installed: run scripts/install-chain-peers.sh first.');
  process.exit(1);
}
const { paymasters, recoveryModule, contracts } = await makeContracts();
const lines = Object.entries(contracts).map(([address, state]) => `    "${address}": ${JSON.stringify(state)}`);
writeFileSync(
  CONTRACTS_FILE,
  `{\n  "paymasters": ${JSON.stringify(paymasters)},\n  "recoveryModule": ${JSON.stringify(recoveryModule)},\n  "contracts": {\n${lines.join(',\n')}\n  }\n}\n`,
);
console.log(`${CONTRACTS_FILE}: ${lines.length} contracts`);

import { type Hex } from '../../eth/bytes';
import { namesContractAsText, type TypedData } from '../../eth/typed-data';
import { quoted } from '../descriptors/words';
import { canonical, isInteger, type Leaf, messageLeaves } from '../rules/messages/leaves';
import { addBytes, addNumber, addText, type Collected } from './call-values';
import { type SignedValues } from './signed-values';

function addLeaf({ path, type, value, address }: Leaf, found: Collected): void {
  const label = quoted(path);
  if (address !== undefined) found.values.push({ kind: 'address', label, address });
  else if (isInteger(type)) addNumber(BigInt(canonical(type, value)), label, 1n, found);
  else if (type.startsWith('bytes')) addBytes(canonical(type, value) as Hex, label, found);
  else if (type === 'string') addText(String(value), label, found);
}

/** Notes every value that a message signs, and the contract that it is for. */
export function signMessage(data: TypedData, signed: SignedValues): void {
  const { domain, types } = data;
  const found: Collected = { values: [], opaque: [], count: 0 };
  if (Object.hasOwn(domain, 'verifyingContract') && !namesContractAsText(types))
    found.values.push({ kind: 'address', label: 'Contract', address: domain.verifyingContract as Hex });
  for (const leaf of messageLeaves(data)) addLeaf(leaf, found);
  signed.add(found.values);
  signed.addBytes(found.opaque);
}

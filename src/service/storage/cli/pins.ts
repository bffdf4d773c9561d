import { uncharged } from '../../admission/uncharged';
import { table } from '../../runtime/table';
import { type OwnedPin } from '../store/pin-store';
import { onOpenStorage } from './command';

const rowOf = ({ tenant, mode, cid, size, name }: OwnedPin) => [tenant, mode, cid.toString(), String(size), name];

/** Lists the pins of every key, or of one (`tenant`): the key's ID, how the pin holds its DAG, CID, bytes and name. */
export const runPins = onOpenStorage(async (service, { json, tenant, output }) => {
  const rows: string[][] = [];
  for await (const pin of service.pins.list(uncharged(), tenant)) {
    const { tenant: owner, cid, ...rest } = pin;
    if (json) output(JSON.stringify({ tenant: owner, cid: cid.toString(), ...rest }));
    else rows.push(rowOf(pin));
  }
  if (json) return 0;
  output(table([['Key', 'Mode', 'CID', 'Bytes', 'Name'], ...rows]));
  output(`${rows.length} pins`);
  return 0;
});

import { table } from '../../runtime/table';
import { type OwnedPin } from '../store/pin-store';
import { onOpenStorage } from './command';

const rowOf = ({ tenant, mode, cid, size, name }: OwnedPin) => [tenant, mode, cid.toString(), String(size), name];

/** Lists the pins of every key, or of one (`tenant`): the key's ID, how the pin holds its DAG, CID, bytes and name. */
export const runPins = onOpenStorage(async (service, { json, tenant, output }) => {
  const pins = (await service.pins.all()).filter((pin) => tenant === undefined || pin.tenant === tenant);
  if (json) {
    for (const { tenant: owner, cid, ...pin } of pins) {
      output(JSON.stringify({ tenant: owner, cid: cid.toString(), ...pin }));
    }
  } else {
    output(table([['Key', 'Mode', 'CID', 'Bytes', 'Name'], ...pins.map(rowOf)]));
    output(`${pins.length} pins`);
  }
  return 0;
});

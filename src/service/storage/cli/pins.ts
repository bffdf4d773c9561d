import { table } from '../../runtime/table';
import { openStorage } from '../server';
import { type OwnedPin } from '../store/pin-store';
import { type StorageCommand } from './command';

const rowOf = ({ tenant, mode, cid, size, name }: OwnedPin) => [tenant, mode, cid.toString(), String(size), name];

/**
 * Lists the pins of every key, or of one (`tenant`): the ID of the key, how the pin holds its DAG, the CID and the
 * name. For pins in the data directory, the service must be stopped (use `pin/ls?tenant=` while it runs).
 */
export const runPins: StorageCommand = async ({ dataDir, shared, json, tenant, output }) => {
  const { service, close } = await openStorage({ dataDir, ...(shared && { shared }) });
  try {
    const pins = (await service.pins.all()).filter((pin) => tenant === undefined || pin.tenant === tenant);
    if (!json) output(table([['Key', 'Mode', 'CID', 'Bytes', 'Name'], ...pins.map(rowOf)]));
    for (const { tenant: owner, cid, ...pin } of json ? pins : []) {
      output(JSON.stringify({ tenant: owner, cid: cid.toString(), ...pin }));
    }
    if (!json) output(`${pins.length} pins`);
    return 0;
  } finally {
    await close();
  }
};

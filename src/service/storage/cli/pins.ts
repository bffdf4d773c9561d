import { printable } from '../../runtime/printable';
import { openStorage } from '../server';
import { type StorageCommand } from './command';

/**
 * Lists the pins of every key, or of one (`tenant`): the ID of the key, how the pin holds its DAG, the CID and the
 * name. For pins in the data directory, the service must be stopped (use `pin/ls?tenant=` while it runs).
 */
export const runPins: StorageCommand = async ({ dataDir, shared, json, tenant, output }) => {
  const { service, close } = await openStorage({ dataDir, ...(shared && { shared }) });
  try {
    const pins = (await service.pins.all()).filter((pin) => tenant === undefined || pin.tenant === tenant);
    for (const { tenant: owner, cid, mode, name } of pins) {
      const columns = [owner, mode, cid.toString(), ...(name === '' ? [] : [name])];
      output(
        json ? JSON.stringify({ tenant: owner, mode, cid: cid.toString(), name }) : columns.map(printable).join(' '),
      );
    }
    if (!json) output(`${pins.length} pins`);
    return 0;
  } finally {
    await close();
  }
};

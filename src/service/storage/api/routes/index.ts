import { type Route } from '../route';
import { add } from './add';
import { blockGet } from './block/get';
import { blockPut } from './block/put';
import { blockRm } from './block/rm';
import { blockStat } from './block/stat';
import { cat } from './cat';
import { dagExport } from './dag/export';
import { dagGet } from './dag/get';
import { dagImport } from './dag/import';
import { dagPut } from './dag/put';
import { dagResolve } from './dag/resolve';
import { filesStat } from './files/stat';
import { get } from './get';
import { id } from './id';
import { ls } from './ls';
import { objectData } from './object/data';
import { objectGet } from './object/get';
import { objectLinksRoute } from './object/links';
import { objectNew } from './object/new';
import { objectPut } from './object/put';
import { objectStat } from './object/stat';
import { pinAdd } from './pin/add';
import { pinLs } from './pin/ls';
import { pinRm } from './pin/rm';
import { pinUpdate } from './pin/update';
import { repoGc } from './repo/gc';
import { repoStat } from './repo/stat';
import { resolve } from './resolve';
import { version } from './version';

/** Every command by its path below `/api/v0/`. */
export const ROUTES: ReadonlyMap<string, Route> = new Map(
  [
    add,
    blockGet,
    blockPut,
    blockRm,
    blockStat,
    cat,
    dagExport,
    dagGet,
    dagImport,
    dagPut,
    dagResolve,
    filesStat,
    get,
    id,
    ls,
    objectData,
    objectGet,
    objectLinksRoute,
    objectNew,
    objectPut,
    objectStat,
    pinAdd,
    pinLs,
    pinRm,
    pinUpdate,
    repoGc,
    repoStat,
    resolve,
    version,
  ].map((route) => [route.path, route]),
);

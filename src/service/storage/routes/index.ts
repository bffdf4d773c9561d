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
import { dagStat } from './dag/stat';
import { filesStat } from './files/stat';
import { get } from './get';
import { id } from './id';
import { ls } from './ls';
import { objectData } from './object/data';
import { objectDiff } from './object/diff';
import { objectGet } from './object/get';
import { objectLinksRoute } from './object/links';
import { objectNew } from './object/new';
import { objectPatchAddLink } from './object/patch/add-link';
import { objectPatchAppendData } from './object/patch/append-data';
import { objectPatchRmLink } from './object/patch/rm-link';
import { objectPatchSetData } from './object/patch/set-data';
import { objectPut } from './object/put';
import { objectStat } from './object/stat';
import { pinAdd } from './pin/add';
import { pinLs } from './pin/ls';
import { pinRm } from './pin/rm';
import { pinUpdate } from './pin/update';
import { pinVerify } from './pin/verify';
import { refsLocal } from './refs/local';
import { refs } from './refs/refs';
import { repoGc } from './repo/gc';
import { repoLs } from './repo/ls';
import { repoStat } from './repo/stat';
import { repoVersion } from './repo/version';
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
    dagStat,
    filesStat,
    get,
    id,
    ls,
    objectData,
    objectDiff,
    objectGet,
    objectLinksRoute,
    objectNew,
    objectPatchAddLink,
    objectPatchAppendData,
    objectPatchRmLink,
    objectPatchSetData,
    objectPut,
    objectStat,
    pinAdd,
    pinLs,
    pinRm,
    pinUpdate,
    pinVerify,
    refs,
    refsLocal,
    repoGc,
    repoLs,
    repoStat,
    repoVersion,
    resolve,
    version,
  ].map((route) => [route.path, route]),
);

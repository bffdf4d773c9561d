import { isMainThread } from 'node:worker_threads';

import { archiveCommand } from './archive';
import { runProgram } from './command';
import { keysCommand } from './keys';
import { serveCommand } from './serve';
import { storageCommand } from './storage';
import { tuneForLookUps } from '../runtime/v8-memory';
import { runStorageThread } from '../storage/thread/run';

/** The program's commands. A part of the service that has its own commands adds them here. */
const COMMANDS = [serveCommand, keysCommand, archiveCommand, storageCommand];

if (isMainThread) {
  tuneForLookUps();
  await runProgram(COMMANDS);
} else await runStorageThread();

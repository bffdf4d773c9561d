import { archiveCommand } from './archive';
import { runProgram } from './command';
import { keysCommand } from './keys';
import { serveCommand } from './serve';
import { storageCommand } from './storage';
import { tuneForLookUps } from '../runtime/v8-memory';

/** The program's commands. A part of the service that has its own commands adds them here. */
const COMMANDS = [serveCommand, keysCommand, archiveCommand, storageCommand];

tuneForLookUps();
await runProgram(COMMANDS);

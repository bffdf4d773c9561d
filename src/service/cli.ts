import { archiveCommand } from './cli/archive';
import { runProgram } from './cli/command';
import { keysCommand } from './cli/keys';
import { serveCommand } from './cli/serve';
import { storageCommand } from './cli/storage';
import { tuneForLookUps } from './v8-memory';

/** The program's commands. A part of the service that has commands of its own adds them here. */
const COMMANDS = [serveCommand, keysCommand, archiveCommand, storageCommand];

tuneForLookUps();
await runProgram(COMMANDS);

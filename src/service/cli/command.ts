import { homedir } from 'node:os';
import { join } from 'node:path';

import { Command, CommanderError, InvalidArgumentError } from 'commander';

import { version } from '../../../package.json';
import { ArchiveError } from '../chain/archive/errors';
import { ConfigError } from '../runtime/config';
import { printableLines } from '../runtime/printable';
import { CommandError, ObjectStoreError } from '../storage/errors';
import { parseConfig, readConfig, type ServiceConfig } from './config';
import { errorCode } from '../runtime/error-code';
import { KeysUnavailableError, TooManySecretsError } from '../keys';
import { LockedError } from '../runtime/process-lock';
import type { DataDir } from './data-dir';

/** Adds a command and its subcommands to the program. */
export type CommandModule = (program: Command) => void;

/** Options that every command takes. */
export type CommonOptions = { json?: true; dataDir?: string; config?: string };

/** Resolved options, passed to a command. */
export type Settings = { config: ServiceConfig; dataDir: DataDir; json: boolean };

/** The command ran, found or caused a failure, and has already reported it. */
export class ReportedFailure extends Error {}

/** Errors that the operator can fix: their message alone is printed, without a stack trace. */
const EXPLAINED = [
  ConfigError,
  ArchiveError,
  LockedError,
  KeysUnavailableError,
  TooManySecretsError,
  CommandError,
  ObjectStoreError,
];

/**
 * A system error (missing file, folder without write permission): Node's message names the file and the reason. SQLite
 * says by its own code that the disk is full.
 */
const isSystemError = (error: unknown) =>
  errorCode(error) === 'SQLITE_FULL' ||
  (errorCode(error) !== undefined && typeof (error as { syscall?: unknown }).syscall === 'string');

/** Rejects an empty name, which would mean the working directory: a shell passes one for an unset variable. */
function folderName(text: string): string {
  if (text === '') throw new InvalidArgumentError('Give the path of a folder.');
  return text;
}

/** @returns An environment variable; undefined if it is unset or empty. */
const setting = (name: string) => (process.env[name] === '' ? undefined : process.env[name]);

function defaultDataDir(): string {
  return join(setting('XDG_DATA_HOME') ?? join(homedir(), '.local', 'share'), 'keystead');
}

/**
 * Creates a command that takes `--json`, `--data-dir` and `--config`.
 *
 * @param parent - The program, or the parent command.
 * @param usage - Name and arguments, in commander's syntax.
 * @param description - One line of help.
 * @returns The command.
 */
export function addCommand(parent: Command, usage: string, description: string): Command {
  return parent
    .command(usage)
    .description(description)
    .option('--json', 'print JSON, one object per line')
    .option(
      '--data-dir <dir>',
      `folder for keys, credits, archives and files (default: KEYSTEAD_DATA_DIR, or ${defaultDataDir()})`,
      folderName,
    )
    .option('--config <file>', 'JSON configuration file of the service');
}

/**
 * @param options - From the command line.
 * @returns The configuration, with defaults filled in, and the data directory: from the command line, the configuration
 * file, the environment, or the user's data folder, in this order.
 * @throws {ConfigError} If the configuration is invalid.
 */
export function settings({ json, dataDir, config: path }: CommonOptions): Settings {
  const config = path === undefined ? parseConfig({}) : readConfig(path);
  return { config, dataDir: dataDirOf(dataDir, path, config), json: json === true };
}

function dataDirOf(option: string | undefined, configPath = '', config: ServiceConfig): DataDir {
  if (option !== undefined) return { path: option, setting: '--data-dir' };
  if (config.dataDir !== undefined) return { path: config.dataDir, setting: `${configPath}: dataDir` };
  const variable = setting('KEYSTEAD_DATA_DIR');
  if (variable !== undefined) return { path: variable, setting: 'KEYSTEAD_DATA_DIR' };
  return { path: defaultDataDir(), setting: 'the data directory (choose another with --data-dir)' };
}

/** Prints text for a person, or one JSON object for a program. */
export function print(json: boolean, object: unknown, text: () => string): void {
  writeOut(json ? JSON.stringify(object) : text());
}

/** Writes lines to the output of the command, whatever text they quote. */
export function writeOut(lines: string): void {
  process.stdout.write(`${printableLines(lines)}\n`);
}

/**
 * @param low - Smallest value.
 * @param high - Largest value.
 * @returns A commander parser for whole numbers.
 */
export function wholeNumber(low: number, high: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/u.test(text) || value < low || value > high)
      throw new InvalidArgumentError(`Use a whole number from ${low} to ${high}.`);
    return value;
  };
}

/** Adds a pointer to `--help` to every usage error. */
function pointToHelp(command: Command, words: string): void {
  command.showHelpAfterError(`See: ${words} --help`);
  for (const each of command.commands) pointToHelp(each, `${words} ${each.name()}`);
}

/** Fails if the output cannot be written; without a message if the reader has closed the pipe, as in `| head`. */
function watchOutput(): void {
  process.stdout.on('error', (error) => {
    process.exitCode = 1;
    if (errorCode(error) !== 'EPIPE') process.stderr.write(`error: stdout: ${error.message}\n`);
  });
}

/**
 * Runs the program on this process's command line. Exit code 0: success; 1: failure, with the reason on stderr.
 *
 * @param commands - The program's commands.
 */
export async function runProgram(commands: readonly CommandModule[]): Promise<void> {
  const program = new Command('keystead')
    .description('Ethereum JSON-RPC with uncles from a verified archive, and file storage with the HTTP API of Kubo')
    .version(version)
    .exitOverride()
    .configureOutput({ writeErr: (text) => process.stderr.write(printableLines(text)) });
  for (const add of commands) add(program);
  pointToHelp(program, program.name());
  watchOutput();
  try {
    await program.parseAsync();
  } catch (error) {
    // Commander has already printed its own errors (help counts as one).
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode;
      return;
    }
    process.exitCode = 1;
    if (error instanceof ReportedFailure) return;
    const explained = EXPLAINED.some((Known) => error instanceof Known) || isSystemError(error);
    const text = error instanceof Error ? ((explained ? error.message : error.stack) ?? error.message) : String(error);
    process.stderr.write(`error: ${printableLines(text)}\n`);
  }
}

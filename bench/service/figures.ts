import { loadavg } from 'node:os';

import { endSteps } from '../progress';

/** One figure of a measurement. */
export type Figure = {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** What to compare it with, for people. */
  readonly note?: string;
};

const digits = (value: number) => (Math.abs(value) < 10 ? 2 : Math.abs(value) < 100 ? 1 : 0);

/** Formats a value with its significant digits. */
export const shown = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: digits(value) });

/** Collects figures and prints each as it is measured, including the load of the machine. */
export class Figures {
  readonly #figures: Figure[] = [];

  constructor() {
    this.add('load of the machine before', loadavg()[0] ?? 0, 'runnable');
  }

  add(name: string, value: number, unit: string, note?: string): void {
    this.#figures.push({ name, value, unit, ...(note === undefined ? {} : { note }) });
    endSteps();
    process.stderr.write(
      `${name.padEnd(52)} ${shown(value).padStart(12)} ${unit}${note === undefined ? '' : `  (${note})`}\n`,
    );
  }

  end(): readonly Figure[] {
    this.add('load of the machine after', loadavg()[0] ?? 0, 'runnable');
    return this.#figures;
  }
}

import type { UseReport } from '../keys/use-report';
import { table } from '../runtime/table';

/** What one key has used. */
export type UsageOfKey = UseReport & { key: string; name: string };

const pinsText = ({ pins }: UseReport) => (pins === null ? 'not counted' : `${pins.count}, ${pins.bytes} bytes`);

const inOneLine = ({ key, name, credits, days, day, lastSeen }: UsageOfKey): string[] => {
  const today = days.find((each) => each.day === day);
  const refused = today?.refused ?? 0;
  return [
    key,
    name,
    `${credits.used} of ${credits.daily}`,
    `${today?.requests ?? 0}`,
    `${refused}`,
    lastSeen ?? 'never',
  ];
};

function inFull(report: UsageOfKey): string {
  const { key, name, day, credits, lastSeen, methods, refused, days } = report;
  const head = table([
    ['Key', key],
    ['Name', name],
    ['Credits today', `${credits.used} of ${credits.daily}, ${credits.left} left`],
    ['Last seen', lastSeen ?? 'never'],
    ['Pins', pinsText(report)],
  ]);
  const byMethod = Object.entries(methods).map(([method, use]) => [method, `${use.requests}`, `${use.credits}`]);
  const byReason = Object.entries(refused).map(([reason, count]) => [reason, `${count}`]);
  const byDay = days.map((each) => [
    each.day,
    ...[each.requests, each.credits, each.refused, each.receivedBytes, each.sentBytes].map(String),
  ]);
  return [
    head,
    table([[`Method, ${day}`, 'Requests', 'Credits'], ...byMethod]),
    table([[`Refused, ${day}`, 'Requests'], ...byReason]),
    table([['Day', 'Requests', 'Credits', 'Refused', 'Bytes received', 'Bytes sent'], ...byDay]),
  ].join('\n\n');
}

/** @returns The usage of one key in full, or of each in one line. */
export function usageText(reports: readonly UsageOfKey[], isFull: boolean): string {
  const [report] = reports;
  if (isFull && report !== undefined) return inFull(report);
  return table([['Key', 'Name', 'Credits today', 'Requests', 'Refused', 'Last seen'], ...reports.map(inOneLine)]);
}

import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '#kit/server/random.ts';
import type { Browser } from '../browser.ts';
import type { Answer, Sent } from '../exchange.ts';
import type { YearSchool } from './school.ts';

/** What the server answered to an act, and whom it touched. */
export interface Done {
  status: number;
  /** The code of a refusal, with the fields it names; '' without one. */
  code: string;
  /** The request that was acknowledged at once; '' if it read only, or was repeated. */
  request: string;
  students: readonly number[];
  /** How many requests it took: more than one around a kill. */
  tries: number;
}

/** What somebody does on a school day. */
export interface Act {
  name: string;
  /** How often it is drawn beside the others. */
  weight: number;
  /** Whether the server must refuse it. */
  isWrong?: true;
  act: (world: YearSchool, random: Random, day: string) => Promise<Done | undefined>;
}

interface Heard {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers of many operations are read by their names.
  json: any;
  tries: number;
  request: string;
}

/**
 * Sends a request under one key until the server acknowledges or refuses it, as the pages do. Fails on any 5xx but 503.
 */
export async function ask(by: Pick<Browser, 'send'>, sent: Sent): Promise<Heard> {
  const { tries, ...answer } = await insist(by, sent);
  const isNew = tries === 1 && sent.method !== undefined && sent.method !== 'GET';
  return {
    status: answer.status,
    json: answer.json,
    tries,
    request: isNew ? String(answer.headers['x-request-id'] ?? '') : '',
  };
}

/** A server is started again well within this time, in milliseconds. */
const longestWait = 300_000;

/** As `ask`, with the whole answer. */
export async function insist(
  by: Pick<Browser, 'send'>,
  { headers, ...sent }: Sent,
): Promise<Answer & { tries: number }> {
  const key: Record<string, string> = sent.method && sent.method !== 'GET' ? { 'idempotency-key': randomUUID() } : {};
  const began = performance.now();
  for (let tries = 1; ; tries += 1) {
    if (performance.now() - began > longestWait)
      throw new Error(`${sent.method ?? 'GET'} ${sent.url} had no answer for ${longestWait} ms.`);
    const answer = await by.send({ ...sent, headers: { ...key, ...headers } }).catch(() => undefined);
    if (answer && answer.status >= 500 && answer.status !== 503)
      throw new Error(`${sent.method ?? 'GET'} ${sent.url} answers ${answer.status}: ${answer.text}`);
    if (answer && answer.status < 500 && answer.status !== 429) return { ...answer, tries };
    await pause(100);
  }
}

export const post = (by: Browser, url: string, body: object) => ask(by, { method: 'POST', url: `/api${url}`, body });

/** Reads the preview and presses the button, as a person does. */
export async function confirm(by: Browser, url: string, body: object): Promise<Heard> {
  const preview = await post(by, url, body);
  if (preview.status !== 200) return preview;
  const { confirmToken } = preview.json;
  // A preview with blocks has no button.
  if (!confirmToken)
    return { ...preview, status: 409, json: { ...preview.json, error: { code: 'nothing to confirm' } } };
  const done = await post(by, url, { ...body, confirmToken });
  return { ...done, tries: preview.tries + done.tries - 1 };
}

export const said = (
  { status, json, tries, request = '' }: Omit<Heard, 'request'> & Partial<Heard>,
  students: readonly number[],
): Done => ({
  status,
  code: [json?.error?.code, ...Object.keys(json?.error?.texts ?? {})].filter(Boolean).join(' '),
  students,
  tries,
  request: status === 200 ? request : '',
});

/** The first that was refused, or the last one. */
export function last(heard: readonly Heard[]): Heard {
  const found = heard.find(({ status }) => status !== 200) ?? heard.at(-1);
  if (!found) throw new Error('Nothing was sent.');
  return found;
}

/** A child who is at the school on a day, with its section. */
export async function childOn({ school }: YearSchool, random: Random, day: string) {
  const rows = await school.sql(`select student_id as id, section_id as "sectionId", grade_id as "gradeId",
    academic_year_id as "yearId" from student_on('${day}') where section_id is not null order by 1`);
  return rows.length > 0
    ? (random.oneOf(rows) as { id: number; sectionId: number; gradeId: number; yearId: number })
    : undefined;
}

/** The sections of the year of a day. */
export const sectionsOn = ({ sections, years }: YearSchool, day: string) =>
  sections.filter(({ isOfNext }) => isOfNext === day >= years.next.startsOn);

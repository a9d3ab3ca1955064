import { setTimeout as pause } from 'node:timers/promises';
import { educationAnswers } from '#database/seed/answers.ts';
import { documentNames } from '../../src/features/admission-form/contract/document.ts';
import type { Answer } from '../exchange.ts';
import { type Family, form, paper } from '../school.ts';
import type { App } from './app.ts';

/** The continuous changes of families, and those that the server acknowledged. */
export interface Stream {
  /** Markers of added schools. */
  schools: string[];
  /** Ids of uploaded files that were not removed. */
  files: Set<string>;
  /** Ids of removed files. */
  removed: Set<string>;
  acknowledged: () => number;
  breaches: string[];
  /** The duration of the slowest answer, in milliseconds. */
  slowest: () => number;
  /** Milliseconds from a time of `performance.now()` to the next acknowledged change. */
  firstAfter: (moment: number) => Promise<number>;
  /** Lets every family finish its current change. */
  stop: () => Promise<void>;
}

const longestTrouble = 60_000;
/** Three documents of each family stay. */
const turnsPerFamily = 9;

/** Starts families that save and upload continuously, and repeat unanswered requests under the same key. */
export function startStream(app: App, families: number): Stream {
  const acknowledgedAt: number[] = [];
  let slowest = 0;
  let isStopped = false;
  const stream: Stream = {
    schools: [],
    files: new Set(),
    removed: new Set(),
    acknowledged: () => acknowledgedAt.length,
    breaches: [],
    slowest: () => slowest,
    firstAfter: async (moment) => {
      for (;;) {
        const last = acknowledgedAt.findLast((at) => at > moment);
        const first = last && acknowledgedAt.find((at) => at > moment);
        if (first) return first - moment;
        if (performance.now() - moment > longestTrouble) return Number.POSITIVE_INFINITY;
        await pause(5);
      }
    },
    stop: async () => {
      isStopped = true;
      await Promise.all(working);
    },
  };

  let keys = 0;
  /** Sends a change until it is answered, as the form does: always under the same key. */
  const keep = async (send: (headers: Record<string, string>) => Promise<Answer>): Promise<Answer | undefined> => {
    const headers = { 'idempotency-key': `stream-${process.pid}-${keys++}` };
    const started = performance.now();
    while (performance.now() - started < longestTrouble) {
      const sent = performance.now();
      const answer = await send(headers).catch(() => undefined);
      slowest = Math.max(slowest, performance.now() - sent);
      if (answer?.status === 200) {
        acknowledgedAt.push(performance.now());
        return answer;
      }
      if (answer && answer.status !== 503) {
        stream.breaches.push(`a change was answered ${answer.status}: ${answer.text.slice(0, 200)}`);
        return undefined;
      }
      await pause(20 + Math.random() * 60);
    }
    stream.breaches.push('a change was not answered for a minute');
    return undefined;
  };

  const addSchool = async (family: Family, marker: string) => {
    const body = { ...educationAnswers, schoolName: marker };
    if (await keep((headers) => family.post('education-history', body, headers))) stream.schools.push(marker);
  };

  const addPaper = async (family: Family, documentName: string) => {
    const fields = { documentName, otherDocumentDescription: 'Report card' };
    const body = form(fields, { DocumentIFormFile: await paper(documentName) });
    const answer = await keep((headers) => family.post('documents', body, headers));
    const row = answer?.json.data.resultList.find((row: Row) => row.documentName === documentName) as Row | undefined;
    if (row) stream.files.add(row.documentFilePath);
    return row;
  };

  const removePaper = async (family: Family, row: Row) => {
    const path = `documents/${row.studentAdmissionDocumentsID}`;
    stream.files.delete(row.documentFilePath);
    if (await keep((headers) => family.remove(path, headers))) stream.removed.add(row.documentFilePath);
  };

  const live = async (who: number) => {
    for (let family = 0; !isStopped; family++) {
      const ours = await app.family().catch(() => pause(50));
      for (let turn = 0; ours && turn < turnsPerFamily && !isStopped; turn++) {
        await addSchool(ours, `School ${who}-${family}-${turn}`);
        // Every third document stays, the others are removed.
        const row = await addPaper(ours, documentNames[turn % 3 === 0 ? turn / 3 : 3] ?? 'Other');
        if (row?.documentName === 'Other') await removePaper(ours, row);
      }
    }
  };
  const working = Array.from({ length: families }, (_, who) => live(who));
  return stream;
}

interface Row {
  studentAdmissionDocumentsID: number;
  documentName: string;
  documentFilePath: string;
}

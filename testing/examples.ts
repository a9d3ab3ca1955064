import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { Person } from './browser.ts';
import type { Answer } from './exchange.ts';
import type { School } from './school.ts';
import type { EnrolmentPlace } from './students.ts';

/** A school with a class, and the people who export and change its records. */
export interface Stage {
  school: School;
  admin: Person;
  /** They export what no Admin may. */
  office: Person;
  incharge: Person;
  principal: Person;
  /** A section in a year, the year after it, and a child who is enrolled there. */
  here: EnrolmentPlace & { sectionId: number; toYearId: number };
  enrollmentId: number;
  /** The number of a member of staff who has no account. */
  staffId: number;
  /** Makes the year of today the current one; other acts may have closed it. */
  openThisYear: () => Promise<unknown>;
  /** Seats a pupil in a new section of this year; returns the section. */
  pupil: () => Promise<number>;
}

/** How an export is called once its rows are there. */
export interface ExportCall {
  url: string;
  /** Of a POST. */
  body?: object;
  /** Who exports; an Admin by default. */
  by?: Person;
}

/** A message that can be sent. */
export interface MessageExample {
  subjectId: number;
  /** Where it was queued to, with the version of its link. Without both it reaches an old address on purpose. */
  recipient?: string;
  version?: number;
  /** The statement that changes the address after it was queued. */
  change?: string;
}

/** What tests of the whole product need from a feature: the file `examples.ts` beside its `matrix.ts`. */
export interface Examples {
  /** Each export that names people, by method and path: adds the rows of at least one person. */
  exports?: Readonly<Record<string, (stage: Stage) => Promise<ExportCall>>>;
  /** Each act that is reported to the other Admins, by method and path: prepares one, and returns the call that does it. */
  reported?: Readonly<Record<string, (stage: Stage) => Promise<() => Promise<Answer>>>>;
  /** Each message, by the name of its template. Its text has no words of people but digits. */
  messages?: Readonly<Record<string, (school: School, admin: Person) => Promise<MessageExample>>>;
  /** Adds rows to the tables that the demo school leaves empty, after the features before it. */
  rows?: (school: School, admin: Person) => Promise<unknown>;
}

const folder = join(import.meta.dirname, '../src/features');

/** The examples of every feature, by its folder. */
export const examples: Readonly<Record<string, Examples>> = Object.fromEntries(
  await Promise.all(
    globSync('*/examples.ts', { cwd: folder }).map(async (file) => {
      const exported: { examples: Examples } = await import(join(folder, file));
      return [file.split('/')[0] ?? '', exported.examples] as const;
    }),
  ),
);

/** The same examples of all features in one. */
export const allExamples = <Kind extends 'exports' | 'reported' | 'messages'>(
  kind: Kind,
): NonNullable<Examples[Kind]> => Object.assign({}, ...Object.values(examples).map((own) => own[kind] ?? {}));
